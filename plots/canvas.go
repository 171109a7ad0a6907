package plots

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

func formats() []string { return []string{"png", "svg"} }

// dpi gives two dots per pixel, for sharp screens.
const dpi = 2 * 96

// A pen draws on a canvas with every coordinate rounded, so that machines whose floating-point units differ in the last bit write the
// same file. It also keeps the box of every text.
type pen struct {
	vg.CanvasSizer
	labels []label
}

type label struct {
	text string
	box  vg.Rectangle
}

// grid is the distance between coordinates, in points. Its origin is off by a little so that no coordinate that layouts tend to
// have, a multiple of a half or of a tenth, lies on the border between two roundings.
const (
	grid   = 1.0 / 64
	offset = 0.0013
)

func round(x vg.Length) vg.Length {
	return vg.Length(math.Floor((float64(x)+offset)/grid+0.5) * grid)
}

func roundPoint(p vg.Point) vg.Point { return vg.Point{X: round(p.X), Y: round(p.Y)} }

func roundPath(p vg.Path) vg.Path {
	out := make(vg.Path, len(p))
	for i, c := range p {
		c.Pos = roundPoint(c.Pos)
		out[i] = c
	}
	return out
}

func (p *pen) Stroke(path vg.Path) { p.CanvasSizer.Stroke(roundPath(path)) }

func (p *pen) Fill(path vg.Path) { p.CanvasSizer.Fill(roundPath(path)) }

func (p *pen) FillString(f font.Face, at vg.Point, txt string) {
	at = roundPoint(at)
	p.labels = append(p.labels, label{txt, textBox(f, at.X, at.Y, txt)})
	p.CanvasSizer.FillString(f, at, txt)
}

// encode draws the sheet as a file of the format.
func (s *sheet) encode(format string) ([]byte, error) {
	w, h := s.size()
	var file bytes.Buffer
	switch format {
	case "png":
		c := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi))
		s.draw(&pen{CanvasSizer: c})
		return written(vgimg.PngCanvas{Canvas: c}, &file)
	case "svg":
		c := vgsvg.New(w, h)
		p := &pen{CanvasSizer: c}
		s.draw(p)
		data, err := written(c, &file)
		return withFallback(data, p.labels), err
	}
	panic(fmt.Sprintf("plots: format %q got past the check", format))
}

func written(from io.WriterTo, file *bytes.Buffer) ([]byte, error) {
	if _, err := from.WriteTo(file); err != nil {
		return nil, err
	}
	return file.Bytes(), nil
}

// withFallback makes an SVG file look the same on machines without Liberation Sans: it names fonts of the same metrics and gives
// each text, in the order of labels, its width, to which a viewer stretches whatever font it finds.
func withFallback(svg []byte, labels []label) []byte {
	svg = bytes.ReplaceAll(svg, []byte("font-family:Liberation Sans;"), []byte("font-family:Liberation Sans,Arimo,Arial,Helvetica,sans-serif;"))
	const element = "<text "
	parts := bytes.Split(svg, []byte(element))
	if len(parts) != len(labels)+1 {
		panic(fmt.Sprintf("plots: %d texts drawn, %d written", len(labels), len(parts)-1))
	}
	out := parts[0]
	for i, l := range labels {
		width := round(l.box.Max.X - l.box.Min.X).Points()
		out = fmt.Appendf(out, "%stextLength=\"%.5g\" lengthAdjust=\"spacingAndGlyphs\" ", element, width)
		out = append(out, parts[i+1]...)
	}
	return out
}
