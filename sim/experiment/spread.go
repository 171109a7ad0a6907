package experiment

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// A RunError is the error of one unit.
type RunError struct {
	Policy      string
	Replication uint64 // from 0
	Err         error
}

func (e *RunError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the unit.
func (e *RunError) Unwrap() error { return e.Err }

// spread simulates the units on opt.Cores goroutines and returns their runs in the units' order. When units fail, the error is
// that of the first of them in order, whichever failed first in time: units before a failed one run to their end, those
// behind it are not begun.
func spread(ctx context.Context, units []unit, opt Options) ([]run, error) {
	var (
		runs    = make([]run, len(units))
		errs    = make([]error, len(units))
		next    atomic.Int64
		stopped atomic.Bool
		done    atomic.Int64
		report  sync.Mutex
		cores   sync.WaitGroup
	)
	for range min(max(opt.Cores, 1), len(units)) {
		cores.Go(func() {
			for !stopped.Load() {
				i := int(next.Add(1)) - 1
				if i >= len(units) {
					return
				}
				if runs[i], errs[i] = units[i].guarded(ctx, opt); errs[i] != nil {
					stopped.Store(true)
					return
				}
				n := int(done.Add(1))
				if opt.Progress != nil {
					report.Lock()
					opt.Progress(n, len(units))
					report.Unlock()
				}
			}
		})
	}
	cores.Wait()
	for i, err := range errs {
		if p := (*panicked)(nil); errors.As(err, &p) {
			panic(p.Error())
		}
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return nil, err
		}
		if err != nil {
			return nil, &RunError{Policy: units[i].policy.Name, Replication: units[i].replication, Err: err}
		}
	}
	return runs, ctx.Err()
}

// panicked carries a panic from a unit's goroutine to the caller's, where it can be caught.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("%v\n%s", p.value, p.stack) }

func (u unit) guarded(ctx context.Context, opt Options) (r run, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &panicked{v, debug.Stack()}
		}
	}()
	return u.simulate(ctx, opt)
}
