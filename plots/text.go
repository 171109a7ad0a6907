package plots

import (
	"image/color"
	"sort"
	"strconv"
	"strings"
	"unicode"

	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// px is a pixel of a screen that is not magnified; PNG files have two dots to it.
const px = vg.Inch / 96

// maxRunes is more than any label can show; longer text is cut before it is measured.
const maxRunes = 400

func plain(size vg.Length, c color.Color) text.Style {
	return text.Style{
		Color:   c,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		Handler: plot.DefaultTextHandler,
	}
}

func bold(size vg.Length, c color.Color) text.Style {
	s := plain(size, c)
	s.Font.Weight = xfont.WeightBold
	return s
}

// put writes txt with its baseline starting at (x, y) and returns where it ends.
func put(c draw.Canvas, s text.Style, x, y vg.Length, txt string) vg.Length {
	if txt == "" {
		return x
	}
	c.SetColor(s.Color)
	c.FillString(face(s), vg.Point{X: x, Y: y}, txt)
	return x + s.Width(txt)
}

func face(s text.Style) font.Face {
	return s.Handler.Cache().Lookup(s.Font, s.Font.Size)
}

// middle returns the baseline that puts the middle of digits at y.
func middle(s text.Style, y vg.Length) vg.Length { return y - vg.Length(float64(s.Font.Size)*0.36) }

// textBox returns the area that txt covers when its baseline starts at (x, y).
func textBox(f font.Face, x, y vg.Length, txt string) vg.Rectangle {
	e := f.Extents()
	return vg.Rectangle{Min: vg.Point{X: x, Y: y - e.Descent}, Max: vg.Point{X: x + f.Width(txt), Y: y + e.Ascent}}
}

func overlap(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}

// fit shortens txt to the width, keeping its beginning and its end, which tell long names apart.
func fit(s text.Style, txt string, width vg.Length) string {
	if s.Width(txt) <= width {
		return txt
	}
	runes := []rune(txt)
	shortened := func(cut int) string {
		kept := len(runes) - cut
		head := (2*kept + 2) / 3
		tail := runes[len(runes)-kept+head:]
		return strings.TrimRight(string(runes[:head]), " ") + "…" + strings.TrimLeft(string(tail), " ")
	}
	cut := sort.Search(len(runes), func(cut int) bool { return s.Width(shortened(cut)) <= width })
	if cut == len(runes) {
		return ""
	}
	return shortened(cut)
}

// fitAll shortens texts, each to a width of its own. Different texts that become the same get their numbers behind them.
func fitAll(s text.Style, texts []string, room func(i int) (width vg.Length, number int)) []string {
	short, owner, clash := make([]string, len(texts)), map[string]string{}, map[string]bool{}
	for i, txt := range texts {
		width, _ := room(i)
		short[i] = fit(s, txt, width)
		if other, taken := owner[short[i]]; taken && other != txt {
			clash[short[i]] = true
		}
		owner[short[i]] = txt
	}
	for i, txt := range texts {
		if width, number := room(i); clash[short[i]] {
			mark := " " + strconv.Itoa(number)
			short[i] = fit(s, txt, width-s.Width(mark)) + mark
		}
	}
	return short
}

// printable returns txt on one line with a question mark for each run of characters that the font lacks, or otherwise if those are
// the greater part of it.
func printable(txt, otherwise string) string {
	var b strings.Builder
	drawn, missing, inGap := 0, 0, false
	for i, r := range []rune(strings.Join(strings.Fields(strings.ToValidUTF8(txt, "\uFFFD")), " ")) {
		switch {
		case i == maxRunes:
			return b.String()
		case r == ' ':
			b.WriteByte(' ')
			inGap = false
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Variation_Selector): // without a shape of their own
		case drawable(r):
			b.WriteRune(r)
			drawn++
			inGap = false
		default:
			if !inGap {
				b.WriteByte('?')
			}
			missing++
			inGap = true
		}
	}
	if missing >= drawn && otherwise != "" {
		return printable(otherwise, "")
	}
	return b.String()
}

// drawable tells whether both weights in use have a glyph for r.
func drawable(r rune) bool {
	var buf sfnt.Buffer
	for _, s := range []text.Style{plain(px, color.Black), bold(px, color.Black)} {
		if g, err := face(s).Face.GlyphIndex(&buf, r); err != nil || g == 0 {
			return false
		}
	}
	return true
}
