package objectstore

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/cache/internal/packing"
)

// Index defines an index.
type Index struct {
	Name string
	// Func returns the values of an object. It may be called concurrently.
	Func func(obj any) ([]string, error)
	// ByNamespace promises that Func returns the namespace in an object's metadata, so that it need
	// not be called.
	ByNamespace bool
}

// Values calls the index function. A panic is returned as an error.
func (x Index) Values(object any) ([]string, error) {
	result := x.values(object)
	return result.values, result.err
}

func (x Index) values(object any) (result indexed) {
	defer func() {
		if r := recover(); r != nil {
			result = indexed{err: fmt.Errorf("index function panicked: %v", r)}
		}
	}()
	values, err := x.Func(object)
	if err != nil {
		return indexed{err: err}
	}
	return indexed{values: values}
}

// objectIndex is an index of a store: for each value, the objects that have it.
type objectIndex struct {
	Index
	buckets map[string]*bucket
	failed  map[*cell]error // the objects that are missing, nil if there are none
	example *cell           // one of them
}

// bucket contains the objects that have one value in an index.
type bucket struct {
	index   *objectIndex
	value   string
	members []uint32    // positions of cells; never empty while it is in index.buckets
	few     [3]uint32   // backs members while that is enough
	viewed  atomic.Bool // a view may share members; set by readers
}

// ref is where a cell is in a bucket: bucket.members[at] is the cell's position.
type ref struct {
	bucket *bucket
	at     uint32
}

// indexed is the result of an index function for an object.
type indexed struct {
	values []string
	err    error
}

func newObjectIndex(index Index) *objectIndex {
	return &objectIndex{Index: index, buckets: map[string]*bucket{}}
}

// compute calls the index function. A nil object has no values. Values that would otherwise be
// allocated are appended to arena.
func (x *objectIndex) compute(object any, arena *[]string) indexed {
	if object == nil {
		return indexed{}
	}
	if x.ByNamespace {
		if accessor, ok := object.(interface{ GetNamespace() string }); ok {
			n := len(*arena)
			*arena = append(*arena, accessor.GetNamespace())
			return indexed{values: (*arena)[n : n+1 : n+1]}
		}
	}
	packed, ok := object.(*packing.Object)
	if !ok {
		return x.values(object)
	}
	result := x.values(packing.Open(packed))
	own := make([]string, len(result.values))
	for i, value := range result.values {
		own[i] = strings.Clone(value) // it may be a part of the decoded object, which it would retain
	}
	result.values = own
	return result
}

// record records the error of the index function for a cell's object, nil if it succeeded. Of
// many failures only the first is logged; [Store.IndexErrors] returns all.
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
			klog.Background().Error(err, "Left an object out of an index", "index", x.Name, "object", c.key())
		}
		x.failed[c] = err
	}
}

// incomplete returns an error if objects are missing.
func (x *objectIndex) incomplete(public PublicTypes) error {
	if x.failed == nil {
		return nil
	}
	return public.Incomplete(x.Name, len(x.failed), delta.NameOfKey(x.example.key()), x.failed[x.example])
}

// having returns the positions of the objects that have one of the values, each once. The
// caller must not modify the slice.
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

// view returns the members, which will not be changed.
func (b *bucket) view() []uint32 {
	if !b.viewed.Load() {
		b.viewed.Store(true)
	}
	return b.members
}

// own copies the members if a view may share them, so that they can be changed.
func (b *bucket) own() {
	if b.viewed.Load() {
		b.members = slices.Clone(b.members)
		b.viewed.Store(false)
	}
}

// move changes the position of a member.
func (r ref) move(to uint32) {
	r.bucket.own()
	r.bucket.members[r.at] = to
}

// link adds a cell to the bucket of a value.
func (x *objectIndex) link(c *cell, value string) ref {
	b := x.buckets[value]
	if b == nil {
		b = &bucket{index: x, value: value}
		b.members = b.few[:0]
		x.buckets[value] = b
	}
	b.own()
	b.members = append(b.members, c.pos)
	return ref{bucket: b, at: uint32(len(b.members) - 1)}
}

// unlink removes r's cell from its bucket. The bucket's last member takes its place; cells are the
// store's cells.
func (r ref) unlink(cells []*cell) {
	b := r.bucket
	b.own()
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

// match reports whether refs are the refs of values.
func match(refs []ref, values []string) bool {
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

// shrink returns s in less memory if most of its capacity is unused.
func shrink[T any](s []T) []T {
	if cap(s) >= 64 && len(s) < cap(s)/4 {
		return append(make([]T, 0, 2*len(s)), s...)
	}
	return s
}
