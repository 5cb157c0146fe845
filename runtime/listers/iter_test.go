package listers_test

import (
	"errors"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/listers"
)

func sortedNames(objects []*object) []string {
	var names []string
	for _, o := range objects {
		names = append(names, cache.MetaObjectToName(o).String())
	}
	slices.Sort(names)
	return names
}

func TestAll(t *testing.T) {
	indexer := newIndexer(t, cache.NewObjectName("a", "x"), cache.NewObjectName("a", "y"), cache.NewObjectName("b", "x"))
	all := listers.New[*object](indexer, schema.GroupResource{Resource: "things"})
	x := labels.SelectorFromSet(labels.Set{"name": "x"})
	for name, tt := range map[string]struct {
		lister   listers.Lister[*object]
		selector labels.Selector
		want     []string
	}{
		"everything":    {all, labels.Everything(), []string{"a/x", "a/y", "b/x"}},
		"selected":      {all, x, []string{"a/x", "b/x"}},
		"one namespace": {all.In("a"), labels.Everything(), []string{"a/x", "a/y"}},
		"nothing":       {all.In("c"), labels.Everything(), nil},
	} {
		t.Run(name, func(t *testing.T) {
			if got := sortedNames(slices.Collect(listers.All(tt.lister, tt.selector))); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
	for range listers.All(all, labels.Everything()) {
		break
	}
}

// TestAllBesideWrites changes the indexer in the loop, which is as of its beginning.
func TestAllBesideWrites(t *testing.T) {
	indexer := newIndexer(t, cache.NewObjectName("a", "x"), cache.NewObjectName("a", "y"), cache.NewObjectName("b", "x"))
	all := listers.New[*object](indexer, schema.GroupResource{Resource: "things"})
	var names []string
	for o := range listers.All(all.In("a"), labels.Everything()) {
		names = append(names, o.Name)
		if err := indexer.Replace(nil, ""); err != nil {
			t.Fatal(err)
		}
	}
	if slices.Sort(names); !slices.Equal(names, []string{"x", "y"}) {
		t.Errorf("got %v", names)
	}
}

func TestAllPanicsOnOtherTypes(t *testing.T) {
	defer func() {
		if _, ok := recover().(error); !ok {
			t.Error("no panic with an error")
		}
	}()
	lister := listers.New[*metav1.Status](newIndexer(t, cache.NewObjectName("a", "x")), schema.GroupResource{})
	for range listers.All(lister, labels.Everything()) {
		t.Error("the loop had an element")
	}
}

// handWritten is a lister without an indexer.
type handWritten struct{ err error }

func (h handWritten) List(labels.Selector) ([]*object, error) { return nil, h.err }

func TestAllPanicsOnErrors(t *testing.T) {
	failure := errors.New("no")
	defer func() {
		if got, _ := recover().(error); !errors.Is(got, failure) {
			t.Errorf("got a panic of %v, want the lister's error", got)
		}
	}()
	for range listers.All(handWritten{failure}, labels.Everything()) {
		t.Error("the loop had an element")
	}
}

func TestByIndex(t *testing.T) {
	ours := newIndexer(t, cache.NewObjectName("a", "x"), cache.NewObjectName("a", "y"), cache.NewObjectName("b", "x"))
	byName := func(obj any) ([]string, error) { return []string{obj.(*object).Name}, nil }
	if err := ours.AddIndexers(cache.Indexers{"name": byName}); err != nil {
		t.Fatal(err)
	}
	for name, indexer := range map[string]cache.Indexer{"ours": ours, "foreign": foreign{ours}} {
		t.Run(name, func(t *testing.T) {
			all := listers.New[*object](indexer, schema.GroupResource{Resource: "things"})
			for _, tt := range []struct {
				lister listers.ResourceIndexer[*object]
				value  string
				want   []string
			}{
				{all, "x", []string{"a/x", "b/x"}},
				{all.In("a"), "x", []string{"a/x"}},
				{all.In("b"), "y", nil},
				{all, "z", nil},
			} {
				got, err := listers.ByIndex(tt.lister, "name", tt.value)
				if err != nil || !slices.Equal(sortedNames(got), tt.want) {
					t.Errorf("%s: got %v, %v, want %v", tt.value, sortedNames(got), err, tt.want)
				}
			}
			if _, err := listers.ByIndex(all.In("a"), "color", "red"); err == nil {
				t.Error("no error for an index that does not exist")
			}
		})
	}
	if _, err := listers.ByIndex(handWritten{}, "name", "x"); err == nil {
		t.Error("no error for a lister without an indexer")
	}
	if err := ours.Add(&metav1.ObjectMeta{Name: "x"}); err == nil {
		if _, err := listers.ByIndex(listers.New[*object](ours, schema.GroupResource{}), "name", "x"); err == nil {
			t.Error("no error for an object of another type")
		}
	}
}
