package codec

import (
	"reflect"
)

// A list's items are collected in chunks that double in size, and copied once
// into a slice that fits.
const (
	firstChunk = 8
	lastChunk  = 1024
)

// items decodes a list's items into the slice v.
func (s *scratch) items(f *field, v reflect.Value) error {
	if !v.IsNil() || s.dec.PeekKind() != '[' {
		return s.value(f, v)
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return err
	}
	var full []reflect.Value
	n, size := 0, firstChunk
	chunk := reflect.MakeSlice(f.typ, 0, 0)
	for s.dec.PeekKind() != ']' {
		s.nextPart()
		if chunk.Len() == chunk.Cap() {
			if chunk.Len() > 0 {
				full = append(full, chunk)
				size = min(2*size, lastChunk)
			}
			chunk = reflect.New(f.typ).Elem()
			chunk.Set(reflect.MakeSlice(f.typ, 0, size))
		}
		chunk.SetLen(chunk.Len() + 1)
		if err := s.item(f, chunk.Index(chunk.Len()-1)); err != nil {
			return inItem(n, chunk.Index(chunk.Len()-1), err)
		}
		n++
	}
	s.nextPart()
	if _, err := s.dec.ReadToken(); err != nil {
		return err
	}
	if chunk.Len() < chunk.Cap() || len(full) > 0 {
		all := reflect.MakeSlice(f.typ, 0, n)
		for _, c := range full {
			all = reflect.AppendSlice(all, c)
		}
		chunk = reflect.AppendSlice(all, chunk)
	}
	v.Set(chunk)
	return nil
}

// item decodes one item into v, which is empty.
func (s *scratch) item(f *field, v reflect.Value) error {
	if f.item == nil {
		return s.general(v.Addr().Interface())
	}
	if v.Kind() == reflect.Pointer {
		if s.dec.PeekKind() == 'n' {
			return s.dec.SkipValue()
		}
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	return s.fields(v, f.item)
}

// itemError is an error in an item.
type itemError struct {
	index int
	item  any // a pointer to it, as far as it was decoded
	err   error
}

func (e *itemError) Error() string { return e.err.Error() }
func (e *itemError) Unwrap() error { return e.err }

func inItem(index int, v reflect.Value, err error) error {
	if v.Kind() != reflect.Pointer {
		v = v.Addr()
	}
	return &itemError{index: index, item: v.Interface(), err: err}
}
