package scenario

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"herdsim/sim/clock"
	"herdsim/sim/diag"
	"herdsim/sim/engine"
	"herdsim/sim/units"
)

// maxWrongLines is how many wrong lines of one file are reported before it is read no further.
const maxWrongLines = 10

// listed returns the instants of the file that `csv` names; none when it is wrong, which is reported. A file is read once
// for all cases.
func (b *builder) listed(v *value) []engine.Offset {
	offsets, known := b.reader.listings[v.word]
	if !known {
		offsets = b.listing(v)
		b.reader.listings[v.word] = offsets
	}
	return offsets
}

// listing reads a file of instants.
func (b *builder) listing(v *value) []engine.Offset {
	before := b.errors
	b.oneLine(v, maxLabel, "`csv`")
	if b.errors > before {
		return nil
	}
	if b.reader.beside == nil {
		b.fail(v.node, "there is no folder to read "+units.Quote(v.word)+" from", "")
		return nil
	}
	if b.reader.listed > maxListed {
		return nil // reported at the file that was one too many
	}
	data, err := b.reader.beside(v.word)
	if err != nil {
		b.fail(v.node, "cannot read "+units.Quote(v.word)+": "+err.Error(), "", "a file of instants lies beside the scenario or in a folder below")
		return nil
	}
	if b.reader.listed += len(data); b.reader.listed > maxListed {
		b.fail(v.node, fmt.Sprintf("the files of instants have more than %d MiB in all", maxListed>>20), "", "a file that is named in two ways counts twice")
		return nil
	}
	l := lister{problems: b.problems, data: data, name: filepath.Join(filepath.Dir(b.reader.path), filepath.FromSlash(v.word))}
	after := l.read()
	switch {
	case l.wrong > 0:
		return nil
	case len(after) == 0:
		b.fail(v.node, units.Quote(v.word)+" holds no instant", "write one a line, in seconds")
	}
	return engine.InOrder(after)
}

// A lister reads a file of instants: one a line, in seconds with up to nine decimals. Blank lines do not count, and the
// first line may be a heading.
type lister struct {
	*problems
	name  string
	data  []byte
	src   *diag.Source // made for the first wrong line
	wrong int
}

func (l *lister) read() []time.Duration {
	rest := bytes.TrimPrefix(l.data, []byte("\ufeff"))
	after := make([]time.Duration, 0, bytes.Count(rest, []byte("\n"))+1)
	first := true
	for n := 1; len(rest) > 0 && l.wrong < maxWrongLines; n++ {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		text := bytes.TrimSpace(line)
		if len(text) == 0 {
			continue
		}
		at, ok := instant(text)
		switch heading := first && !bytes.ContainsAny(text[:1], "0123456789.+-"); {
		case ok:
			after = append(after, at)
		case !heading:
			l.refuse(n, line, string(text))
		}
		first = false
	}
	return after
}

// instant reads seconds such as 12 or 12.345, up to clock.Longest.
func instant(text []byte) (time.Duration, bool) {
	const mostDigits, mostDecimals = 10, 9
	whole, fraction, point := bytes.Cut(text, []byte("."))
	if len(whole) == 0 || len(whole) > mostDigits || len(fraction) > mostDecimals || point && len(fraction) == 0 {
		return 0, false
	}
	seconds, right := digitsOf(whole)
	parts, also := digitsOf(fraction)
	for range mostDecimals - len(fraction) {
		parts *= 10
	}
	return time.Duration(seconds)*time.Second + time.Duration(parts), right && also && seconds < int64(clock.Longest/time.Second)
}

// digitsOf returns the number that at most ten digits write.
func digitsOf(text []byte) (int64, bool) {
	n := int64(0)
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	return n, true
}

// refuse reports a line that is no instant.
func (l *lister) refuse(n int, line []byte, text string) {
	l.wrong++
	if l.src == nil {
		l.src = diag.NewSource(l.name, l.data)
	}
	before := line[:bytes.Index(line, []byte(text))]
	at := &node{pos: diag.Pos{Source: l.src, Line: n, Col: 1 + utf8.RuneCount(before)}, length: min(underlined, utf8.RuneCountInString(text))}
	label := ""
	switch {
	case strings.HasPrefix(text, "-"):
		label = "nothing arrives before the start"
	case strings.ContainsAny(text, ",;\t"):
		label = "one instant a line, and nothing else"
	}
	l.fail(at, units.Quote(text)+" is not an instant", label, "write seconds with up to nine decimals, such as `12.5`")
	if l.wrong == maxWrongLines {
		l.conflict(at, fmt.Sprintf("%d lines of this file are wrong: it is read no further", l.wrong))
	}
}
