package main

import (
	"io"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
)

// patience is how long a run may take before its progress is shown.
const patience = time.Second

// A gate drops what is written until it is opened.
type gate struct {
	io.Writer
	open atomic.Bool
}

func (g *gate) Write(p []byte) (int, error) {
	if !g.open.Load() {
		return len(p), nil
	}
	return g.Writer.Write(p)
}

// A meter shows how much of a run is done, and an estimate of the rest.
type meter struct {
	bar   *progressbar.ProgressBar
	timer *time.Timer
}

// newMeter starts a meter of total steps. It is shown on a terminal when the run takes long, or as the flag says.
func (a *app) newMeter(e *effort, v *voice, label string, total int) *meter {
	g := &gate{Writer: a.stderr}
	m := &meter{bar: progressbar.NewOptions(total,
		progressbar.OptionSetWriter(g),
		progressbar.OptionSetDescription(label),
		progressbar.OptionShowCount(),
		progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)}
	m.bar.StartWithoutRender()
	switch {
	case e.progress == "always":
		g.open.Store(true)
		_ = m.bar.RenderBlank()
	case e.progress == "auto" && a.stderr.terminal && !v.quiet:
		m.timer = time.AfterFunc(patience, func() {
			g.open.Store(true)
			_ = m.bar.RenderBlank()
		})
	}
	return m
}

// update shows how many of all steps are done; their number may grow. What it shows is a courtesy: no failure of it matters.
func (m *meter) update(done, total int) {
	if total != m.bar.GetMax() {
		m.bar.ChangeMax(total)
	}
	_ = m.bar.Set(done)
}

// stop takes the meter off the screen.
func (m *meter) stop() {
	if m.timer != nil {
		m.timer.Stop()
	}
	_ = m.bar.Clear()
}
