package random_test

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/generators/random"
)

var (
	count  = flag.Int("examples", 80, "number of random examples")
	seed   = flag.Uint64("seed", 1, "seed of the random examples")
	start  = flag.Uint64("start", 0, "number of the first example")
	slow   = flag.Bool("slow", false, "also check the output of gen-all and the messages of the analyzer, for which all dependencies are type-checked")
	shrink = flag.Int("shrink", 3, "how many of the different examples are reduced, for each comparison")
)

// difference is what differs for an example.
type difference struct {
	// kind tells differences apart, so that an example is not reduced to one with another.
	kind string
	text string
}

// comparison compares the output of generators for the examples of a module, and returns the differences by the names of
// the examples. It logs what it counts.
type comparison func(t testing.TB, m *module) map[string]difference

// comparisons are all comparisons, by their names.
var comparisons = map[string]comparison{"definitions": definitions, "clients": clients, "copies": copies, "everything": everything, "messages": messages}

// atLeisure are the comparisons that the flag slow adds.
var atLeisure = []string{"clients", "everything", "messages"}

func TestRandom(t *testing.T) {
	offline(t)
	var list []random.Example
	for i := range *count {
		list = append(list, random.New(*seed, *start+uint64(i)))
	}
	m := write(t, list)
	t.Logf("%d examples, %d compile", len(list), len(m.examples))
	for _, name := range slices.Sorted(maps.Keys(comparisons)) {
		if !*slow && slices.Contains(atLeisure, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			reduced := map[string]int{}
			diffs := comparisons[name](t, m)
			n := len(diffs)
			maps.DeleteFunc(diffs, func(_ string, d difference) bool { return isKnown(d) })
			t.Logf("%d of %d differences are known", n-len(diffs), n)
			for _, e := range m.examples {
				d, ok := diffs[e.Name]
				if !ok {
					continue
				}
				text := d.text
				if reduced[d.kind]++; reduced[d.kind] <= *shrink {
					e, text = smallest(t, e, d, comparisons[name])
					text += "\n" + print(e)
				}
				t.Errorf("-seed=%d -start=%d -examples=1: %s: %s", *seed, e.Number, d.kind, text)
			}
		})
	}
}

// print returns the files of an example.
func print(e random.Example) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(e.Files)) {
		fmt.Fprintf(&b, "-- %s/%s --\n%s", e.Name, name, e.Files[name])
	}
	return b.String()
}

// offline keeps the go command from downloading anything.
func offline(t *testing.T) {
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOWORK", "off")
}
