package main

import (
	"bytes"
	"fmt"
	"path/filepath"

	"herdsim/plots"
	"herdsim/sim/report"
	"herdsim/sim/result"
)

// reports renders the result for the files of --report, and the dead letters for theirs.
func (o *outputs) reports(r *result.Result, letters []result.Letters, t task) ([]document, error) {
	var docs []document
	for _, f := range o.files() {
		folder, name := f.place(t.subdir)
		var more []document
		var err error
		switch f.format {
		case "json":
			more, err = jsonDocument(r, folder, name)
		case "csv":
			more, err = sheets(r, folder, name)
		case "letters":
			var data []byte
			data, err = report.LettersCSV(letters)
			more = []document{{folder, name, data}}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.format, err)
		}
		docs = append(docs, more...)
	}
	return docs, nil
}

func jsonDocument(r *result.Result, folder, name string) ([]document, error) {
	var b bytes.Buffer
	err := report.JSON(&b, r)
	return []document{{folder, name, b.Bytes()}}, err
}

func sheets(r *result.Result, folder, subdir string) ([]document, error) {
	files, err := report.CSV(r)
	var docs []document
	for _, f := range files {
		docs = append(docs, document{folder, filepath.Join(subdir, f.Name), f.Data})
	}
	return docs, err
}

func pictures(r *result.Result, o plots.Options, folder, subdir string) ([]document, error) {
	drawn, err := plots.Render(r, o)
	var docs []document
	for _, p := range drawn {
		docs = append(docs, document{folder, filepath.Join(subdir, p.Name), p.Data})
	}
	return docs, err
}

// text renders what standard output carries.
func (o *outputs) text(r *result.Result, opt report.TextOptions) ([]byte, error) {
	var b bytes.Buffer
	switch o.prints() {
	case "json":
		err := report.JSON(&b, r)
		return b.Bytes(), err
	case "junit", "md":
		return nil, nil // they follow all results
	}
	err := report.Text(&b, r, opt)
	return b.Bytes(), err
}

// gathered renders the reports that hold all results: what standard output carries of them, and files. Faults are in those of
// JUnit, and others are made of results alone.
func (o *outputs) gathered(results []*result.Result, faults []report.Fault) (text []byte, docs []document, err error) {
	for _, t := range o.targets {
		if t.format != "junit" && len(results) == 0 {
			continue
		}
		var b bytes.Buffer
		switch t.format {
		case "junit":
			err = report.JUnit(&b, results, faults)
		case "github":
			err = report.GitHub(&b, results)
		case "md":
			err = report.Markdown(&b, results)
		default:
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", t.format, err)
		}
		if t.path == standard {
			text = b.Bytes()
			continue
		}
		folder, name := t.place("")
		docs = append(docs, document{folder, name, b.Bytes()})
	}
	return text, docs, nil
}
