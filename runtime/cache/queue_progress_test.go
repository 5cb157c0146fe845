package cache

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// allAt returns a function that reports whether all sources are at rv.
func allAt(rv string) func([]string) bool {
	return func(applied []string) bool {
		return !slices.ContainsFunc(applied, func(at string) bool { return !reached(at, rv) })
	}
}

func TestProgressWait(t *testing.T) {
	at := func(source uint16, rv string) []delta.Delta { return []delta.Delta{{Source: source, RV: rv}} }
	cases := map[string]struct {
		sources int
		done    [][]delta.Delta
		rv      string
		then    []delta.Delta
		reached bool
	}{
		"there already":               {1, [][]delta.Delta{at(0, "7")}, "7", nil, true},
		"beyond":                      {1, [][]delta.Delta{at(0, "10")}, "9", nil, true},
		"not yet":                     {1, [][]delta.Delta{at(0, "9")}, "10", nil, false},
		"nothing applied":             {1, nil, "1", nil, false},
		"then reached":                {1, nil, "5", at(0, "5"), true},
		"then passed":                 {1, [][]delta.Delta{at(0, "4")}, "5", at(0, "12"), true},
		"then not":                    {1, [][]delta.Delta{at(0, "4")}, "12", at(0, "5"), false},
		"a change without version":    {1, [][]delta.Delta{at(0, "4"), at(0, "")}, "4", nil, true},
		"one of two sources":          {2, [][]delta.Delta{at(1, "5")}, "5", nil, false},
		"both sources":                {2, [][]delta.Delta{at(1, "5")}, "5", at(0, "6"), true},
		"several changes at once":     {2, nil, "5", []delta.Delta{{Source: 0, RV: "4"}, {Source: 1, RV: "5"}, {Source: 0, RV: "6"}}, true},
		"versions longer than uint64": {1, [][]delta.Delta{at(0, "99999999999999999999999")}, "99999999999999999999998", nil, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newProgress(c.sources)
				for _, changes := range c.done {
					p.advance(changes)
				}
				enough := errors.New("enough")
				ctx, cancel := context.WithCancelCause(t.Context())
				result := make(chan error, 1)
				go func() { result <- p.wait(ctx, allAt(c.rv)) }()
				synctest.Wait()
				if c.then != nil {
					if len(result) > 0 {
						t.Error("did not wait")
					}
					p.advance(c.then)
					synctest.Wait()
				}
				cancel(enough)
				err := <-result
				if c.reached && err != nil || !c.reached && !errors.Is(err, enough) {
					t.Errorf("wait: %v, reached should be %t", err, c.reached)
				}
			})
		})
	}
}

func TestProgressWaitEndsWhenStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newProgress(1)
		result := make(chan error, 1)
		go func() { result <- p.wait(t.Context(), allAt("5")) }()
		synctest.Wait()
		p.stop()
		if err := <-result; !errors.Is(err, errStopped) {
			t.Errorf("wait: %v, want %v", err, errStopped)
		}
		if err := p.wait(t.Context(), allAt("5")); !errors.Is(err, errStopped) {
			t.Errorf("wait after stop: %v, want %v", err, errStopped)
		}
		p.advance([]delta.Delta{{RV: "5"}})
		if err := p.wait(t.Context(), allAt("5")); err != nil {
			t.Errorf("waiting for an applied version: %v", err)
		}
	})
}

func TestProgressOldest(t *testing.T) {
	cases := map[string]struct {
		applied []string
		want    string
	}{
		"one":                       {[]string{"5"}, "5"},
		"none yet":                  {[]string{""}, ""},
		"the smaller":               {[]string{"10", "9", "11"}, "9"},
		"not all yet":               {[]string{"10", "", "11"}, ""},
		"versions without an order": {[]string{"", "5"}, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p := newProgress(len(c.applied))
			for i, rv := range c.applied {
				p.advance([]delta.Delta{{Source: uint16(i), RV: rv}})
			}
			if got := p.oldest(); got != c.want {
				t.Errorf("oldest = %q, want %q", got, c.want)
			}
		})
	}
}
