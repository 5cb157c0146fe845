// Package shards evaluates shard selectors (KEP-5866), by which list and watch requests select
// objects by the hash of their UID or namespace. Kubernetes libraries know them since v0.36: with
// older ones, [SelectorOf] returns no selector and [IsApplied] reports that none was applied.
package shards

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// The fields of API types that older Kubernetes libraries lack; nil if these do.
var (
	optionsField = fieldOf(reflect.TypeFor[metav1.ListOptions](), "ShardSelector")
	listField    = fieldOf(reflect.TypeFor[metav1.ListMeta](), "ShardInfo")
)

// Selector selects objects. The zero value selects none, and nil selects all.
type Selector struct {
	text   string
	key    string // the field that is hashed
	ranges []hashes
}

// hashes is a range of hashes.
type hashes struct{ first, last uint64 }

// namespace is the key of selectors by namespace; others are by UID.
const namespace = "object.metadata.namespace"

// end is the end of a range that contains the largest hash.
const end = "0x10000000000000000"

// part is a range of a selector, in the form that the API documents.
var part = regexp.MustCompile(`^\s*shardRange\s*\(\s*(object\.metadata\.uid|object\.metadata\.namespace)` +
	`\s*,\s*'(0x[0-9a-f]{16})'\s*,\s*'(0x[0-9a-f]{16}|` + end + `)'\s*\)\s*$`)

// Parse returns the selector that a text describes, nil if the text is empty, which selects all
// objects.
func Parse(text string) (*Selector, error) {
	if text == "" {
		return nil, nil
	}
	s := &Selector{text: text}
	for text := range strings.SplitSeq(text, "||") {
		m := part.FindStringSubmatch(text)
		if m == nil {
			return nil, fmt.Errorf("shard selector: invalid %q; write shardRange(object.metadata.uid, '0x' and 16 digits, '0x' and 16 digits), as metav1.ListOptions documents", strings.TrimSpace(text))
		}
		key, from, to := m[1], m[2], m[3]
		r := hashes{first: number(from), last: math.MaxUint64}
		if to != end {
			if r.first >= number(to) {
				return nil, fmt.Errorf("shard selector: %s is not less than %s", from, to)
			}
			r.last = number(to) - 1
		}
		if s.key != "" && key != s.key {
			return nil, fmt.Errorf("shard selector: %s and %s in one selector", s.key, key)
		}
		s.key, s.ranges = key, append(s.ranges, r)
	}
	return s, nil
}

// number returns the value of 0x and 16 digits.
func number(digits string) uint64 {
	n, _ := strconv.ParseUint(digits, 0, 64) // part matched it
	return n
}

// String returns the text of s, which is empty for nil.
func (s *Selector) String() string {
	if s == nil {
		return ""
	}
	return s.text
}

// Matches reports whether s selects an object.
func (s *Selector) Matches(obj metav1.Object) bool {
	switch {
	case s == nil:
		return true
	case s.ByNamespace():
		return s.includes(obj.GetNamespace())
	}
	return s.includes(string(obj.GetUID()))
}

// Selects reports whether s selects the objects with a UID and a namespace.
func (s *Selector) Selects(uid types.UID, namespace string) bool {
	switch {
	case s == nil:
		return true
	case s.ByNamespace():
		return s.includes(namespace)
	}
	return s.includes(string(uid))
}

// ByNamespace reports whether s selects objects by their namespaces alone.
func (s *Selector) ByNamespace() bool { return s != nil && s.key == namespace }

// includes reports whether the hash of a value of the key is in one of the ranges.
func (s *Selector) includes(value string) bool {
	sum := hash(value)
	for _, r := range s.ranges {
		if r.first <= sum && sum <= r.last {
			return true
		}
	}
	return false
}

// hash returns the FNV-1a hash of a text.
func hash(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // never fails
	return h.Sum64()
}

// SelectorOf returns the shard selector of options, empty if they have none.
func SelectorOf(options *metav1.ListOptions) string {
	if optionsField == nil {
		return ""
	}
	return reflect.ValueOf(options).Elem().FieldByIndex(optionsField).String()
}

// SetSelector sets the shard selector of options, if these can have one.
func SetSelector(options *metav1.ListOptions, s *Selector) {
	if optionsField != nil {
		reflect.ValueOf(options).Elem().FieldByIndex(optionsField).SetString(s.String())
	}
}

type selectionKey struct{}

// WithSelection returns a context for requests of objects that s selects, whose caller drops the others itself.
func WithSelection(ctx context.Context, s *Selector) context.Context {
	return context.WithValue(ctx, selectionKey{}, s)
}

// SelectionOf returns the selector of [WithSelection], nil if there is none.
func SelectionOf(ctx context.Context) *Selector {
	s, _ := ctx.Value(selectionKey{}).(*Selector)
	return s
}

// IsApplied reports whether a list's metadata states that the server has selected its objects.
func IsApplied(list runtime.Object) bool {
	l, ok := list.(metav1.ListMetaAccessor)
	if !ok || listField == nil {
		return false
	}
	m, ok := l.GetListMeta().(*metav1.ListMeta)
	return ok && m != nil && !reflect.ValueOf(m).Elem().FieldByIndex(listField).IsNil()
}

// fieldOf returns the index of a struct's field, nil if there is none.
func fieldOf(t reflect.Type, name string) []int {
	f, ok := t.FieldByName(name)
	if !ok {
		return nil
	}
	return f.Index
}
