package linking_test

import (
	"slices"
	"strings"
	"testing"
)

// own is the path below which the project's packages are.
const own = "github.com/listwatch/listwatch/"

// besides are the packages that the runtime's implementation adds to those of its API.
var besides = []string{
	"container/heap",                       // delays of a work queue
	"github.com/munnerz/goautoneg",         // headers Accept that name CBOR
	"golang.org/x/sys/unix",                // x/term
	"golang.org/x/term",                    // whether a program for credentials may prompt
	"hash/fnv",                             // sharding
	"hash/maphash",                         // hash tables of cache and workqueue
	"k8s.io/apimachinery/pkg/api/equality", // whether packed objects come back
	"k8s.io/apimachinery/pkg/util/cache",   // mutation caches
}

// TestFloor checks what a controller of one custom resource links beyond the packages that its API types and the API
// of the runtime name, which client-go's controller links as well.
func TestFloor(t *testing.T) {
	floor, ours, theirs := build(t, "floor"), build(t, "controller/listwatch"), build(t, "controller/clientgo")
	for _, p := range floor.packages {
		if p == base+"floor" {
			continue
		}
		for _, program := range []program{ours, theirs} {
			if !slices.Contains(program.packages, p) {
				t.Errorf("%s does not link %s, which the floor contains", program.name, p)
			}
		}
	}
	var found []string
	count := map[string]int{}
	for _, p := range ours.packages {
		switch {
		case slices.Contains(floor.packages, p):
			count["floor"]++
		case strings.HasPrefix(p, own+"runtime/"):
			count["runtime"]++
		case strings.HasPrefix(p, own):
			count["program and generated"]++
		default:
			found = append(found, p)
		}
	}
	slices.Sort(found)
	if !slices.Equal(found, besides) {
		t.Errorf("besides the floor and the project's packages, the controller links\n%q, want\n%q", found, besides)
	}
	t.Logf("%d packages: %v, others %d; client-go's %d; %.1f MB of %.1f MB are the floor's", len(ours.packages), count, len(found),
		len(theirs.packages), float64(floor.size)/1e6, float64(ours.size)/1e6)
}
