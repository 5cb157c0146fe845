package codec

import (
	"errors"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// unstructured decodes the text into u, its kind included, which can be anywhere in it.
func (s *scratch) unstructured(u *unstructured.Unstructured) (schema.GroupVersionKind, error) {
	if u == nil || s.dec.PeekKind() != '{' {
		return schema.GroupVersionKind{}, errUnclear
	}
	m, err := s.typedObject(nil, nil)
	if err == nil {
		err = s.end()
	}
	gvk, unclear := kindOf(m)
	if err == nil {
		err = unclear
	}
	if err != nil {
		if !errors.Is(err, errUnclear) {
			err = newError(gvk, &unstructured.Unstructured{Object: m}, err)
		}
		return gvk, err
	}
	u.Object = m
	return gvk, nil
}

// unstructuredList decodes the text, or what comes after h of it, into list, its kind included. Items go to the
// sink, if there is one. An item without a kind gets one from the list's: if the list's is not known yet, it and
// the items after it wait for the end of the list.
func (s *scratch) unstructuredList(list *unstructured.UnstructuredList, h *head, k *sink) (schema.GroupVersionKind, error) {
	if list == nil || len(list.Object) > 0 || h == nil && s.dec.PeekKind() != '{' {
		return schema.GroupVersionKind{}, errUnclear
	}
	found := []unstructured.Unstructured{}
	var wrong error
	take := func(item *unstructured.Unstructured) error {
		if k == nil || len(found) > 0 || h.kind == "" && !hasKind(item) {
			found = append(found, *item)
			return nil
		}
		inherit(item, h.kind, h.apiVersion)
		return k.take(item)
	}
	m, err := s.typedObject(h, func() error {
		if k != nil {
			if k.started {
				return errItemsAgain
			}
			k.started = true
		}
		found = found[:0]
		var err error
		wrong, err = s.unstructuredItems(take)
		return err
	})
	if err == nil {
		err = s.end()
	}
	if err == nil {
		err = wrong
	}
	gvk, unclear := kindOf(m)
	if err == nil {
		err = unclear
	}
	if err == nil && k != nil && h.kind != "" && gvk != h.gvk {
		err = errUnclear
	}
	if err != nil {
		if !errors.Is(err, errUnclear) {
			err = newError(gvk, nil, err)
		}
		return gvk, err
	}
	list.Object = m
	for i := range found {
		inherit(&found[i], list.GetKind(), list.GetAPIVersion())
		if k == nil {
			continue
		}
		if err := k.take(&found[i]); err != nil {
			list.Object = nil
			return gvk, err
		}
	}
	if k == nil {
		list.Items = found
	} else {
		list.Items = []unstructured.Unstructured{}
	}
	return gvk, nil
}

// unstructuredItems decodes the items of a list. An item that is not an object is an error only if these items
// are the last that the list has.
func (s *scratch) unstructuredItems(take func(*unstructured.Unstructured) error) (wrong, err error) {
	switch s.dec.PeekKind() {
	case 'n':
		return nil, s.dec.SkipValue()
	case '[':
	default:
		return nil, s.general(&[]unstructured.Unstructured{})
	}
	if _, err = s.dec.ReadToken(); err != nil {
		return nil, err
	}
	for i := 0; s.dec.PeekKind() != ']'; i++ {
		s.nextPart()
		item := &unstructured.Unstructured{}
		var v any
		if v, err = s.any(); err != nil {
			return nil, inItem(i, reflect.ValueOf(item), err)
		}
		if object, ok := v.(map[string]any); ok {
			item.Object = object
		} else if v != nil && wrong == nil {
			wrong = inItem(i, reflect.ValueOf(item), at(s.dec, errNoObject))
		}
		if wrong != nil {
			continue
		}
		if err = take(item); err != nil {
			return nil, err
		}
	}
	s.nextPart()
	_, err = s.dec.ReadToken()
	return wrong, err
}

var errNoObject = errors.New("item is not an object")

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

// kindOf returns the kind in m. It returns errUnclear if there is none.
func kindOf(m map[string]any) (schema.GroupVersionKind, error) {
	kind, _ := m["kind"].(string)
	apiVersion, _ := m["apiVersion"].(string)
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil || kind == "" {
		return schema.GroupVersionKind{}, errUnclear
	}
	return gv.WithKind(kind), nil
}

// typedObject decodes an object, or what comes after h of it. Its kind and
// apiVersion, if there are any, must be strings of these names. Items, if not
// nil, decodes the member of that name.
func (s *scratch) typedObject(h *head, items func() error) (map[string]any, error) {
	m := map[string]any{}
	var name []byte
	if h != nil {
		m["apiVersion"], name = h.apiVersion, []byte(h.next)
		if h.kind != "" {
			m["kind"] = h.kind
		}
	} else if _, err := s.dec.ReadToken(); err != nil {
		return nil, err
	}
	for first := h != nil && h.more; first || s.dec.PeekKind() != '}'; first = false {
		if !first {
			var err error
			if name, err = s.unquoted(); err != nil {
				return m, err
			}
		}
		if items != nil && string(name) == "items" {
			if err := items(); err != nil {
				return m, err
			}
			continue
		}
		key := s.intern(name)
		if isTypeName(name) && (key != "kind" && key != "apiVersion" || s.dec.PeekKind() != '"') {
			return m, errUnclear
		}
		v, err := s.any()
		if err != nil {
			return m, err
		}
		m[key] = v
	}
	_, err := s.dec.ReadToken()
	return m, err
}
