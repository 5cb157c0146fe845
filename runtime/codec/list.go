package codec

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/codec/internal/table"
	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

// DecodeList implements StreamDecoder.
func (d *decoder) DecodeList(r io.Reader, list runtime.Object, newItem func() runtime.Object, each func(runtime.Object) error) (runtime.Object, error) {
	return d.stream(r, list, &sink{newItem: newItem, each: each})
}

// sink takes the items of a list one by one.
type sink struct {
	newItem  func() runtime.Object
	each     func(runtime.Object) error
	selects  func(uid types.UID, namespace string) bool // nil selects all
	tolerant bool                                       // an Undecodable replaces an item that cannot be decoded
	started  bool
}

var errItemsAgain = errors.New("items are repeated")

// start begins the items.
func (k *sink) start() error {
	if k.started {
		return errItemsAgain
	}
	k.started = true
	return nil
}

// fitsUntyped reports whether the requested items, if any, are untyped.
func (k *sink) fitsUntyped() bool {
	if k == nil {
		return true
	}
	_, ok := k.newItem().(*unstructured.Unstructured)
	return ok
}

// handOver passes on the items of a list that was decoded as a whole.
func (k *sink) handOver(list runtime.Object) error {
	at, err := meta.GetItemsPtr(list)
	if err != nil {
		return err
	}
	items, err := meta.ExtractList(list)
	if err != nil {
		return err
	}
	reflect.ValueOf(at).Elem().SetZero()
	for _, item := range items {
		if v := reflect.ValueOf(item); !v.IsValid() || v.IsNil() {
			item = k.newItem()
		}
		if err := k.each(item); err != nil {
			return err
		}
	}
	return nil
}

// typedList decodes a list, after its head, from an input.
type typedList struct {
	*session
	in    *input
	h     head
	obj   runtime.Object
	table *table.Table // of obj
	sink  *sink

	elem reflect.Type // of the items
	item *table.Table

	fields *Fields  // those that are decoded of items; nil are all
	cut    bool     // whether items are cut while they are decoded
	seen   []string // names of the members so far
	each   error    // what the caller's function returned
}

// fits reports whether the object has items that can be decoded one by one, as the sink requests.
func (l *typedList) fits(into runtime.Object) bool {
	l.elem, l.item = l.table.Elem("items")
	if l.item == nil {
		return false
	}
	l.item, l.cut = l.fields.table(l.item)
	if l.sink == nil {
		return true
	}
	t := l.elem
	if t.Kind() != reflect.Pointer {
		t = reflect.PointerTo(t)
	}
	return l.obj == into && reflect.TypeOf(l.sink.newItem()) == t
}

// decode decodes the list. If it fails, a part of the list is in obj.
func (l *typedList) decode() error {
	err := l.members()
	var known *Error
	switch {
	case err == nil:
		return clearKind(l.obj)
	case l.each != nil:
		return l.each
	case errors.Is(err, errUnclear):
		return inList(err)
	case errors.As(err, &known):
		return err
	}
	return newError(l.h.gvk, nil, untried, err)
}

func (l *typedList) members() error {
	name, more := l.h.name, l.h.more
	for more {
		var err error
		switch {
		case isTypeName([]byte(name)):
			var value []byte
			if value, err = l.in.value(1); err == nil {
				err = l.h.again(l.session, []byte(name), value)
			}
		case name == "items":
			err = l.decodeItems()
		default:
			err = l.member(name)
		}
		if err != nil {
			return err
		}
		if name, more, err = l.in.name(l.session, false); err != nil {
			return err
		}
	}
	return l.in.end()
}

// member decodes a member that is not streamed.
func (l *typedList) member(name string) error {
	text, err := l.in.value(1)
	if err != nil {
		return err
	}
	v := reflect.ValueOf(l.obj)
	if !slices.Contains(l.seen, name) {
		l.seen = append(l.seen, name)
		if l.Member(text, l.table, name, v) {
			return nil
		}
	}
	alone := alone(name, text)
	if err := table.Exact(alone, v); err != nil {
		return newError(l.h.gvk, alone, untried, err)
	}
	return nil
}

// alone returns the text of an object with one member.
func alone(name string, value []byte) []byte {
	literal, _ := json.Marshal(name) // of a string, there is no error
	return bytes.Join([][]byte{[]byte("{"), literal, []byte(":"), value, []byte("}")}, nil)
}

// decodeItems decodes the items.
func (l *typedList) decodeItems() error {
	if l.sink != nil {
		if err := l.sink.start(); err != nil {
			return err
		}
	}
	c, err := l.in.peek()
	if err != nil {
		return err
	}
	if c != '[' || slices.Contains(l.seen, "items") {
		return l.member("items")
	}
	if l.sink == nil {
		l.seen = append(l.seen, "items")
		return l.collect()
	}
	return l.in.elements(func(i int) error {
		item, err := l.decodeItem(i, l.sink.newItem())
		if err != nil || item == nil {
			return err
		}
		l.each = l.sink.each(item)
		return l.each
	})
}

