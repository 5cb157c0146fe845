package cache

import (
	"fmt"
	"slices"

	"k8s.io/klog/v2"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// objectIndex is an index of a store: by value, where the objects are that have it.
type objectIndex struct {
	name      string
	f         IndexFunc
	namespace bool // f is MetaNamespaceIndexFunc
	buckets   map[string]*bucket
	failed    map[*cell]error // the objects that are left out, nil if none is
	example   *cell           // one of these
}

// bucket is what has one value in an index.
type bucket struct {
	index   *objectIndex
	value   string
	members []uint32  // positions of cells; never empty while it is in index.buckets
	few     [4]uint32 // backs members while that is enough
}

// ref says where a cell is in a bucket: bucket.members[at] is the cell's position.
type ref struct {
	bucket *bucket
	at     uint32
}

// indexed is what an index function gave for an object.
type indexed struct {
	values []string
	err    error
}

func newObjectIndex(name string, f IndexFunc) *objectIndex {
	return &objectIndex{name: name, f: f, namespace: isNamespaceIndexFunc(f), buckets: map[string]*bucket{}}
}

// compute calls the index function. A nil object has no values. It appends to arena what
// would be allocated otherwise.
func (x *objectIndex) compute(object any, arena *[]string) indexed {
	if object == nil {
		return indexed{}
	}
	if x.namespace {
		if accessor, ok := object.(metav1.Object); ok {
			n := len(*arena)
			*arena = append(*arena, accessor.GetNamespace())
			return indexed{values: (*arena)[n : n+1 : n+1]}
		}
	}
	return callIndexFunc(x.f, object)
}

func callIndexFunc(f IndexFunc, object any) (result indexed) {
	defer func() {
		if r := recover(); r != nil {
			result = indexed{err: fmt.Errorf("index function panicked: %v", r)}
		}
	}()
	values, err := f(object)
	if err != nil {
		return indexed{err: err}
	}
	return indexed{values: values}
}

// record notes that the index function failed for a cell's object, or with a nil error
// that it did not. Of many failures only the first is logged; the state has all.
func (x *objectIndex) record(c *cell, err error) {
	switch {
	case err == nil && x.failed == nil:
	case err == nil:
		if delete(x.failed, c); len(x.failed) == 0 {
			x.failed, x.example = nil, nil
		}
		if c == x.example {
			for x.example = range x.failed {
				break
			}
		}
	default:
		if x.failed == nil {
			x.failed = map[*cell]error{}
			x.example = c
			klog.Background().Error(err, "Left an object out of an index", "index", x.name, "object", c.key)
		}
		x.failed[c] = err
	}
}

// incomplete returns an [IncompleteIndexError] if objects are left out.
func (x *objectIndex) incomplete() error {
	if x.failed == nil {
		return nil
	}
	return &IncompleteIndexError{Index: x.name, Missing: len(x.failed), Name: nameOfKey(x.example.key), Err: x.failed[x.example]}
}

// having returns the positions of what has one of the values, each once. The slice must not
// be written to.
func (x *objectIndex) having(values []string) []uint32 {
	if len(values) == 1 {
		if b := x.buckets[values[0]]; b != nil {
			return b.members
		}
		return nil
	}
	var positions []uint32
	for _, value := range values {
		if b := x.buckets[value]; b != nil {
			positions = append(positions, b.members...)
		}
	}
	slices.Sort(positions)
	return slices.Compact(positions)
}

// link puts a cell into the bucket of a value and returns where it is.
func (x *objectIndex) link(c *cell, value string) ref {
	b := x.buckets[value]
	if b == nil {
		b = &bucket{index: x, value: value}
		b.members = b.few[:0]
		x.buckets[value] = b
	}
	b.members = append(b.members, c.pos)
	return ref{bucket: b, at: uint32(len(b.members) - 1)}
}

// unlink takes what r refers to out of its bucket. The bucket's last member takes its
// place; cells are those of the store.
func (r ref) unlink(cells []*cell) {
	b := r.bucket
	last := len(b.members) - 1
	if moved := b.members[last]; int(r.at) != last {
		b.members[r.at] = moved
		refs := cells[moved].refs
		refs[slices.IndexFunc(refs, func(r ref) bool { return r.bucket == b })].at = r.at
	}
	b.members = shrink(b.members[:last])
	if last == 0 {
		delete(b.index.buckets, b.value)
	}
}

// holds says whether refs are exactly those of values.
func holds(refs []ref, values []string) bool {
	if len(refs) != len(values) {
		return false
	}
	for i := range refs {
		if refs[i].bucket.value != values[i] {
			return false
		}
	}
	return true
}

// shrink returns s in less memory where it is long for what is in it.
func shrink[T any](s []T) []T {
	if cap(s) >= 64 && len(s) < cap(s)/4 {
		return append(make([]T, 0, 2*len(s)), s...)
	}
	return s
}
