package embedded_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// manifest defines the plural of a kind in group example.com.
func manifest(plural, kind string) string {
	return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ` + plural + `.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {plural: ` + plural + `, singular: ` + strings.ToLower(kind) + `, kind: ` + kind + `, listKind: ` + kind + `List}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {size: {type: integer, maximum: 10}}}
          status: {type: object, properties: {ready: {type: boolean}}}
`
}

// folder writes files and returns their directory.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), content)
	}
	return dir
}

func write(tb testing.TB, file, content string) {
	tb.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		tb.Fatal(err)
	}
}

func TestManifests(t *testing.T) {
	dir := folder(t, map[string]string{
		"one/as.yaml":      "# A comment.\n---\n" + manifest("as", "A") + "---\n" + manifest("bs", "B") + "---\n",
		"one/deep/cs.yml":  manifest("cs", "C"),
		"one/notes.txt":    "no manifest",
		"two/ds.json":      `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"ConfigMap"},` + jsonManifest("ds", "D") + `]}`,
		"two/others.yaml":  "apiVersion: v1\nkind: ConfigMap\n",
		"three/es.crd":     manifest("es", "E"),
		"three/[odd].yaml": manifest("fs", "F"),
	})
	for _, c := range []struct {
		name   string
		paths  []string
		served string
	}{
		{"file", []string{"one/as.yaml"}, "as bs"},
		{"folder", []string{"one"}, "as bs cs"},
		{"pattern", []string{"*/*s.*"}, "as bs ds"},
		{"several", []string{"one/deep", "two/ds.json"}, "cs ds"},
		{"file of another extension", []string{"three/es.crd"}, "es"},
		{"name that looks like a pattern", []string{"three/[odd].yaml"}, "fs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var paths []string
			for _, path := range c.paths {
				paths = append(paths, filepath.Join(dir, path))
			}
			srv := embedded.Start(t, embedded.WithCRDs(paths...))
			var served []string
			for _, plural := range strings.Fields("as bs cs ds es fs") {
				if code, _ := get(t, srv.Config(), "/apis/example.com/v1/"+plural); code == 200 {
					served = append(served, plural)
				}
			}
			if got := strings.Join(served, " "); got != c.served {
				t.Errorf("served: %s, want %s", got, c.served)
			}
		})
	}
}

func jsonManifest(plural, kind string) string {
	return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"` + plural + `.example.com"},` +
		`"spec":{"group":"example.com","scope":"Namespaced","names":{"plural":"` + plural + `","kind":"` + kind + `"},` +
		`"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}`
}

func TestManifestErrors(t *testing.T) {
	dir := folder(t, map[string]string{
		"empty/a.yaml":   "apiVersion: v1\nkind: ConfigMap\n",
		"bad.yaml":       manifest("as", "A") + "---\nkind: [",
		"old.yaml":       "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\n",
		"type.yaml":      "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {versions: 1}\n",
		"invalid.yaml":   strings.Replace(manifest("as", "A"), "type: integer", "type: number-ish", 1),
		"typo.yaml":      manifest("as", "A") + "---\n" + strings.Replace(manifest("bs", "B"), "maximum", "maximun", 1),
		"list.json":      `{"apiVersion":"v1","kind":"List","items":1}`,
		"otherlist.json": `{"apiVersion":"v1","kind":"List","items":[1]}`,
	})
	for _, c := range []struct{ path, want string }{
		{"nowhere", "nowhere: no such file, directory or match"},
		{"nowhere/*.yaml", "nowhere/*.yaml: no such file, directory or match"},
		{"[", "syntax error in pattern"},
		{"empty", "no CustomResourceDefinition in"},
		{"bad.yaml", "bad.yaml: document 2: "},
		{"old.yaml", "old.yaml: document 1: a CustomResourceDefinition of apiextensions.k8s.io/v1beta1: only apiextensions.k8s.io/v1 is served"},
		{"type.yaml", "type.yaml: document 1: "},
		{"typo.yaml", `typo.yaml: document 2: CustomResourceDefinition "bs.example.com": unknown field "spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.size.maximun"`},
		{"list.json", "list.json: document 1: "},
		{"otherlist.json", "otherlist.json: document 1: "},
		{"invalid.yaml", `CustomResourceDefinition.apiextensions.k8s.io "as.example.com" is invalid`},
	} {
		t.Run(c.path, func(t *testing.T) {
			path := c.path
			if path != "[" {
				path = filepath.Join(dir, path)
			}
			srv, err := embedded.New(embedded.WithCRDs(path))
			if err == nil {
				t.Fatal("it started", srv.Stop())
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %q, want %q in it", err, c.want)
			}
		})
	}
}

// A path is relative to the working directory, which errors name.
func TestManifestNowhere(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"config/crd": filepath.Join(here, "config/crd") + ": no such file, directory or match",
		"":           "a path is empty",
	} {
		srv, err := embedded.New(embedded.WithCRDs(path))
		if err == nil {
			t.Fatal("it started", srv.Stop())
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %q, want %q in it", path, err, want)
		}
	}
}