// decodeItem decodes the item of that index into item, which is empty, and returns it or an Undecodable, or nil if it is
// not selected.
func (l *typedList) decodeItem(index int, item runtime.Object) (runtime.Object, error) {
	if l.sink.selects != nil {
		if skipped, err := l.skip(); skipped || err != nil {
			return nil, err
		}
	}
	text, tried, err := l.into(reflect.ValueOf(item))
	if err == nil {
		return item, nil
	}
	named := newItemError(l.h.gvk, index, text, tried, err)
	if l.sink.tolerant && text != nil {
		if u := undecodable(text, named); u != nil {
			return u, nil
		}
	}
	return nil, named
}

// skip skips the next item if it is not selected.
func (l *typedList) skip() (bool, error) {
	c, err := l.in.peek()
	if err != nil || c != '{' {
		return false, err
	}
	text, err := l.in.value(2)
	if err != nil {
		return false, err
	}
	if unselected(text, l.sink.selects) != nil {
		return true, nil
	}
	l.in.at -= len(text) // it is decoded from there
	return false, nil
}

// into decodes the next item into the empty struct that v points to. If it fails, it returns the text of the item,
// unless that cannot be read.
func (l *typedList) into(v reflect.Value) (text []byte, tried attempt, err error) {
	in := l.in
	c, err := in.peek()
	if err != nil {
		return nil, untried, err
	}
	// Usually the item has arrived already.
	fills, here := in.fills, c == '{' && len(in.buf)-in.at >= in.last
	if here {
		if next := l.Object(in.buf, in.at, l.item, v); next >= 0 {
			in.last, in.at = next-in.at, next
			l.decoded(v)
			return nil, untried, nil
		}
		tried = attempt{failedAt: l.FailedAt - in.at, invalid: l.Invalid}
		v.Elem().SetZero()
	}
	if text, err = in.value(2); err != nil {
		return nil, untried, err
	}
	in.last = len(text)
	if c == '{' && (!here || in.fills > fills) {
		if next := l.Object(text, 0, l.item, v); next == len(text) {
			l.decoded(v)
			return nil, untried, nil
		}
		tried = attempt{failedAt: l.FailedAt, invalid: l.Invalid}
		v.Elem().SetZero()
	}
	return text, tried, table.Exact(text, v)
}

// decoded marks the item that v points to, if it was cut.
func (l *typedList) decoded(v reflect.Value) {
	if l.cut {
		l.fields.mark(v.Interface())
	}
}

// A list's items are collected in chunks that double in size, and copied once into a slice that fits.
const (
	firstChunk = 8
	lastChunk  = 1024
)

// collect decodes the items into the object.
func (l *typedList) collect() error {
	typ := l.table.Field("items", reflect.ValueOf(l.obj)).Type()
	var full []reflect.Value
	size, n := firstChunk, 0
	chunk := reflect.MakeSlice(typ, 0, 0)
	err := l.in.elements(func(i int) error {
		if chunk.Len() == chunk.Cap() {
			if chunk.Len() > 0 {
				full = append(full, chunk)
				size = min(2*size, lastChunk)
			}
			chunk = reflect.New(typ).Elem()
			chunk.Set(reflect.MakeSlice(typ, 0, size))
		}
		chunk.SetLen(chunk.Len() + 1)
		n++
		return l.collectInto(i, chunk.Index(chunk.Len()-1))
	})
	if err != nil {
		return err
	}
	if chunk.Len() < chunk.Cap() || len(full) > 0 {
		all := reflect.MakeSlice(typ, 0, n)
		for _, c := range full {
			all = reflect.AppendSlice(all, c)
		}
		chunk = reflect.AppendSlice(all, chunk)
	}
	l.table.Field("items", reflect.ValueOf(l.obj)).Set(chunk)
	return nil
}

// collectInto decodes the item of that index into v, which is empty.
func (l *typedList) collectInto(index int, v reflect.Value) error {
	to := v.Addr()
	if v.Kind() == reflect.Pointer {
		if c, err := l.in.peek(); err == nil && c == 'n' {
			if text, err := l.in.value(2); err != nil || jsonscan.Null(text, 0) != len(text) {
				return newItemError(l.h.gvk, index, text, untried, errors.Join(err, errNoObject))
			}
			return nil
		}
		to = reflect.New(v.Type().Elem())
		v.Set(to)
	}
	text, tried, err := l.into(to)
	if err != nil {
		return newItemError(l.h.gvk, index, text, tried, err)
	}
	return nil
}
