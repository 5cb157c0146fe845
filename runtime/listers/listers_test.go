package listers_test

import (
	"slices"
	"testing"

	"go.uber.org/goleak"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	_ "github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/listers"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type object = metav1.PartialObjectMetadata

func newIndexer(t *testing.T, names ...cache.ObjectName) cache.Indexer {
	t.Helper()
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	for _, n := range names {
		obj := &object{ObjectMeta: metav1.ObjectMeta{Namespace: n.Namespace, Name: n.Name, Labels: map[string]string{"name": n.Name}}}
		if err := indexer.Add(obj); err != nil {
			t.Fatal(err)
		}
	}
	return indexer
}

// foreign hides the type of an indexer.
type foreign struct{ cache.Indexer }

func TestResourceIndexer(t *testing.T) {
	indexer := newIndexer(t, cache.NewObjectName("a", "x"), cache.NewObjectName("a", "y"), cache.NewObjectName("b", "x"), cache.NewObjectName("", "x"))
	named, err := labels.Parse("name=x")
	if err != nil {
		t.Fatal(err)
	}
	for kind, indexer := range map[string]cache.Indexer{"ours": indexer, "foreign": foreign{indexer}} {
		all := listers.New[*object](indexer, schema.GroupResource{Group: "g", Resource: "things"})
		inA := listers.NewNamespaced(all, "a")
		for _, tt := range []struct {
			name     string
			lister   listers.ResourceIndexer[*object]
			selector labels.Selector
			want     []string
		}{
			{"all", all, labels.Everything(), []string{"a/x", "a/y", "b/x", "x"}},
			{"all selected", all, named, []string{"a/x", "b/x", "x"}},
			{"namespace", inA, labels.Everything(), []string{"a/x", "a/y"}},
			{"namespace selected", inA, named, []string{"a/x"}},
			{"nothing", inA, labels.Nothing(), nil},
			{"no such namespace", listers.NewNamespaced(all, "c"), labels.Everything(), nil},
		} {
			list, err := tt.lister.List(tt.selector)
			var got []string
			for _, obj := range list {
				got = append(got, cache.MetaObjectToName(obj).String())
			}
			slices.Sort(got)
			if err != nil || !slices.Equal(got, tt.want) || len(tt.want) == 0 && list != nil {
				t.Errorf("%s: %s: got %v, %v", kind, tt.name, got, err)
			}
		}
		for _, tt := range []struct {
			name, get, want string
			lister          listers.ResourceIndexer[*object]
		}{
			{"namespaced", "y", "a/y", inA},
			{"cluster scope", "x", "x", all},
			{"by key", "b/x", "b/x", all},
			{"other namespace", "z", "", inA},
			{"no namespace", "y", "", all},
		} {
			obj, err := tt.lister.Get(tt.get)
			switch {
			case tt.want == "":
				if obj != nil || !errors.IsNotFound(err) || err.Error() != `things.g "`+tt.get+`" not found` {
					t.Errorf("%s: %s: got %v, %v", kind, tt.name, obj, err)
				}
			case err != nil || cache.MetaObjectToName(obj).String() != tt.want:
				t.Errorf("%s: %s: got %v, %v", kind, tt.name, obj, err)
			}
		}
	}
}

func TestGetAllocatesNothing(t *testing.T) {
	lister := listers.NewNamespaced(listers.New[*object](newIndexer(t, cache.NewObjectName("a", "x")), schema.GroupResource{}), "a")
	if got := testing.AllocsPerRun(100, func() { _, _ = lister.Get("x") }); got != 0 {
		t.Errorf("%v allocations", got)
	}
}

func TestOtherType(t *testing.T) {
	lister := listers.New[*metav1.Status](newIndexer(t, cache.NewObjectName("a", "x")), schema.GroupResource{})
	if list, err := lister.List(labels.Everything()); list != nil || err == nil {
		t.Errorf("got %v, %v", list, err)
	}
	if obj, err := lister.Get("a/x"); obj != nil || err == nil || errors.IsNotFound(err) {
		t.Errorf("got %v, %v", obj, err)
	}
}
