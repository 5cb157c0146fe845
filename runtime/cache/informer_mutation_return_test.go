package cache

import (
	"math"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// An object that leaves the store and returns, which transforms can cause, is watched like any
// other.
func TestMutationOfWhatComesBackIsFound(t *testing.T) {
	var found []Mutation
	d := newMutationDetector("boats", func(m Mutation) { found = append(found, m) })
	first := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
	second := first.DeepCopy()
	d.observe([]delta.Delta{
		{Kind: delta.Set, Object: first},
		{Kind: delta.Set, Object: second, Old: first},
		{Kind: delta.Set, Object: first, Old: second},
	})
	for range mutationGrace + 2 {
		d.checkAll(math.MaxInt64)
	}
	first.Labels, second.Labels = map[string]string{"color": "red"}, map[string]string{"color": "blue"}
	d.checkAll(math.MaxInt64)
	if len(found) != 1 || found[0].Object != first {
		t.Errorf("found %v, want only the one that returned", found)
	}
}
