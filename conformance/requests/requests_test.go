package requests

import (
	"flag"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/conformance/requests/transcript"
)

var all = flag.Bool("all", false, "drive all cases of testdata/apis, not only those that differ at run time")

// shown is how many differences are printed for an input.
const shown = 10

func TestRequests(t *testing.T) {
	inputs, err := Cases(*all)
	if err != nil {
		t.Fatal(err)
	}
	inputs = append(inputs, Kubernetes())
	upstream := NewSide(t, "upstream", peers.Upstream(t), ClientGo)
	ours := NewSide(t, "ours", peers.Ours(t), ClientGo)
	for _, in := range inputs {
		t.Run(in.Name, func(t *testing.T) {
			want := upstream.Transcript(t, in)
			got := ours.Transcript(t, in)
			t.Logf("%d calls", len(want))
			plausible(t, in, got)
			expect(t, in.Name, byName(t, got))
			differences := Compare(want, got, exceptionsOf(in.Name))
			for i, d := range differences {
				if i == shown {
					t.Errorf("and %d more", len(differences)-shown)
					break
				}
				t.Error(d)
			}
		})
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
