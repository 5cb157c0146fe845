package project

import (
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/diff"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/yaml"

	"github.com/listwatch/listwatch/internal/golden"
)

// shop is the API of examples/shop, which is a project in another module.
var shop = API{
	Module: "github.com/listwatch/listwatch/examples/shop",
	Group:  "storage.example.com", Version: "v1", Kind: "Database",
	Deploy: true, Go: "1.26",
}

// TestShop checks that examples/shop, which is compiled and tested, equals the project, except for the arguments of
// gen-all, which is run in another directory than the module's there.
func TestShop(t *testing.T) {
	files, err := shop.Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name := filepath.Join("..", "..", "examples", "shop", filepath.FromSlash(f.Path))
		if f.Path == "generate.go" {
			continue
		}
		if golden.Update {
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, f.Text, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if d := diff.Diff(name, text, f.Path, f.Text); len(d) > 0 {
			t.Errorf("%s is not what gen-all init writes; run make generate:\n%s", name, d)
		}
	}
}

// TestFiles checks that the files of all sorts of names are Go, and contain no trace of the template.
func TestFiles(t *testing.T) {
	for _, api := range []API{
		shop,
		{Module: "example.com/a", Group: "meta.example.com", Version: "v1beta1", Kind: "Type", Plural: "typen", Cluster: true},
		{Module: "example.com/b/no-operator", Group: "meta.example.com", Version: "v1", Kind: "No", Cluster: true, Deploy: true, Go: "1.27"},
		{Module: "example.com/_", Group: strings.Repeat("a", 60) + ".example.com", Version: "v1", Kind: "A", Deploy: true, Go: "1.27"},
		{Module: "example.com/my-shop/v2", Group: "1-2-go.example.com", Version: "v2alpha3", Kind: "HTTPRoute"},
		{Module: "shop", Group: "start.example.com", Version: "v1", Kind: "Error", Cluster: true},
	} {
		t.Run(api.Kind, func(t *testing.T) {
			if err := api.Check(); err != nil {
				t.Fatal(err)
			}
			files, err := api.Files()
			if err != nil {
				t.Fatal(err)
			}
			texts := map[string]string{}
			for _, f := range files {
				texts[f.Path] = string(f.Text)
				switch path.Ext(f.Path) {
				case ".go":
					if _, err := parser.ParseFile(token.NewFileSet(), f.Path, f.Text, parser.SkipObjectResolution); err != nil {
						t.Error(err)
					}
				case ".yaml":
					checkYAML(t, f)
				}
				for _, trace := range []string{"{{", "}}", "<no value>"} {
					if strings.Contains(string(f.Text), trace) {
						t.Errorf("%s contains %s", f.Path, trace)
					}
				}
			}
			want := []string{api.Dir() + "/doc.go", api.Dir() + "/types.go", "controller.go", "controller_test.go", "generate.go", "main.go"}
			if api.Deploy {
				want = append(want, ".dockerignore", ".github/workflows/ci.yaml", "Dockerfile", "config/crd/kustomization.yaml",
					"config/default/kustomization.yaml", "config/manager/kustomization.yaml", "config/manager/manager.yaml",
					"config/rbac/kustomization.yaml", "config/rbac/service_account.yaml",
					"config/samples/"+api.label()+"_"+api.Version+"_"+strings.ToLower(api.Kind)+".yaml", "operator.go", "operator_test.go")
				slices.Sort(want)
			}
			if d := cmp.Diff(want, slices.Sorted(maps.Keys(texts))); d != "" {
				t.Error(d)
			}
			types := texts[api.Dir()+"/types.go"]
			for marker, want := range map[string]bool{
				"+genclient:nonNamespaced":             api.Cluster,
				"+kubebuilder:resource:":               api.Cluster || api.Plural != "" || api.Deploy,
				"+kubebuilder:subresource:status":      true,
				"+k8s:deepcopy-gen:interfaces=k8s.io/": true,
			} {
				if strings.Contains(types, marker) != want {
					t.Errorf("%s: want %v in\n%s", marker, want, types)
				}
			}
			if !regexp.MustCompile(`(?m)^// \+groupName=` + regexp.QuoteMeta(api.Group) + `$`).MatchString(texts[api.Dir()+"/doc.go"]) {
				t.Errorf("no group in\n%s", texts[api.Dir()+"/doc.go"])
			}
		})
	}
}

// checkYAML checks that the objects in a file have names that API servers take, and that their kinds are text.
func checkYAML(t *testing.T, f File) {
	t.Helper()
	for i, document := range strings.Split("\n"+string(f.Text), "\n---\n") {
		var object struct {
			Kind     any
			Metadata struct{ Name, Namespace any }
		}
		if err := yaml.Unmarshal([]byte(document), &object); err != nil {
			t.Errorf("%s: document %d: %v", f.Path, i, err)
		}
		if object.Kind == nil {
			continue
		}
		if _, ok := object.Kind.(string); !ok {
			t.Errorf("%s: document %d: the kind is %v", f.Path, i, object.Kind)
		}
		for _, name := range []any{object.Metadata.Name, object.Metadata.Namespace} {
			text, ok := name.(string)
			if name != nil && (!ok || len(validation.IsDNS1123Label(text)) > 0) {
				t.Errorf("%s: document %d: the name %v", f.Path, i, name)
			}
		}
	}
}

