package codec

import (
	"context"
	"reflect"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/codec/internal/fields"
	"github.com/listwatch/listwatch/runtime/codec/internal/protobuf"
	"github.com/listwatch/listwatch/runtime/codec/internal/table"
)

// Fields are the fields of objects that a cache needs. An object of which others were left out is cut: its
// metadata.selfLink, which API servers no longer set, is a mark, see [IsCut]. Fields are safe for concurrent use.
type Fields struct {
	set    *fields.Set
	tables sync.Map // *table.Table to cutTable
	kept   table.Kept
	binary protobuf.Kept
}

// cutTable is a table that skips what is left out, and whether it does.
type cutTable struct {
	table *table.Table
	cut   bool
}

// ParseFields returns the fields with these paths, and those that are always kept. Package cache documents both at
// its function Keep. The error is about the first invalid path.
func ParseFields(paths ...string) (*Fields, error) {
	set, err := fields.Parse(paths...)
	if err != nil {
		return nil, err
	}
	f := &Fields{set: set, kept: table.Kept{Object: set.Root(), Metadata: set.Metadata(), Mark: set.Mark()}}
	f.binary.Object, f.binary.Mark = set.Root(), set.Mark()
	return f, nil
}

// Check returns an error, with a suggestion, if a path leads to no field of objects like example. The paths of spec, status
// and so on are not checked if these have only metadata, and no path is if they are untyped.
func (f *Fields) Check(example any) error {
	if example == nil {
		return nil
	}
	return f.set.Check(reflect.TypeOf(example))
}

// Prune removes all other fields from the object, which the caller owns, unless the decoder has skipped them, and marks
// it. It changes neither what the object points to nor its lists and maps; those that are cut are replaced by copies. It
// returns the error of Check. Values that are not API objects, and an [*Undecodable], are unchanged.
func (f *Fields) Prune(obj any) error {
	if _, ok := obj.(*Undecodable); ok {
		return nil
	}
	return f.set.Prune(obj)
}

// ManagedFields reports whether metadata.managedFields are kept.
func (f *Fields) ManagedFields() bool { return f.set.ManagedFields() }

// fieldsKey is the key of a context's value that are Fields.
type fieldsKey struct{}

// WithFields returns a context for requests whose caller needs only these fields: the decoders of [ForScheme],
// [ForMetadata] and [ForUnstructured] skip all others, in JSON and protobuf, in lists that are decoded item by item (see
// [StreamDecoder]) and in watches, and mark the objects. They only check that what is skipped is JSON, and nothing in
// protobuf. An object that the exact decoder had to decode is whole and has no mark. Annotations that are left out
// are decoded if one ends the initial events of a watch, as in bookmarks. [Fields.Prune] of all objects removes the rest.
func WithFields(ctx context.Context, f *Fields) context.Context {
	return context.WithValue(ctx, fieldsKey{}, f)
}

// table returns a table like t that skips what is left out of API objects, and true; or t, if it is of something else, or
// cannot be changed so.
func (f *Fields) table(t *table.Table) (cut *table.Table, ok bool) {
	if f == nil {
		return t, false
	}
	if known, ok := f.tables.Load(t); ok {
		known := known.(cutTable)
		return known.table, known.cut
	}
	made := cutTable{t, false}
	if t.HasMetadata() {
		if cut := t.Keep(f.set.Root()); cut != nil {
			made = cutTable{cut, true}
		}
	}
	f.tables.Store(t, made)
	return made.table, made.cut
}

// mark marks an object that was cut.
func (f *Fields) mark(obj any) {
	if m, ok := obj.(metav1.Object); ok {
		m.SetSelfLink(f.set.Mark())
	}
}

// untyped returns what is decoded of untyped objects, nil if it is all.
func (f *Fields) untyped() *table.Kept {
	if f == nil {
		return nil
	}
	return &f.kept
}

// protobuf returns what is decoded of messages, nil if it is all.
func (f *Fields) protobuf() *protobuf.Kept {
	if f == nil {
		return nil
	}
	return &f.binary
}
