package plots

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"image"
	"image/draw"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"testing"

	"herdsim/sim/result"
)

var update = flag.Bool("update", false, "write the pictures in testdata anew")

func render(t *testing.T, r *result.Result, o Options) []Picture {
	t.Helper()
	pictures, err := Render(r, o)
	if err != nil {
		t.Fatal(err)
	}
	return pictures
}

func TestPicturesLookAsTheyDid(t *testing.T) {
	for _, format := range formats() {
		for _, p := range render(t, outageHerd(5), Options{Format: format}) {
			t.Run(p.Name, func(t *testing.T) {
				path := filepath.Join("testdata", p.Name)
				if *update {
					if err := os.WriteFile(path, p.Data, 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if format == "png" {
					comparePixels(t, p.Data, want)
				} else if !bytes.Equal(p.Data, want) {
					t.Errorf("differs from %s; if that is meant, run the test with -update", path)
				}
			})
		}
	}
}

// comparePixels allows what rounding may do to the edges of shapes on another machine, and nothing that a reader would see.
func comparePixels(t *testing.T, got, want []byte) {
	t.Helper()
	a, b := decode(t, got), decode(t, want)
	if a.Bounds() != b.Bounds() {
		t.Fatalf("size %v, want %v", a.Bounds(), b.Bounds())
	}
	var sum, far int
	for i := range a.Pix {
		d := max(int(a.Pix[i])-int(b.Pix[i]), int(b.Pix[i])-int(a.Pix[i]))
		sum += d
		if d > 60 {
			far++
		}
	}
	if mean := float64(sum) / float64(len(a.Pix)); mean > 0.05 || far > len(a.Pix)/20_000 {
		t.Errorf("channels differ by %.3f of 255 on average, %d of %d by much; if that is meant, run the test with -update", mean, far, len(a.Pix))
	}
}

func decode(t *testing.T, data []byte) *image.RGBA {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	plain := image.NewRGBA(m.Bounds())
	draw.Draw(plain, plain.Bounds(), m, image.Point{}, draw.Src)
	return plain
}

func TestSameResultGivesSameBytes(t *testing.T) {
	for _, format := range formats() {
		first := render(t, outageHerd(2), Options{Format: format})
		second := render(t, outageHerd(2), Options{Format: format})
		for i, p := range first {
			if !bytes.Equal(p.Data, second[i].Data) {
				t.Errorf("%s differs when drawn twice", p.Name)
			}
		}
	}
}

func TestPNGIsDrawnAtTwiceItsSize(t *testing.T) {
	for _, p := range render(t, outageHerd(1), Options{Format: "png"}) {
		if w := decode(t, p.Data).Bounds().Dx(); w != 2*960 {
			t.Errorf("%s is %d pixels wide, want %d", p.Name, w, 2*960)
		}
	}
}

func TestSVGIsWellFormed(t *testing.T) {
	r := outageHerd(1)
	r.Scenario.Name = `<script>alert("&")</script>`
	r.Cases[0].Workload = "]]> <text & \x01 'quotes'"
	withPolicies(7, foreign)(&r.Cases[0])
	for _, p := range render(t, r, Options{Format: "svg"}) {
		d := xml.NewDecoder(bytes.NewReader(p.Data))
		texts := 0
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", p.Name, err)
			}
			if e, ok := token.(xml.StartElement); ok {
				if e.Name.Local == "text" {
					texts++
				}
				if e.Name.Local == "script" {
					t.Errorf("%s: the scenario's name became an element", p.Name)
				}
			}
		}
		if texts < 20 {
			t.Errorf("%s holds %d texts", p.Name, texts)
		}
	}
}
