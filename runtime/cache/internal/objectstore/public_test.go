package objectstore

import (
	"fmt"
	"runtime"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// tombstone and incomplete are the public types of the stores in tests.
type tombstone struct {
	key  string
	last any
}

type incomplete struct {
	index   string
	missing int
	name    delta.Name
	err     error
}

func (e *incomplete) Error() string { return fmt.Sprintf("index %s: %v", e.index, e.err) }

// options returns the options of a store of objects with metadata.
func options() Options {
	return Options{
		Name: func(obj any) (delta.Name, error) {
			m := delta.MetadataOf(obj)
			if m == nil {
				return delta.Name{}, fmt.Errorf("no name for %T", obj)
			}
			return delta.NameOf(m), nil
		},
		PublicTypes: PublicTypes{
			Tombstone: func(key string, last any) any { return tombstone{key, last} },
			Incomplete: func(index string, missing int, name delta.Name, err error) error {
				return &incomplete{index, missing, name, err}
			},
		},
	}
}

// byNamespace is an index whose function need not be called.
var byNamespace = Index{Name: "namespace", ByNamespace: true, Func: func(obj any) ([]string, error) {
	return []string{obj.(metav1.Object).GetNamespace()}, nil
}}

// collectGarbage collects garbage until done returns true, and reports whether that happened.
func collectGarbage(done func() bool) bool {
	for range 100 {
		runtime.GC()
		if done() {
			return true
		}
		runtime.Gosched()
	}
	return false
}
