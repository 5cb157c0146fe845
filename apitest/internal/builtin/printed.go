package builtin

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/listwatch/listwatch/apitest/internal/builtin/facts"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/apiserver/pkg/registry/rest"
)

// printed converts objects of one of Kubernetes' own kinds to tables with the recorded columns.
type printed struct {
	columns []metav1.TableColumnDefinition
	cells   func(runtime.Object) []any
}

// tableConvertor returns how objects of a resource are printed: with the name and the age, if the kind has
// no columns of its own.
func tableConvertor(def *definition) rest.TableConvertor {
	cells := cellsOf[def.gvr.GroupResource()]
	columns := facts.Columns(def.gvr.Group, def.gvr.Version, def.gvr.Resource)
	if !def.known || cells == nil || columns == nil {
		return rest.NewDefaultTableConvertor(def.gvr.GroupResource())
	}
	return &printed{columns, cells}
}

// ConvertToTable implements rest.TableConvertor.
func (p *printed) ConvertToTable(_ context.Context, obj, options runtime.Object) (*metav1.Table, error) {
	table := &metav1.Table{}
	if o, ok := options.(*metav1.TableOptions); !ok || !o.NoHeaders {
		table.ColumnDefinitions = p.columns
	}
	add := func(obj runtime.Object) error {
		table.Rows = append(table.Rows, metav1.TableRow{Cells: p.cells(obj), Object: runtime.RawExtension{Object: obj}})
		return nil
	}
	if list, err := meta.ListAccessor(obj); err == nil && meta.IsListType(obj) {
		table.ResourceVersion, table.Continue = list.GetResourceVersion(), list.GetContinue()
		table.RemainingItemCount = list.GetRemainingItemCount()
		return table, meta.EachListItem(obj, add)
	}
	if m, err := meta.CommonAccessor(obj); err == nil {
		table.ResourceVersion = m.GetResourceVersion()
	}
	return table, add(obj)
}

// cellsOf returns the cells of an object, by its resource. A resource that is missing is printed with
// the name and the time of creation.
var cellsOf = map[schema.GroupResource]func(runtime.Object) []any{}

// prints sets the cells of a resource's objects.
func prints[T runtime.Object](group, resource string, cells func(T) []any) {
	cellsOf[schema.GroupResource{Group: group, Resource: resource}] = func(obj runtime.Object) []any {
		if o, ok := obj.(T); ok {
			return cells(o)
		}
		return nil
	}
}

const (
	none    = "<none>"
	unset   = "<unset>"
	unknown = "<unknown>"
)

// age returns the time since an object was created.
func age(m metav1.Object) string { return since(m.GetCreationTimestamp().Time) }

func since(t time.Time) string {
	if t.IsZero() {
		return unknown
	}
	return duration.HumanDuration(time.Since(t))
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// some joins at most limit elements, and counts the rest.
func some(list []string, limit int) string {
	if len(list) == 0 {
		return none
	}
	if len(list) <= limit {
		return strings.Join(list, ",")
	}
	return fmt.Sprintf("%s + %d more...", strings.Join(list[:limit], ","), len(list)-limit)
}

func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// text returns a value, or "<unset>".
func text[T any](p *T) string {
	if p == nil {
		return unset
	}
	return fmt.Sprint(*p)
}
