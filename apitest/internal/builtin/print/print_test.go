package print

import (
	"context"
	"testing"

	"github.com/listwatch/listwatch/apitest/internal/builtin/facts"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
)

// A row has a cell for each column, also for an object without any fields, and in versions whose types this package
// does not know.
func TestCellsMatchColumns(t *testing.T) {
	seen := map[schema.GroupResource]bool{}
	for _, group := range facts.Groups() {
		versions, _, err := facts.Group(group)
		if err != nil {
			t.Fatalf("read the recorded resources of group %q: %v", group, err)
		}
		for _, version := range versions {
			for _, resource := range version.Resources {
				gvr := schema.GroupVersionResource{Group: group, Version: version.Version, Resource: resource.Resource}
				obj, err := scheme.Scheme.New(gvr.GroupVersion().WithKind(resource.ResponseKind.Kind))
				if cellsOf[gvr.GroupResource()] == nil || err != nil {
					continue
				}
				seen[gvr.GroupResource()] = true
				table, err := Convertor(gvr, obj).ConvertToTable(context.Background(), obj, nil)
				if err != nil {
					t.Fatalf("print an empty %T: %v", obj, err)
				}
				want := len(table.ColumnDefinitions)
				if gvr.Resource == "ipaddresses" {
					want++ // the real server has the age, but no column for it
				}
				if got := len(table.Rows[0].Cells); got != want {
					t.Errorf("an empty %T is printed with %d cells, want %d, as it has columns", obj, got, want)
				}
			}
		}
	}
	if len(seen) != len(cellsOf) {
		t.Errorf("%d resources were printed, want all %d", len(seen), len(cellsOf))
	}
}
