package objectstore

import (
	"fmt"
	"slices"

	"github.com/listwatch/listwatch/runtime/cache/internal/dense"
	"github.com/listwatch/listwatch/runtime/cache/internal/packing"
)

// List returns all objects as of one moment, in no order. The caller owns the slice.
func (s *Store) List() []any { return s.AppendAll([]any{}) }

// AppendAll appends all objects as of one moment.
func (s *Store) AppendAll(out []any) []any {
	n := len(out)
	out = s.AppendHeld(out)
	s.open(out[n:])
	return out
}

// AppendHeld is AppendAll without decoding packed objects.
func (s *Store) AppendHeld(out []any) []any {
	out = slices.Grow(out, s.Len()) // not with the lock held
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.contents.objects.AppendTo(out)
}

// open decodes those of objects that are packed.
func (s *Store) open(objects []any) {
	if s.options.Packed {
		for i, object := range objects {
			objects[i] = packing.Open(object)
		}
	}
}

// View is all objects of a store as of one moment, or those that have a value in an index. It is not a
// copy: the store copies the parts that it changes while a view may still be read.
type View struct {
	objects   dense.View
	some      bool // only those at positions
	positions []uint32
}

// Len returns the number of objects.
func (v View) Len() int {
	if v.some {
		return len(v.positions)
	}
	return v.objects.Len()
}

// At returns one of the objects, which may be packed. They are in no order.
func (v View) At(i int) any {
	if v.some {
		i = int(v.positions[i])
	}
	return v.objects.At(i)
}

// View returns all objects.
func (s *Store) View() View {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return View{objects: s.contents.objects.View()}
}

// ViewComplete returns the objects that have a value in an index. If the index does not exist or
// objects are missing from it, it returns an error.
func (s *Store) ViewComplete(index, value string) (View, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	x, err := s.contents.complete(index, s.options.PublicTypes)
	if err != nil {
		return View{}, err
	}
	v := View{some: true}
	if b := x.buckets[value]; b != nil {
		v.objects, v.positions = s.contents.objects.View(), b.view()
	}
	return v, nil
}

// IsComplete reports whether an index exists and no object is missing from it.
func (s *Store) IsComplete(index string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, err := s.contents.complete(index, s.options.PublicTypes)
	return err == nil
}

// ByIndex returns the objects that have a value in an index. If it were inlined into another
// package, its argument would be allocated.
//
//go:noinline
func (s *Store) ByIndex(index, value string) ([]any, error) {
	return s.having(index, []string{value})
}

// Index returns the objects that have an index value in common with obj.
func (s *Store) Index(index string, obj any) ([]any, error) {
	values, err := s.IndexValues(index, obj)
	if err != nil {
		return nil, err
	}
	return s.having(index, values)
}

// having is [Having] for objects of any type.
func (s *Store) having(index string, values []string) ([]any, error) {
	if err := s.Readable(); err != nil {
		return nil, err
	}
	objects, err := s.heldHaving(index, values)
	s.open(objects)
	return objects, err
}

// HeldByIndex is ByIndex without decoding packed objects.
func (s *Store) HeldByIndex(index, value string) ([]any, error) {
	if err := s.Readable(); err != nil {
		return nil, err
	}
	return s.heldHaving(index, []string{value})
}

// heldHaving is having without decoding packed objects.
func (s *Store) heldHaving(index string, values []string) ([]any, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	x, err := s.contents.existing(index)
	if err != nil {
		return nil, err
	}
	return s.contents.objects.AppendSomeTo([]any{}, x.having(values)), x.incomplete(s.options.PublicTypes)
}

// IndexKeys returns the keys of the objects that have a value in an index, sorted.
func (s *Store) IndexKeys(index, value string) ([]string, error) {
	if err := s.Readable(); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	x, err := s.contents.existing(index)
	if err != nil {
		return nil, err
	}
	positions := x.having([]string{value})
	out := keys(len(positions), func(i int) *cell { return s.contents.cells[positions[i]] })
	slices.Sort(out)
	return out, x.incomplete(s.options.PublicTypes)
}

// IndexValues returns the values that obj has in an index. The index function is called
// without locks.
func (s *Store) IndexValues(index string, obj any) ([]string, error) {
	s.mu.RLock()
	x, err := s.contents.existing(index)
	s.mu.RUnlock()
	if err != nil {
		return nil, err
	}
	return x.Values(obj)
}

// ListIndexFuncValues returns all values that objects have in an index, in no order.
func (s *Store) ListIndexFuncValues(index string) []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	x := s.contents.index(index)
	if x == nil {
		return []string{}
	}
	out := make([]string, 0, len(x.buckets))
	for value := range x.buckets {
		out = append(out, value)
	}
	return out
}

// All returns all objects of a store as of one moment, in no order. An object that is not a T
// is an error.
func All[T any](s *Store) ([]T, error) {
	if s.options.Packed {
		return opened[T](s.AppendHeld(nil), nil)
	}
	out := make([]T, 0, s.Len()) // not with the lock held
	s.mu.RLock()
	defer s.mu.RUnlock()
	out, other, ok := dense.AppendAs(s.contents.objects, out)
	if !ok {
		return nil, WrongType[T](other)
	}
	return out, nil
}

// Having returns the objects that have one of the values in an index as of one moment, each
// once. An object that is not a T is an error. If objects are missing from the index, it
// returns the others and [PublicTypes].Incomplete.
func Having[T any](s *Store, index string, values []string) ([]T, error) {
	if err := s.Readable(); err != nil {
		return nil, err
	}
	if s.options.Packed {
		return opened[T](s.heldHaving(index, values))
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	x, err := s.contents.existing(index)
	if err != nil {
		return nil, err
	}
	out, other, ok := dense.AppendSomeAs(s.contents.objects, x.having(values), []T{})
	if !ok {
		return nil, WrongType[T](other)
	}
	return out, x.incomplete(s.options.PublicTypes)
}

// opened returns objects decoded, and err. An object that is not a T is an error instead.
func opened[T any](objects []any, err error) ([]T, error) {
	if objects == nil && err != nil {
		return nil, err
	}
	out := make([]T, len(objects))
	for i, object := range objects {
		object = packing.Open(object)
		t, ok := object.(T)
		if !ok {
			return nil, WrongType[T](object)
		}
		out[i] = t
	}
	return out, err
}

// WrongType is the error of an object that is not a T.
func WrongType[T any](object any) error {
	var t T
	return fmt.Errorf("store contains %T, want %T", object, t)
}
