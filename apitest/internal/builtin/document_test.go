package builtin

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/apitest/internal/builtin/catalog"
	"github.com/listwatch/listwatch/apitest/internal/builtin/kinds"
	"github.com/listwatch/listwatch/apitest/internal/store"
	checks "github.com/listwatch/listwatch/apitest/internal/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
)

const documentHead = `<!-- Written by LISTWATCH_UPDATE=1 go test ./internal/builtin -run TestDocument, in apitest. -->
# Validation of built-in kinds

Custom resources are validated completely, by Kubernetes' own code. Of its own kinds, ` + "`apitest`" + ` validates what this page
lists, with the errors of the real server; [the cases](conformance.md#validation) compare them. The metadata of every
object is validated. To test what is not checked here, run the test on a real API server.

## Kinds

Checks are counted with those of all types in the kind, for example of the pods that a deployment creates. "Code": other
rules are checked in Go, not by tables. "Nothing": there is nothing to validate except metadata.

| resource | checks | code | status |
|---|--:|:-:|:-:|
`

const documentTypes = `
## Types

The names of checks are those of [the tables](../apitest/internal/validation/tables), "\*" is for several fields of the type,
"[]" for the items of a list or map, and "{}" for the keys of a map. A check may concern what is inside its field. The real server checks some of the fields without
checks; in the others, any value is valid.

| type | checks | fields without checks |
|---|---|---|
`

// TestDocument checks that docs/validation.md is what the tables say.
func TestDocument(t *testing.T) {
	resources, err := New(Options{Backend: store.NewBackend(store.Options{}), Scheme: scheme.Scheme})
	if err != nil {
		t.Fatal(err)
	}
	var rows, types strings.Builder
	seen := map[string]bool{}
	for _, def := range definitions(t, resources.catalog) {
		hub, unknown := resources.hub(def)
		if unknown != nil {
			t.Fatal(unknown)
		}
		obj, unknown := scheme.Scheme.New(hub.Kind)
		if unknown != nil {
			t.Fatal(unknown)
		}
		described, wrong := checks.Describe(reflect.TypeOf(obj).Elem())
		if wrong != nil {
			t.Fatal(wrong)
		}
		rows.WriteString(kindLine(t, def, hub, obj, described))
		for _, d := range described {
			if !seen[d.Name] && (len(d.Checks) > 0 || len(d.Without) > 0) {
				seen[d.Name] = true
				fmt.Fprintf(&types, "| %s | %s | %s |\n", d.Name, code(d.Checks, ";"), code(d.Without, ","))
			}
		}
	}
	got := documentHead + rows.String() + documentTypes + types.String()
	file := filepath.Join("..", "..", "..", "docs", "validation.md")
	if os.Getenv("LISTWATCH_UPDATE") != "" {
		if err = os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s is stale: run this test with LISTWATCH_UPDATE=1", file)
	}
}

// definitions returns all definitions of a catalog, in its order.
func definitions(t *testing.T, c *catalog.Catalog) []*catalog.Definition {
	t.Helper()
	var out []*catalog.Definition
	for _, group := range c.Groups() {
		for _, version := range group.Versions {
			for _, resource := range version.Resources {
				gvr := schema.GroupVersionResource{Group: group.Name, Version: version.Version, Resource: resource.Resource}
				def, err := c.Find(gvr)
				if err != nil || def == nil {
					t.Fatalf("find %s, which Groups returns: got %v and error %v", gvr, def, err)
				}
				out = append(out, def)
			}
		}
	}
	return out
}

// kindLine returns the row of a resource.
func kindLine(t *testing.T, def, hub *catalog.Definition, obj runtime.Object, described []checks.Type) string {
	t.Helper()
	of := reflect.TypeOf(obj).Elem()
	r := kinds.RulesOf(hub.GVR.GroupResource())
	n, status := 0, ""
	for _, d := range described {
		if strings.HasSuffix(d.Name, "/status") || strings.HasSuffix(d.Name, "."+of.Name()+"Status") {
			status = "✓"
			continue
		}
		n += len(d.Checks)
	}
	count, mark := fmt.Sprint(n), ""
	if r.Validate != nil || r.ValidateUpdate != nil || r.ValidateRequest != nil {
		mark = "✓"
	}
	if n == 0 && mark == "" {
		if hub.GVR.Resource != "serviceaccounts" { // their declared rules are of their metadata
			t.Errorf("%s has no checks", hub.GVR)
		}
		count = "nothing"
	}
	gvr := def.GVR.Resource + "." + def.GVR.Version
	if def.GVR.Group != "" {
		gvr += "." + def.GVR.Group
	}
	return fmt.Sprintf("| %s | %s | %s | %s |\n", gvr, count, mark, status)
}

func code(texts []string, separator string) string {
	var out []string
	for _, text := range texts {
		out = append(out, "`"+strings.ReplaceAll(text, "|", `\|`)+"`")
	}
	return strings.Join(out, separator+" ")
}
