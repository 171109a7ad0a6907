package plots

import (
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
	"herdsim/sim/result"
)

// sized gives a recorder the size that a sheet asks for.
type sized struct {
	recorder.Canvas
	w, h vg.Length
}

func (s *sized) Size() (w, h vg.Length) { return s.w, s.h }

func drawnLabels(s *sheet) (labels []label, w, h vg.Length) {
	w, h = s.size()
	p := &pen{CanvasSizer: &sized{w: w, h: h}}
	s.draw(p)
	return p.labels, w, h
}

func TestNoLabelOverlapsAnotherOrLeavesTheSheet(t *testing.T) {
	for _, v := range variants() {
		for _, k := range kinds() {
			t.Run(v.name+"/"+k.id, func(t *testing.T) {
				scene, err := newScene(v.result, &v.result.Cases[0])
				if err != nil {
					t.Fatal(err)
				}
				sheet, err := k.compose(scene)
				if err != nil {
					t.Fatal(err)
				}
				labels, w, h := drawnLabels(sheet)
				if len(labels) < 5 {
					t.Fatalf("only %d labels", len(labels))
				}
				checkLabels(t, labels, w, h)
			})
		}
	}
}

func checkLabels(t *testing.T, labels []label, w, h vg.Length) {
	t.Helper()
	for i, a := range labels {
		if a.box.Min.X < 0 || a.box.Min.Y < 0 || a.box.Max.X > w || a.box.Max.Y > h {
			t.Errorf("%q at %v leaves the sheet of %v by %v", a.text, a.box, w, h)
		}
		for _, b := range labels[i+1:] {
			if overlap(a.box, b.box) {
				t.Errorf("%q at %v overlaps %q at %v", a.text, a.box, b.text, b.box)
			}
		}
	}
}

func TestPeakLabelStaysClearOfBarsAndCapacity(t *testing.T) {
	for _, height := range []int64{0, 20, 35, 45, 49, 50, 51, 60, 1000} {
		v := change("", forTracks(func(_ int, s *result.Series) { s.Retries.First[70] = height }))
		c := &v.result.Cases[0]
		for i := range c.Policies { // nothing else after the outage
			after := c.Policies[i].Series.Retries.First[60:]
			clear(after)
			after[10] = height
		}
		s, err := newScene(v.result, c)
		if err != nil {
			t.Fatal(err)
		}
		sheet, err := arrivals(s)
		if err != nil {
			t.Fatal(err)
		}
		labels, w, h := drawnLabels(sheet)
		peaks := 0
		for _, area := range sheet.align(draw.New(&sized{w: w, h: h})) {
			p := sheet.panels[0].plot
			data := p.DataCanvas(area[0])
			for _, l := range labels {
				if !strings.Contains(l.text, "/s at 70s") || !data.Contains(l.box.Min) {
					continue
				}
				peaks++
				if line := data.Y(p.Y.Norm(s.capacity)); l.box.Min.Y < line && line < l.box.Max.Y {
					t.Errorf("%q is crossed by the capacity's line", l.text)
				}
				if bar := data.Y(p.Y.Norm(float64(height))); l.box.Min.Y < bar-px && l.box.Min.X < data.X(p.X.Norm(71)) {
					t.Errorf("%q lies over its bar", l.text)
				}
			}
		}
		if want := len(sheet.panels); height > 0 && peaks != want || height == 0 && peaks != 0 {
			t.Errorf("%d peaks of %d are labelled in %d panels", peaks, height, want)
		}
	}
}

func TestTimeAxisEndsWithTheRetries(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*result.Case)
		want   float64
	}{
		{"herd", func(*result.Case) {}, 250},
		{"outage that outlasts all retries", func(c *result.Case) { n := number("5000"); c.Outages[0].End = &n }, 300},
		{"outage that ends soon after", func(c *result.Case) { n := number("260"); c.Outages[0].End = &n }, 260},
		{"no retries", forTracks(func(_ int, s *result.Series) { s.Retries = result.Track{First: []int64{0, 0}} }), 60},
		{"calls alone", func(c *result.Case) {
			c.Outages = nil
			forTracks(func(_ int, s *result.Series) {
				s.Retries, s.Calls = result.Track{}, result.Track{First: []int64{4, 0, 4, 0}}
			})(c)
		}, 3},
		{"nothing", func(c *result.Case) {
			c.Outages = nil
			forTracks(func(_ int, s *result.Series) { s.Retries = result.Track{} })(c)
		}, 1},
	} {
		v := change(tc.name, tc.change)
		s, err := newScene(v.result, &v.result.Cases[0])
		if err != nil {
			t.Fatal(err)
		}
		tracks, err := s.retryTracks()
		if err != nil {
			t.Fatal(err)
		}
		if got := s.lastInstant(tracks); got != tc.want {
			t.Errorf("%s: the axis ends at %v, want %v", tc.name, got, tc.want)
		}
	}
}

// Labels that differ in the middle alone are told apart by the number of their policy, in the strips and in the title.
func TestShortenedLabelsStayDifferent(t *testing.T) {
	middle := func(i int) string {
		return strings.Repeat("a long beginning ", 5) + string(rune('a'+i)) + strings.Repeat(" and a long end", 5)
	}
	r := outageHerd(1)
	withPolicies(8, middle)(&r.Cases[0])
	s, err := newScene(r, &r.Cases[0])
	if err != nil {
		t.Fatal(err)
	}
	sheet, err := arrivals(s)
	if err != nil {
		t.Fatal(err)
	}
	labels, _, _ := drawnLabels(sheet)
	seen := map[string]bool{}
	for _, l := range labels {
		if strings.HasPrefix(l.text, "a long beginning") {
			if seen[l.text] {
				t.Errorf("two panels are called %q", l.text)
			}
			seen[l.text] = true
		}
	}
	if len(seen) != 8 {
		t.Errorf("%d labels of 8 panels", len(seen))
	}
	low, rest, found := strings.Cut(strings.TrimPrefix(sheet.title, "Retries per second: "), " peaks at ")
	if _, high, ok := strings.Cut(rest, ", "); !found || !ok || !strings.HasSuffix(low, " 3") || !strings.Contains(high, " 1 at 1034/s") {
		t.Errorf("title %q does not number its policies", sheet.title)
	}
	short := fitAll(plain(10*px, ink), []string{"ab", "ab", "abc"}, func(i int) (vg.Length, int) { return 100 * px, i })
	if strings.Join(short, " ") != "ab ab abc" {
		t.Errorf("labels that fit became %q", short)
	}
}
