// Package plots draws pictures of a result, and of nothing else: the same result gives the same pictures, whether it has just been
// computed or was read back from a file.
package plots

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"herdsim/sim/result"
)

// Bounds on what one call draws. A picture that would break one is refused with an error that says what to lower.
const (
	maxCases    = 64
	maxPolicies = 24
)

// Options choose what Render draws.
type Options struct {
	Format   string   // png or svg
	Pictures []string // ids out of Names; empty: all of them
}

// A Picture is one finished file.
type Picture struct {
	Name string // file name: [a-z0-9._-] only, unique within one call of Render
	Data []byte
}

// A kind is one sort of picture: its id and the function that lays it out.
type kind struct {
	id      string
	compose func(*scene) (*sheet, error)
}

func kinds() []kind {
	return []kind{
		{"arrivals", arrivals},
		{"rounds", rounds},
		{"attempts", attempts},
		{"dead", dead},
	}
}

// Names lists the ids that Options.Pictures accepts, in the order in which Render draws them.
func Names() []string {
	var ids []string
	for _, k := range kinds() {
		ids = append(ids, k.id)
	}
	return ids
}

// Render draws the pictures that o asks for, one set per case of r. It fails on an unknown picture or format, on a result with
// more cases or policies than it draws, and on one whose numbers no run can have produced.
func Render(r *result.Result, o Options) ([]Picture, error) {
	if !slices.Contains(formats(), o.Format) {
		return nil, fmt.Errorf("unknown picture format %q: allowed are %s", o.Format, strings.Join(formats(), ", "))
	}
	chosen, err := choose(o.Pictures)
	if err != nil {
		return nil, err
	}
	if err := drawableCases(len(r.Cases)); err != nil {
		return nil, err
	}
	var pictures []Picture
	names := fileNames(r.Cases)
	for i := range r.Cases {
		drawn, err := renderCase(r, &r.Cases[i], chosen, o.Format)
		if err != nil {
			return nil, inCase(r, i, err)
		}
		for k, data := range drawn {
			pictures = append(pictures, Picture{chosen[k].id + names[i] + "." + o.Format, data})
		}
	}
	return pictures, nil
}

// Drawable reports, before anything is run, what Render would say of a result with so many cases, and at most so many
// policies in each: an error that says what to lower, or nil.
func Drawable(cases, policies int) error {
	if err := drawableCases(cases); err != nil {
		return err
	}
	return drawablePolicies(policies)
}

func drawableCases(n int) error {
	switch {
	case n == 0:
		return errors.New("the result has no case to draw")
	case n > maxCases:
		return fmt.Errorf("%d cases are too many to draw (at most %d): give some paths of the matrix a single value", n, maxCases)
	}
	return nil
}

func drawablePolicies(n int) error {
	switch {
	case n == 0:
		return errors.New("there is no policy to draw")
	case n > maxPolicies:
		return fmt.Errorf("%d policies are too many for one picture (at most %d): choose some with --policy", n, maxPolicies)
	}
	return nil
}

func choose(ids []string) ([]kind, error) {
	for _, id := range ids {
		if !slices.Contains(Names(), id) {
			return nil, fmt.Errorf("unknown picture %q: allowed are %s", id, strings.Join(Names(), ", "))
		}
	}
	chosen := kinds()
	if len(ids) > 0 {
		chosen = slices.DeleteFunc(chosen, func(k kind) bool { return !slices.Contains(ids, k.id) })
	}
	return chosen, nil
}

func renderCase(r *result.Result, c *result.Case, chosen []kind, format string) ([][]byte, error) {
	s, err := newScene(r, c)
	if err != nil {
		return nil, err
	}
	var files [][]byte
	for _, k := range chosen {
		sh, err := k.compose(s)
		if err != nil {
			return nil, fmt.Errorf("picture %s: %w", k.id, err)
		}
		data, err := sh.encode(format)
		if err != nil {
			return nil, fmt.Errorf("picture %s: %w", k.id, err)
		}
		files = append(files, data)
	}
	return files, nil
}

func inCase(r *result.Result, i int, err error) error {
	if len(r.Cases) == 1 {
		return err
	}
	return fmt.Errorf("case %d of %d: %w", i+1, len(r.Cases), err)
}
