package model_test

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators/model"
)

func TestKindNames(t *testing.T) {
	for _, c := range []struct {
		name string
		kind string
		want model.Names
	}{
		{"usual", "Shoe", model.Names{
			Public: "Shoe", Private: "shoe", Plural: "Shoes", PrivatePlural: "shoes",
			Client: "shoes", Param: "shoe", ExpansionFile: "shoe_expansion.go",
		}},
		{"several words", "CronJob", model.Names{
			Public: "CronJob", Private: "cronJob", Plural: "CronJobs", PrivatePlural: "cronJobs",
			Client: "cronJobs", Param: "cronJob", ExpansionFile: "cronjob_expansion.go",
		}},
		{"abbreviation", "APIService", model.Names{
			Public: "APIService", Private: "aPIService", Plural: "APIServices", PrivatePlural: "aPIServices",
			Client: "aPIServices", Param: "aPIService", ExpansionFile: "apiservice_expansion.go",
		}},
		{"keyword", "Type", model.Names{
			Public: "Type", Private: "type", Plural: "Types", PrivatePlural: "types",
			Client: "typesClient", Param: "typeObject", ExpansionFile: "type_expansion.go",
		}},
		{"import in the plural", "Label", model.Names{
			Public: "Label", Private: "label", Plural: "Labels", PrivatePlural: "labels",
			Client: "labelsClient", Param: "label", ExpansionFile: "label_expansion.go",
		}},
		{"variable", "Result", model.Names{
			Public: "Result", Private: "result", Plural: "Results", PrivatePlural: "results",
			Client: "results", Param: "resultObject", ExpansionFile: "result_expansion.go",
		}},
		{"exception", "Goose", model.Names{
			Public: "Goose", Private: "goose", Plural: "Geese", PrivatePlural: "geese",
			Client: "geese", Param: "goose", ExpansionFile: "goose_expansion.go",
		}},
		{"exception that is a keyword", "Ranger", model.Names{
			Public: "Ranger", Private: "ranger", Plural: "Range", PrivatePlural: "range",
			Client: "rangeClient", Param: "ranger", ExpansionFile: "ranger_expansion.go",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			plurals := model.NewPlurals(map[string]string{"Goose": "Geese", "Ranger": "range"})
			if d := cmp.Diff(c.want, plurals.KindNames(c.kind)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestResource(t *testing.T) {
	plurals := model.NewPlurals(map[string]string{"Endpoints": "Endpoints", "Gateway": "gAtEwAyS"})
	for _, c := range []struct{ name, kind, want string }{
		{"usual", "Shoe", "shoes"},
		{"upper case within", "CronJob", "cronjobs"},
		{"ends in s", "Class", "classes"},
		{"ends in x", "Box", "boxes"},
		{"ends in z", "Waltz", "waltzes"},
		{"ends in ch", "Switch", "switches"},
		{"ends in sh", "Dish", "dishes"},
		{"ends in another h", "Path", "paths"},
		{"consonant and y", "Policy", "policies"},
		{"vowel and y", "Monkey", "monkeys"},
		{"ends in f", "Leaf", "leaves"},
		{"ends in fe", "Knife", "knives"},
		{"ends in another e", "Node", "nodes"},
		{"one letter", "K", "k"},
		{"exception", "Endpoints", "endpoints"},
		{"exception in any case", "Gateway", "gateways"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := plurals.Resource(c.kind); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestParamName names parameters so that they compile: a name must not be a
// keyword, nor hide what the function body needs.
func TestParamName(t *testing.T) {
	for _, c := range []struct{ name, kind, want string }{
		{"usual", "Shoe", "shoe"},
		{"keyword", "Interface", "interfaceObject"},
		{"predeclared type", "String", "stringObject"},
		{"predeclared function", "Append", "appendObject"},
		{"predeclared constant", "Nil", "nilObject"},
		{"import", "Cache", "cacheObject"},
		{"import of the standard library", "Context", "contextObject"},
		{"variable", "Opts", "optsObject"},
		{"receiver", "C", "cObject"},
		{"variable of one verb only", "Subresources", "subresourcesObject"},
		{"keyword in part", "TypeMap", "typeMap"},
		{"result of a suffix", "CacheObject", "cacheObject"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := model.ParamName(c.kind)
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if !token.IsIdentifier(got) {
				t.Errorf("%q is not a name", got)
			}
		})
	}
}

// TestReservedParams checks that no parameter hides a package.
func TestReservedParams(t *testing.T) {
	for _, name := range model.Reserved() {
		if got, want := model.ParamName(model.Title(name)), name+"Object"; got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestTitleAndPrivate(t *testing.T) {
	for _, c := range []struct{ name, give, title, private string }{
		{"lower case", "apps", "Apps", "apps"},
		{"upper case", "Apps", "Apps", "apps"},
		{"mixed", "hTTP", "HTTP", "hTTP"},
		{"one letter", "a", "A", "a"},
		{"digit", "3scale", "3scale", "3scale"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := model.Title(c.give); got != c.title {
				t.Errorf("title: got %q, want %q", got, c.title)
			}
			if got := model.Private(c.give); got != c.private {
				t.Errorf("private: got %q, want %q", got, c.private)
			}
		})
	}
}

func TestVersionNames(t *testing.T) {
	type names struct{ Go, Field, NonEmpty, Dir, Package, Alias string }
	for _, c := range []struct {
		name                 string
		groupGoName, version string
		want                 names
	}{
		{"usual", "Apps", "v1beta1", names{"AppsV1beta1", "appsV1beta1", "v1beta1", "v1beta1", "v1beta1", "appsv1beta1"}},
		{"internal version", "Apps", "", names{"Apps", "apps", "internalVersion", "internalversion", "internalversion", "appsinternalversion"}},
		{"internal version of a reserved group", "Rest", "", names{"Rest", "rest", "internalVersion", "internalversion", "internalversion", "restinternalversion"}},
		{"internal version of a keyword", "Type", "", names{"Type", "typeClient", "internalVersion", "internalversion", "internalversion", "typeinternalversion"}},
		{"upper case", "APIs", "V1", names{"APIsV1", "aPIsV1", "V1", "v1", "v1", "apisv1"}},
		{"invalid characters", "Apps", "v1-alpha.2", names{"AppsV1-alpha.2", "appsV1-alpha.2", "v1-alpha.2", "v1-alpha.2", "v1alpha2", "appsv1alpha2"}},
		{"alias that is taken", "Meta", "v1", names{"MetaV1", "metaV1", "v1", "v1", "v1", "metav1types"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := &model.Version{Group: &model.Group{}, GroupGoName: c.groupGoName, Name: c.version}
			got := names{v.GoName(), v.Field(), v.NonEmptyName(), v.Dir(), v.PackageName(), v.TypesAlias()}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestGroupNames(t *testing.T) {
	for _, c := range []struct {
		name        string
		group       model.Group
		nonEmpty    string
		packageName string
	}{
		{"usual", model.Group{Name: "apps", Dir: "apps"}, "apps", "apps"},
		{"core", model.Group{Name: "", Dir: "core"}, "core", "core"},
		{"directory with dots", model.Group{Name: "shop.example.com", Dir: "shop.example.com"}, "shop.example.com", "shop"},
		{"directory with hyphens", model.Group{Name: "a", Dir: "my-shop"}, "a", "myshop"},
		{"directory that begins with a digit", model.Group{Name: "a", Dir: "3scale"}, "a", "x3scale"},
		{"keyword", model.Group{Name: "a", Dir: "type"}, "a", "typegroup"},
		{"keyword before a dot", model.Group{Name: "a", Dir: "func.example.com"}, "a", "funcgroup"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.group.NonEmptyName(); got != c.nonEmpty {
				t.Errorf("name: got %q, want %q", got, c.nonEmpty)
			}
			if got := c.group.PackageName(); got != c.packageName {
				t.Errorf("package: got %q, want %q", got, c.packageName)
			}
		})
	}
}

func TestGroupGoName(t *testing.T) {
	for _, c := range []struct {
		name   string
		group  string
		labels int
		want   string
	}{
		{"one label", "apps", 1, "Apps"},
		{"the first label", "shop.example.com", 1, "Shop"},
		{"two labels", "shop.example.com", 2, "ShopExample"},
		{"all labels", "shop.example.com", 3, "ShopExampleCom"},
		{"more than there are", "shop.example.com", 9, "ShopExampleCom"},
		{"hyphens", "my-own-shop.example.com", 1, "MyOwnShop"},
		{"hyphens in a further label", "shop.my-org.com", 2, "ShopMyOrg"},
		{"digit at the start", "3scale.net", 1, "Scale"},
		{"digits at the start", "360view", 1, "View"},
		{"digit within", "k8s.io", 1, "K8s"},
		{"digit at the start of a further label", "shop.3scale.net", 2, "Shop3scale"},
		{"digits before a hyphen", "3-shop.io", 1, "Shop"},
		{"digit after a hyphen", "shop-2.io", 1, "Shop2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := model.GroupGoName(c.group, c.labels); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestIdentifier(t *testing.T) {
	for _, c := range []struct{ name, give, want string }{
		{"a name", "apps", "apps"},
		{"every letter that stays", "azAZ_09", "azAZ_09"},
		{"hyphens and dots", "my-shop.io", "myshopio"},
		{"digit first", "2fa", "x2fa"},
		{"the first digit first", "0day", "x0day"},
		{"the last digit first", "9pins", "x9pins"},
		{"a digit", "2", "x2"},
		{"digit first after a hyphen", "-2fa", "x2fa"},
		{"letters of other scripts", "größe", "gre"},
		{"nothing left", "-.-", "x"},
		{"nothing", "", "x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := model.Identifier(c.give)
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if !token.IsIdentifier(got) {
				t.Errorf("%q is not a name", got)
			}
		})
	}
}

func TestForeignAlias(t *testing.T) {
	for _, c := range []struct{ name, give, want string }{
		{"usual", "k8s.io/api/autoscaling/v1", "autoscalingv1"},
		{"hyphens", "example.com/my-shop/v1", "myshopv1"},
		{"upper case", "example.com/Shop/V1", "shopv1"},
		{"digit first", "example.com/3scale/v1", "x3scalev1"},
		{"taken", "example.com/meta/v1", "metav1types"},
		{"one element", "types", "xtypes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := model.ForeignAlias(c.give)
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if !token.IsIdentifier(got) {
				t.Errorf("%q is not a name", got)
			}
		})
	}
}

func TestFileName(t *testing.T) {
	for _, c := range []struct {
		name         string
		prefix, kind string
		taken        []string
		want         string
	}{
		{name: "usual", kind: "CronJob", want: "cronjob.go"},
		{name: "prefix", prefix: "fake_", kind: "Shoe", want: "fake_shoe.go"},
		{name: "taken", kind: "Doc", taken: []string{"doc.go", "x.go"}, want: "doc_kind.go"},
		{name: "taken without the prefix", prefix: "fake_", kind: "Doc", taken: []string{"doc.go"}, want: "fake_doc.go"},
		{name: "taken with the prefix", prefix: "fake_", kind: "Shop_Client", taken: []string{"fake_shop_client.go"}, want: "fake_shop_client_kind.go"},
		{name: "test", kind: "Test", want: "test.go"},
		{name: "test after the prefix", prefix: "fake_", kind: "Test", want: "fake_test_kind.go"},
		{name: "test in the kind", kind: "Load_Test", want: "load_test_kind.go"},
		{name: "system", kind: "Linux", want: "linux.go"},
		{name: "system after the prefix", prefix: "fake_", kind: "Windows", want: "fake_windows_kind.go"},
		{name: "architecture after the prefix", prefix: "fake_", kind: "ARM64", want: "fake_arm64_kind.go"},
		{name: "system and architecture", kind: "A_Linux_AMD64", want: "a_linux_amd64_kind.go"},
		{name: "system within", kind: "A_Linux_Host", want: "a_linux_host.go"},
		{name: "test within", prefix: "fake_", kind: "TestRun", want: "fake_testrun.go"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := model.FileName(c.prefix, c.kind, c.taken...)
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if !alwaysBuilt(t, got) {
				t.Errorf("%s is not built everywhere", got)
			}
		})
	}
}

// TestFileNameEndings checks with the go command's own list of systems and architectures which
// endings exclude a file.
func TestFileNameEndings(t *testing.T) {
	list := filepath.Join(build.Default.GOROOT, "src", "internal", "syslist", "syslist.go")
	syntax, err := parser.ParseFile(token.NewFileSet(), list, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	ast.Inspect(syntax, func(node ast.Node) bool {
		pair, ok := node.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		ending := strings.Trim(pair.Key.(*ast.BasicLit).Value, `"`)
		n++
		if built, name := alwaysBuilt(t, "fake_"+ending+".go"), model.FileName("fake_", ending); built != (name == "fake_"+ending+".go") {
			t.Errorf("fake_%s.go: built everywhere is %v, and the name is %s", ending, built, name)
		}
		if name := model.FileName("fake_", ending); !alwaysBuilt(t, name) {
			t.Errorf("%s is not built everywhere", name)
		}
		return true
	})
	if n < 30 {
		t.Errorf("only %d endings found in %s", n, list)
	}
}

// alwaysBuilt reports whether the go command builds a file of that name for a system and
// architecture that do not exist.
func alwaysBuilt(t *testing.T, name string) bool {
	t.Helper()
	if strings.HasSuffix(name, "_test.go") {
		return false
	}
	ctxt := build.Context{
		GOOS: "none", GOARCH: "none", Compiler: "gc",
		OpenFile: func(string) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("package p\n")), nil
		},
	}
	match, err := ctxt.MatchFile(".", name)
	if err != nil {
		t.Fatal(err)
	}
	return match
}
