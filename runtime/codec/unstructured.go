package codec

import (
	"errors"
	"io"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/codec/internal/table"
	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

// untyped decodes the text into u, its kind included, which can be anywhere in it.
func (s *session) untyped(text []byte, u *unstructured.Unstructured) attempt {
	if u == nil {
		return untried
	}
	kind := s.head(text).kind
	s.keep(kind)
	if kind == "Status" {
		s.Kept = nil // it may be the error of a watch
	}
	s.Begin(text)
	m := map[string]any{}
	end := s.Members(jsonscan.Space(text, 0), func(name []byte, hash uint64, i int) int {
		if isTypeName(name) && (string(name) != "kind" && string(name) != "apiVersion" || text[i] != '"') {
			return jsonscan.Bad
		}
		key := s.Key(name, hash)
		v, kept, next := s.AnyMember(name, i)
		if kept {
			m[key] = v
		}
		return next
	})
	gvk, known := kindOf(m)
	tried := attempt{gvk: gvk, failedAt: s.FailedAt, invalid: s.Invalid}
	if tried.ok = known && end >= 0 && jsonscan.Space(text, end) == len(text); tried.ok {
		u.Object = m
	}
	return tried
}

// untypedList decodes the text into list, its kind included, which can be anywhere in it.
func (s *session) untypedList(text []byte, list *unstructured.UnstructuredList) attempt {
	if list == nil || len(list.Object) > 0 {
		return untried
	}
	in := &input{buf: text, err: io.EOF}
	err := s.untypedListFrom(in, list, nil, nil)
	if err == nil {
		return attempt{ok: true, gvk: list.GroupVersionKind()}
	}
	list.Object, list.Items = nil, nil
	h := s.headAnywhere(text)
	return attempt{gvk: h.gvk, failedAt: s.FailedAt, invalid: s.Invalid}
}

// untypedListFrom decodes what follows h of a list, or the whole list if h is nil, into list, its kind included.
// Items go to the sink, if there is one. An item without a kind gets one from the list's: if the list's is not
// known yet, it and the items after it wait for the end of the list.
func (s *session) untypedListFrom(in *input, list *unstructured.UnstructuredList, h *head, k *sink) error {
	s.list = true
	l := &untypedList{session: s, in: in, sink: k, m: map[string]any{}, found: []unstructured.Unstructured{}}
	if h != nil {
		l.h = *h
	}
	err := l.decode(h == nil)
	if err == nil {
		err = l.finish(list)
	}
	var known *Error
	switch {
	case err == nil:
		return nil
	case l.each != nil:
		return l.each
	case errors.Is(err, errUnclear):
		return inList(err)
	case errors.As(err, &known):
		return err
	}
	return newError(l.h.gvk, nil, untried, err)
}

// untypedList decodes a list of untyped objects from an input.
type untypedList struct {
	*session
	in   *input
	h    head
	sink *sink

	m     map[string]any
	found []unstructured.Unstructured // items that were not passed on
	wrong error                       // the first item that is not an object; it matters only if these are the last items
	each  error                       // what the caller's function returned
}

// decode decodes the members after the head, or all of them.
func (l *untypedList) decode(all bool) (err error) {
	name, more := l.h.name, l.h.more
	if all {
		if err = l.in.expect('{'); err != nil {
			return err
		}
		if name, more, err = l.in.name(l.session, true); err != nil {
			return err
		}
	} else {
		l.m["apiVersion"] = l.h.apiVersion
		if l.h.kind != "" {
			l.m["kind"] = l.h.kind
		}
	}
	for more {
		if name == "items" {
			err = l.items()
		} else {
			err = l.member(name)
		}
		if err != nil {
			return err
		}
		if name, more, err = l.in.name(l.session, false); err != nil {
			return err
		}
	}
	if err := l.in.end(); err != nil {
		return err
	}
	return l.wrong
}

func (l *untypedList) member(name string) error {
	c, err := l.in.peek()
	if err != nil {
		return err
	}
	if isTypeName([]byte(name)) && (name != "kind" && name != "apiVersion" || c != '"') {
		return errUnclear
	}
	if l.in.r == nil {
		l.Begin(l.in.buf)
		v, next := l.Any(l.in.at)
		if next < 0 {
			return errUnclear // the exact decoder decides
		}
		l.m[name], l.in.at = v, next
		return nil
	}
	text, err := l.in.value(1)
	if err != nil {
		return err
	}
	l.Begin(text)
	v, next := l.Any(0)
	if next != len(text) {
		if err := table.Exact(text, reflect.ValueOf(&v)); err != nil {
			return newError(l.h.gvk, alone(name, text), untried, err)
		}
	}
	l.m[name] = v
	return nil
}

func (l *untypedList) items() error {
	if l.sink != nil {
		if err := l.sink.start(); err != nil {
			return err
		}
	}
	l.found, l.wrong = l.found[:0], nil
	c, err := l.in.peek()
	if err != nil {
		return err
	}
	if c != '[' {
		text, err := l.in.value(1)
		if err != nil {
			return err
		}
		var none []any
		if err := table.Exact(text, reflect.ValueOf(&none)); err != nil {
			return newError(l.h.gvk, alone("items", text), untried, err)
		}
		return nil
	}
	return l.in.elements(func(i int) error {
		item, err := l.item(i)
		if errors.Is(err, errNoObject) && l.wrong == nil {
			l.wrong = err
		}
		if err != nil && !errors.Is(err, errNoObject) {
			return err
		}
		if l.wrong != nil {
			return nil
		}
		if l.sink == nil || len(l.found) > 0 || l.h.kind == "" && !hasKind(item) {
			l.found = append(l.found, *item)
			return nil
		}
		inherit(item, l.h.kind, l.h.apiVersion)
		l.each = l.sink.each(item)
		return l.each
	})
}

// item decodes the item of that index.
func (l *untypedList) item(index int) (*unstructured.Unstructured, error) {
	in := l.in
	c, err := in.peek()
	if err != nil {
		return nil, newItemError(l.h.gvk, index, nil, untried, err)
	}
	// Usually the item has arrived already.
	fills, here := in.fills, c == '{' && len(in.buf)-in.at >= in.last
	if here {
		l.keepItem(in.buf[in.at:])
		l.Begin(in.buf)
		if v, next := l.AnyWhole(in.at); next >= 0 {
			in.last, in.at = next-in.at, next
			return &unstructured.Unstructured{Object: v.(map[string]any)}, nil
		}
	}
	if in.r == nil && c != 'n' {
		if c != '{' {
			l.FailedAt, l.Invalid = in.at, true
		}
		return nil, errUnclear // the exact decoder decides
	}
	text, err := in.value(2)
	if err != nil {
		return nil, newItemError(l.h.gvk, index, nil, untried, err)
	}
	in.last = len(text)
	if c == '{' && (!here || in.fills > fills) {
		l.keepItem(text)
		l.Begin(text)
		if v, next := l.AnyWhole(0); next == len(text) {
			return &unstructured.Unstructured{Object: v.(map[string]any)}, nil
		}
	}
	var v any
	if err = table.Exact(text, reflect.ValueOf(&v)); err == nil && v == nil {
		return &unstructured.Unstructured{}, nil
	}
	object, ok := v.(map[string]any)
	if err == nil && !ok {
		err = errNoObject
	}
	if err != nil {
		tried := attempt{failedAt: l.FailedAt, invalid: l.Invalid && c == '{'}
		return nil, newItemError(l.h.gvk, index, text, tried, err)
	}
	return &unstructured.Unstructured{Object: object}, nil
}

// keepItem has contents of the item be remembered, unless it may be a Secret.
func (l *untypedList) keepItem(text []byte) {
	kind := strings.TrimSuffix(l.h.kind, "List")
	if kind == "" || kind == "Unstructured" {
		kind = l.head(text).kind
	}
	l.keep(kind)
}

// finish stores in list what was decoded, and passes on the items that waited for the kind.
func (l *untypedList) finish(list *unstructured.UnstructuredList) error {
	gvk, known := kindOf(l.m)
	if !known || l.sink != nil && l.h.kind != "" && gvk != l.h.gvk {
		return errUnclear
	}
	list.Object = l.m
	for i := range l.found {
		inherit(&l.found[i], list.GetKind(), list.GetAPIVersion())
		if l.sink == nil {
			continue
		}
		if l.each = l.sink.each(&l.found[i]); l.each != nil {
			list.Object = nil
			return l.each
		}
	}
	list.Items = l.found
	if l.sink != nil {
		list.Items = []unstructured.Unstructured{}
	}
	return nil
}

// inherit sets the kind of the item of a list of that kind, if it has none.
func inherit(item *unstructured.Unstructured, kind, apiVersion string) {
	if !hasKind(item) {
		item.SetKind(strings.TrimSuffix(kind, "List"))
		item.SetAPIVersion(apiVersion)
	}
}

// hasKind reports whether the item of a list has a kind or apiVersion, and so needs none of the list's.
func hasKind(item *unstructured.Unstructured) bool {
	return item.GetKind() != "" || item.GetAPIVersion() != ""
}

// kindOf returns the kind in m, and whether there is one.
func kindOf(m map[string]any) (schema.GroupVersionKind, bool) {
	kind, _ := m["kind"].(string)
	apiVersion, _ := m["apiVersion"].(string)
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil || kind == "" {
		return schema.GroupVersionKind{}, false
	}
	return gv.WithKind(kind), true
}
