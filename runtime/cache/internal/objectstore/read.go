package objectstore

import (
	"fmt"
	"slices"
)

// List returns all objects as of one moment, in no order. The caller owns the slice.
func (s *Store) List() []any { return s.AppendAll([]any{}) }

// AppendAll appends all objects as of one moment.
func (s *Store) AppendAll(out []any) []any {
	out = slices.Grow(out, s.Len()) // not with the lock held
	s.mu.RLock()
	defer s.mu.RUnlock()
	return append(out, s.contents.objects...)
}

// AppendComplete appends the objects that have a value in an index as of one moment. If the
// index does not exist or objects are missing from it, it appends nothing and returns an error.
func (s *Store) AppendComplete(out []any, index, value string) ([]any, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	x, err := s.contents.complete(index, s.options.Words)
	if err != nil {
		return out, err
	}
	for _, pos := range x.having([]string{value}) {
		out = append(out, s.contents.objects[pos])
	}
	return out, nil
}

// IsComplete reports whether an index exists and no object is missing from it.
func (s *Store) IsComplete(index string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, err := s.contents.complete(index, s.options.Words)
	return err == nil
}

// ByIndex returns the objects that have a value in an index. If it were inlined into another
// package, its argument would be allocated.
//
//go:noinline
func (s *Store) ByIndex(index, value string) ([]any, error) {
	return Having[any](s, index, []string{value})
}

// Index returns the objects that have an index value in common with obj.
func (s *Store) Index(index string, obj any) ([]any, error) {
	values, err := s.IndexValues(index, obj)
	if err != nil {
		return nil, err
	}
	return Having[any](s, index, values)
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
	out := make([]string, len(positions))
	for i, pos := range positions {
		out[i] = s.contents.cells[pos].key
	}
	slices.Sort(out)
	return out, x.incomplete(s.options.Words)
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
	out := make([]T, 0, s.Len()) // not with the lock held
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, object := range s.contents.objects {
		t, ok := object.(T)
		if !ok {
			return nil, WrongType[T](object)
		}
		out = append(out, t)
	}
	return out, nil
}

// Having returns the objects that have one of the values in an index as of one moment, each
// once. An object that is not a T is an error. If objects are missing from the index, it
// returns the others and [Words].Incomplete.
func Having[T any](s *Store, index string, values []string) ([]T, error) {
	if err := s.Readable(); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	x, err := s.contents.existing(index)
	if err != nil {
		return nil, err
	}
	positions := x.having(values)
	out := make([]T, len(positions))
	for i, pos := range positions {
		t, ok := s.contents.objects[pos].(T)
		if !ok {
			return nil, WrongType[T](s.contents.objects[pos])
		}
		out[i] = t
	}
	return out, x.incomplete(s.options.Words)
}

// WrongType is the error of an object that is not a T.
func WrongType[T any](object any) error {
	var t T
	return fmt.Errorf("store contains %T, want %T", object, t)
}
