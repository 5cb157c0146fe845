//go:build kube

package kubectl

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/conformance/internal/kube"
	"github.com/listwatch/listwatch/runtime/rest"
)

// The documents of apitest contain for each path and model what the real server's contain.
func TestOpenAPI(t *testing.T) {
	real, ours := client(t, kube.StartTest(t).Config()), client(t, embedded.Start(t).Config())
	var list struct{ Paths map[string]any }
	decode(t, ours("/openapi/v3"), &list)
	for _, name := range slices.Sorted(maps.Keys(list.Paths)) {
		t.Run(name, func(t *testing.T) {
			var got, want map[string]any
			decode(t, ours("/openapi/v3/"+name), &got)
			decode(t, real("/openapi/v3/"+name), &want)
			compare(t, "models", dig(got, "components", "schemas"), dig(want, "components", "schemas"))
			compare(t, "paths", dig(got, "paths"), dig(want, "paths"))
			for _, doc := range []map[string]any{got, want} {
				delete(doc, "paths")
				delete(dig(doc, "components"), "schemas")
			}
			compare(t, "document", got, want)
		})
	}
	t.Run("v2", func(t *testing.T) {
		var got, want map[string]any
		decode(t, ours("/openapi/v2"), &got)
		decode(t, real("/openapi/v2"), &want)
		for _, doc := range []map[string]any{got, want} {
			for _, name := range []string{"DeleteOptions", "WatchEvent"} {
				// They have a kind in each version of each group, enabled or not.
				delete(dig(doc, "definitions", "io.k8s.apimachinery.pkg.apis.meta.v1."+name), "x-kubernetes-group-version-kind")
			}
		}
		compare(t, "models", dig(got, "definitions"), dig(want, "definitions"))
		shared := dig(want, "parameters")
		inline(want["paths"], shared)
		compare(t, "paths", dig(got, "paths"), dig(want, "paths"))
	})
}

func client(t *testing.T, config *rest.Config) func(path string) []byte {
	c, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.CloseIdleConnections)
	return func(path string) []byte {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, config.Host+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept", "application/json")
		resp, err := c.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		data, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s %v", path, resp.Status, err)
		}
		return data
	}
}

func decode(t *testing.T, data []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

func dig(doc map[string]any, path ...string) map[string]any {
	for _, name := range path {
		doc, _ = doc[name].(map[string]any)
	}
	return doc
}

// compare reports what got has that want does not have, or has otherwise.
func compare(t *testing.T, what string, got, want map[string]any) {
	t.Helper()
	if len(got) == 0 {
		t.Errorf("no %s", what)
	}
	wrong := 0
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if !same(got[name], want[name]) {
			if wrong++; wrong <= 3 {
				g, _ := json.Marshal(got[name])
				w, _ := json.Marshal(want[name])
				g, w = differing(g, w)
				t.Errorf("%s: %s:\n got %s\nwant %s", what, name, g, w)
			}
		}
	}
	missing := 0
	for name := range want {
		if got[name] == nil {
			missing++
			if testing.Verbose() {
				t.Logf("%s: %s is missing", what, name)
			}
		}
	}
	t.Logf("%d %s, %d differ, %d of the real server's missing", len(got), what, wrong, missing)
}

// differing cuts off what two texts have in common.
func differing(a, b []byte) ([]byte, []byte) {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	i = max(0, i-80)
	return a[i:min(len(a), i+300)], b[i:min(len(b), i+300)]
}

// same compares values; lists of parameters and kinds have no order.
func same(a, b any) bool { return reflect.DeepEqual(sorted(a), sorted(b)) }

func sorted(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			v[key] = sorted(value)
		}
	case []any:
		for i := range v {
			v[i] = sorted(v[i])
		}
		slices.SortFunc(v, func(a, b any) int {
			x, _ := json.Marshal(a)
			y, _ := json.Marshal(b)
			return strings.Compare(string(x), string(y))
		})
	}
	return v
}

// inline replaces references to shared parameters.
func inline(v any, shared map[string]any) {
	switch v := v.(type) {
	case map[string]any:
		for _, value := range v {
			inline(value, shared)
		}
	case []any:
		for i := range v {
			if m, ok := v[i].(map[string]any); ok {
				if ref, ok := m["$ref"].(string); ok {
					if name, ok := strings.CutPrefix(ref, "#/parameters/"); ok {
						v[i] = shared[name]
					}
				}
			}
			inline(v[i], shared)
		}
	}
}
