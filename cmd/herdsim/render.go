package main

import (
	"bytes"
	"fmt"
	"path/filepath"

	"herdsim/plots"
	"herdsim/sim/report"
	"herdsim/sim/result"
)

// reports renders the result for the files of --report.
func (o *outputs) reports(r *result.Result, t task) ([]document, error) {
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
	if o.printsJSON() {
		err := report.JSON(&b, r)
		return b.Bytes(), err
	}
	err := report.Text(&b, r, opt)
	return b.Bytes(), err
}
