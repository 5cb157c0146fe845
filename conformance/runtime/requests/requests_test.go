package requests

import (
	"errors"
	"flag"
	"sync"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/conformance/runtime/requests/transcript"
)

var (
	all   = flag.Bool("all", false, "drive all cases of testdata/apis, not only those that differ at run time")
	shown = flag.Int("shown", 10, "print at most so many differences for an input")
)

// TestRequests prepares the inputs one after the other, builds all programs of a side at once, and then runs them.
func TestRequests(t *testing.T) {
	inputs, err := Cases(*all)
	if err != nil {
		t.Fatal(err)
	}
	inputs = append(inputs, Kubernetes(), Builtin())
	unlock, err := Lock()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(unlock)
	upstream := NewSide(t, "upstream", peers.Upstream(t), ClientGo)
	var ours []Side
	for _, f := range []Flavour{ClientGo, Listwatch} {
		ours = append(ours, NewSide(t, "ours-"+string(f.Name), f.tools(peers.Ours(t)), f))
	}
	sides := append([]Side{upstream}, ours...)
	prepared := make([][]Input, len(sides))
	build := sync.OnceValue(func() error {
		var errs []error
		for i, side := range sides {
			if len(prepared[i]) > 0 {
				errs = append(errs, side.Build(prepared[i]))
			}
		}
		return errors.Join(errs...)
	})

	var mu sync.Mutex // guards driven and needed
	driven, needed := 0, map[string]bool{}
	t.Cleanup(func() {
		if driven < len(inputs)*len(ours) {
			return // some were excluded by -run
		}
		for difference, ok := range needed {
			if !ok {
				t.Error(difference)
			}
		}
	})
	for _, in := range inputs {
		t.Run(in.Name, func(t *testing.T) {
			for i, side := range sides {
				if in.fits(side.Flavour) || i == 0 {
					side.Prepare(t, in)
					prepared[i] = append(prepared[i], in)
				}
			}
			t.Parallel() // when all are prepared, it goes on
			if err := build(); err != nil {
				t.Fatal(err)
			}
			want := upstream.Transcript(t, in)
			for _, our := range ours {
				if !in.fits(our.Flavour) {
					mu.Lock()
					driven++
					mu.Unlock()
					continue
				}
				t.Run(string(our.Flavour.Name), func(t *testing.T) {
					got := our.Transcript(t, in)
					t.Logf("%d calls", len(want))
					plausible(t, in, our.Flavour, got)
					calls := byName(t, got)
					expect(t, in.Name, calls)
					if in.Name == "api-path" {
						expectAnswers(t, calls)
					}
					exceptions := exceptionsOf(in.Name, our.Flavour)
					differences, used := Compare(want, got, exceptions)
					report(t, differences)
					mu.Lock()
					defer mu.Unlock()
					for i, e := range exceptions {
						needed[e.needless().String()] = needed[e.needless().String()] || used[i]
					}
					driven++
				})
			}
		})
	}
}

func report(t *testing.T, differences []Difference) {
	t.Helper()
	for i, d := range differences {
		if i == *shown {
			t.Errorf("and %d more", len(differences)-*shown)
			break
		}
		t.Error(d)
	}
}

// byName finds calls by their names, which must differ.
func byName(t *testing.T, calls []transcript.Call) map[string]transcript.Call {
	t.Helper()
	found := map[string]transcript.Call{}
	for _, c := range calls {
		if _, ok := found[c.Name]; ok {
			t.Errorf("two calls are named %q", c.Name)
		}
		found[c.Name] = c
	}
	return found
}