func TestNames(t *testing.T) {
	for module, want := range map[string]string{
		"example.com/shop": "shop-controller", "github.com/acme/My_operator/v2": "my-controller", "example.com/42": "42-controller",
		"example.com/_": "storage-controller", "example.com/" + strings.Repeat("a", 80): strings.Repeat("a", 40) + "-controller",
		"example.com/" + strings.Repeat("a", 39) + "-b": strings.Repeat("a", 39) + "-controller",
	} {
		if got := (names{API{Module: module, Group: shop.Group}}).Name(); got != want {
			t.Errorf("%s: got %s, want %s", module, got, want)
		}
	}
}

func TestDefault(t *testing.T) {
	for _, c := range []struct{ module, group, kind string }{
		{"example.com/shop", "shop.example.com", "Shop"},
		{"example.com/team/web-site/v3", "web-site.example.com", "WebSite"},
		{"github.com/acme/shop-operator", "shop-operator.example.com", "Shop"},
		{"github.com/acme/operator", "operator.example.com", "Operator"},
		{"k8s.acme.org/my_controller", "my-controller.k8s.acme.org", "My"},
		{"shop", "shop.example.com", "Shop"},
		{"example.com", "example.com", "Example"},
		{"example.com/42", "42.example.com", "Example"},
		{"example.com/list", "list.example.com", "Example"},
		{"example.com/resource", "resource.example.com", "Example"},
		{"gopkg.in/shop.v2", "shop.gopkg.in", "Shop"},
	} {
		t.Run(c.module, func(t *testing.T) {
			want := API{Module: c.module, Group: c.group, Version: "v1", Kind: c.kind}
			if d := cmp.Diff(want, Default(c.module)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(a *API)
		want   []string // parts of the error; none if the API is valid
	}{
		{name: "valid", change: func(*API) {}},
		{name: "group with upper-case letters", change: func(a *API) { a.Group = "Storage.example.com" }, want: []string{`--group: invalid API group "Storage.example.com": a lowercase RFC 1123 subdomain`}},
		{name: "group without a domain", change: func(a *API) { a.Group = "storage" }, want: []string{"add a domain of yours, as in storage.example.com"}},
		{name: "no group", change: func(a *API) { a.Group = "" }, want: []string{"--group"}},
		{name: "Kubernetes' domain", change: func(a *API) { a.Group = "storage.k8s.io" }, want: []string{"groups below k8s.io are Kubernetes' own"}},
		{name: "another domain that ends alike", change: func(a *API) { a.Group = "storage.ak8s.io" }},
		{name: "internal directory", change: func(a *API) { a.Group = "internal.example.com" }, want: []string{"a directory named internal"}},
		{name: "no letters", change: func(a *API) { a.Group = "42.example.com" }, want: []string{"a word that contains a letter"}},
		{name: "version without v", change: func(a *API) { a.Version = "1" }, want: []string{`--api-version: invalid version "1"; want one such as v1`}},
		{name: "version zero", change: func(a *API) { a.Version = "v0" }, want: []string{"--api-version"}},
		{name: "version of a release", change: func(a *API) { a.Version = "v1.2" }, want: []string{"--api-version"}},
		{name: "beta", change: func(a *API) { a.Version = "v2beta10" }},
		{name: "kind in lower case", change: func(a *API) { a.Kind = "database" }, want: []string{`--kind: invalid kind "database"; did you mean Database?`}},
		{name: "kind with a hyphen", change: func(a *API) { a.Kind = "web-site" }, want: []string{"as in WebSite"}},
		{name: "list", change: func(a *API) { a.Kind = "DatabaseList" }, want: []string{"lists of other kinds, here of Database"}},
		{name: "Kubernetes' list", change: func(a *API) { a.Kind = "List" }, want: []string{"Kubernetes' own lists"}},
		{name: "function of the package", change: func(a *API) { a.Kind = "Resource" }, want: []string{"declares this name"}},
		{name: "long kind", change: func(a *API) { a.Kind = strings.Repeat("A", 64) }, want: []string{"longer than 63"}},
		{name: "plural", change: func(a *API) { a.Plural = "data" }},
		{name: "plural in upper case", change: func(a *API) { a.Plural = "Data" }, want: []string{`--plural: invalid resource name "Data"`}},
		{
			name: "everything", change: func(a *API) { *a = API{Group: "a", Version: "b", Kind: "c-", Plural: "D"} },
			want: []string{"--group", "--api-version", "--kind", "--plural"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			api := shop
			c.change(&api)
			err := api.Check()
			if (err != nil) != (len(c.want) > 0) {
				t.Fatalf("got %v", err)
			}
			for _, part := range c.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%v does not contain %q", err, part)
				}
			}
		})
	}
}

func TestWords(t *testing.T) {
	for give, want := range map[string]string{
		"Databases": "databases", "WebSites": "web sites", "HTTPRoutes": "HTTP routes", "A": "a", "OSImages": "OS images",
		"V2Shoes": "v2 shoes",
	} {
		if got := words(give); got != want {
			t.Errorf("%s: got %q, want %q", give, got, want)
		}
	}
}
