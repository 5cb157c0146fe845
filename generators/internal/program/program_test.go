package program_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/program"
	"github.com/listwatch/listwatch/generators/model"
)

// read reads a package with one file. It returns what the file requests, and the errors and warnings, each after the text at its position, and
// the file with all corrections; failed reports errors.
func read(t *testing.T, text string, lenient bool) (m *model.Manifests, said []string, fixed string, failed bool) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a.go")
	diags := &diag.List{Lenient: lenient}
	loader := load.New(t.Context(), load.Config{
		Dir: filepath.Dir(name), Diags: diags,
		ReadFile: func(string) ([]byte, error) { return []byte(text), nil },
		Find: func(path string) (*load.Source, error) {
			return &load.Source{Path: path, Name: "p", Files: []string{name}}, nil
		},
	})
	p, err := loader.Package("example.com/p")
	if err != nil {
		t.Fatal(err)
	}
	m = &model.Manifests{}
	if all := program.Read([]*load.Package{p}, program.Options{Permissions: true, Webhooks: true, Diags: diags}); len(all) > 0 {
		m = all[0]
	}
	found := diags.Warnings("")
	var faults diag.Errors
	if errors.As(diags.Err(""), &faults) {
		found = append(found, faults...)
	}
	slices.SortStableFunc(found, func(a, b diag.Diagnostic) int { return a.Pos.Line - b.Pos.Line })
	lines := strings.Split(text, "\n")
	var edits []diag.Edit
	for _, d := range found {
		at := ""
		if d.Pos.Line > 0 {
			at = lines[d.Pos.Line-1][d.Pos.Column-1:]
			if len(at) > 20 {
				at = at[:20]
			}
		}
		said = append(said, at+"| "+strings.ReplaceAll(d.Message, name, "a.go"))
		edits = append(edits, d.Edits...)
	}
	after, err := diag.Apply([]byte(text), edits)
	if err != nil {
		t.Fatal(err)
	}
	return m, said, string(after), diags.Err("") != nil
}

// permissionCases are the arguments of a marker +kubebuilder:rbac and what is said about it; corrected are the arguments after correction, if
// there is one.
var permissionCases = []struct {
	name, give string
	want       []string
	corrected  string
}{
	{name: "valid", give: "groups=apps,resources=deployments,verbs=get;list"},
	{name: "core", give: `groups="",resources=pods,resourceNames=a,verbs=*,namespace=shop,roleName=reader`},
	{name: "URLs", give: "urls=/metrics,verbs=get;post"},
	{name: "custom verb", give: "groups=apps,resources=deployments,verbs=fly"},
	{name: "no verbs", give: "groups=apps,resources=deployments", want: []string{"groups=apps,resource| +kubebuilder:rbac has no argument verbs, as in +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch"}},
	{name: "empty verbs", give: "groups=apps,resources=deployments,verbs=", want: []string{"| rule has no verbs, so API servers refuse it; add some, as in +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch"}},
	{name: "no groups", give: "resources=deployments,verbs=get", want: []string{"+kubebuilder:rbac:re| rule has neither groups nor urls, so API servers refuse it; add groups, with groups=\"\" for the core group"}},
	{name: "no resources", give: "groups=apps,verbs=get", want: []string{"+kubebuilder:rbac:gr| rule has neither resources nor urls, so API servers refuse it; add resources, as in +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch"}},
	{name: "URLs and groups", give: `groups="",urls=/metrics,verbs=get`, want: []string{"/metrics,verbs=get| rule has urls and groups, which API servers refuse; write a marker for each"}},
	{name: "URLs in a namespace", give: "urls=/metrics,verbs=get,namespace=shop", want: []string{"shop| urls are in no namespace, so API servers refuse them in a role of one; remove namespace"}},
	{name: "invalid namespace", give: "groups=a,resources=b,verbs=get,namespace=Shop", want: []string{"Shop| invalid namespace \"Shop\": a lowercase RFC 1123 label must consist of"}},
	{name: "invalid name", give: "groups=a,resources=b,verbs=get,roleName=a/b", want: []string{"a/b| invalid roleName \"a/b\": may not contain '/'"}},
	{name: "misspelled argument", give: "group=apps,resources=deployments,verbs=get", want: []string{"group=apps,resources| unknown argument group of +kubebuilder:rbac; did you mean groups?"}},
	{name: "commas", give: "groups=apps,resources=deployments,verbs=get,list", want: []string{"| want = after list, found the end; if it belongs to verbs, write a semicolon before it"}},
	{name: "commas within", give: "groups=apps,resources=a,b,verbs=get", want: []string{",verbs=get| want = after b, found \",\"; if it belongs to resources, write a semicolon before it"}},
	{name: "misspelled verb", give: "groups=apps,resources=deployments,verbs=get;updat", want: []string{"updat| unknown verb \"updat\"; did you mean update?"}, corrected: "groups=apps,resources=deployments,verbs=get;update"},
	{name: "verb in upper case", give: "groups=apps,resources=deployments,verbs=Get", want: []string{"Get| verb \"Get\" is not in lower case, so it matches nothing; did you mean get?"}, corrected: "groups=apps,resources=deployments,verbs=get"},
	{name: "verbs with spaces", give: "groups=apps,resources=deployments,verbs=get list", want: []string{"get list| verb \"get list\" matches nothing; separate verbs by semicolons; did you mean get;list?"}, corrected: "groups=apps,resources=deployments,verbs=get;list"},
	{name: "group with a version", give: "groups=apps/v1,resources=deployments,verbs=get", want: []string{"apps/v1,resources=de| API group \"apps/v1\" contains the version v1, so it matches nothing; did you mean apps?"}, corrected: "groups=apps,resources=deployments,verbs=get"},
	{name: "kind", give: "groups=apps,resources=Deployments,verbs=get", want: []string{"Deployments,verbs=ge| resource \"Deployments\" is not in lower case, so it matches nothing; did you mean deployments?"}, corrected: "groups=apps,resources=deployments,verbs=get"},
}

func TestPermissions(t *testing.T) {
	for _, c := range permissionCases {
		t.Run(c.name, func(t *testing.T) {
			text := "package p\n\n// +kubebuilder:rbac:" + c.give + "\n"
			_, said, fixed, _ := read(t, text, false)
			same(t, said, c.want)
			if c.corrected == "" {
				c.corrected = c.give
			}
			if want := "package p\n\n// +kubebuilder:rbac:" + c.corrected + "\n"; fixed != want {
				t.Errorf("corrected:\n%s\nwant:\n%s", fixed, want)
			}
		})
	}
}

// same compares messages with the starts of the wanted ones.
func same(t *testing.T, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for i := range got {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("got  %s\nwant %s", got[i], want[i])
		}
	}
}

// placeCases are files and what is said about them; count is the number of permissions, and corrected the file with all corrections, if
// there are any.
var placeCases = []struct {
	name, give string
	want       []string
	count      int
	corrected  string
}{
	{name: "package comment", give: "// Package p is one.\n//\n// +kubebuilder:rbac:groups=a,resources=b,verbs=get\npackage p\n", count: 1},
	{name: "above a function", give: "package p\n\n// +kubebuilder:rbac:groups=a,resources=b,verbs=get\n\n// F is one.\nfunc F() {}\n", count: 1},
	{name: "at the end", give: "package p\n\nfunc F() {}\n\n//+kubebuilder:rbac:groups=a,resources=b,verbs=get\n", count: 1},
	{
		name: "doc comment", give: "package p\n\n// F is one.\n// +kubebuilder:rbac:groups=a,resources=b,verbs=get\n// +kubebuilder:rbac:groups=a,resources=c,verbs=get\nfunc F() {}\n",
		want:      []string{"+kubebuilder:rbac:gr| +kubebuilder:rbac has no effect in the doc comment of a declaration; move it above, with an empty line between"},
		corrected: "package p\n\n// +kubebuilder:rbac:groups=a,resources=b,verbs=get\n// +kubebuilder:rbac:groups=a,resources=c,verbs=get\n\n// F is one.\nfunc F() {}\n",
	},
	{
		name: "no other doc comment", give: "package p\n\n// +kubebuilder:rbac:groups=a,resources=b,verbs=get\ntype T struct{}\n",
		want:      []string{"+kubebuilder:rbac:gr| +kubebuilder:rbac has no effect in the doc comment"},
		corrected: "package p\n\n// +kubebuilder:rbac:groups=a,resources=b,verbs=get\n\ntype T struct{}\n",
	},
	{name: "in a function", give: "package p\n\nfunc F() {\n\t// +kubebuilder:rbac:groups=a,resources=b,verbs=get\n}\n",
		want: []string{"+kubebuilder:rbac:gr| +kubebuilder:rbac has no effect inside of a declaration; move it to a comment of its own, outside"}},
	{name: "on a field", give: "package p\n\ntype T struct {\n\t// +kubebuilder:rbac:groups=a,resources=b,verbs=get\n\tA int\n}\n",
		want: []string{"+kubebuilder:rbac:gr| +kubebuilder:rbac has no effect inside of a declaration"}},
	{name: "block", give: "package p\n\n/*\n+kubebuilder:rbac:groups=a,resources=b,verbs=get\n*/\n",
		want: []string{"+kubebuilder:rbac:gr| +kubebuilder:rbac has no effect in a comment with /* and */; write it in a line comment"}},
	{name: "misspelled", give: "package p\n\n// +kubebuilder:rabc:groups=a,resources=b,verbs=get\n",
		want: []string{"+kubebuilder:rabc:gr| +kubebuilder:rabc has no effect; did you mean +kubebuilder:rbac?"}, corrected: "package p\n\n// +kubebuilder:rbac:groups=a,resources=b,verbs=get\n"},
	{name: "misspelled prefix", give: "package p\n\n// +kubebuider:rbac:groups=a,resources=b,verbs=get\n",
		want: []string{"+kubebuider:rbac:gro| +kubebuider:rbac has no effect; did you mean +kubebuilder:rbac?"}, corrected: "package p\n\n// +kubebuilder:rbac:groups=a,resources=b,verbs=get\n"},
	{name: "in upper case", give: "package p\n\n// +kubebuilder:RBAC:groups=a,resources=b,verbs=get\n",
		want: []string{"+kubebuilder:RBAC:gr| +kubebuilder:RBAC has no effect; did you mean +kubebuilder:rbac?"}, corrected: "package p\n\n// +kubebuilder:rbac:groups=a,resources=b,verbs=get\n"},
	{name: "no plus sign", give: "package p\n\n// kubebuilder:rbac:groups=a,resources=b,verbs=get\n",
		want: []string{"kubebuilder:rbac:gro| kubebuilder:rbac has no effect; did you mean +kubebuilder:rbac?"}, corrected: "package p\n\n// +kubebuilder:rbac:groups=a,resources=b,verbs=get\n"},
	{name: "webhooks", give: "package p\n\n// +kubebuilder:webhooks:path=/v,mutating=false\n",
		want: []string{"+kubebuilder:webhook| +kubebuilder:webhooks has no effect; did you mean +kubebuilder:webhook?"}, corrected: "package p\n\n// +kubebuilder:webhook:path=/v,mutating=false\n"},
	{name: "other markers", give: "package p\n\n// +kubebuilder:scaffold:imports\n// +kubebuilder:resource:path=a\n// +kubebuilder:object:root=true\n// see kubebuilder:rbac: it is one\n// +kubebuilder:subresource:status\n"},
	{name: "silenced", give: "package p\n\n// +listwatch:ignore=it is about something else\n// +kubebuilder:rabc:groups=a\n"},
}

func TestPlaces(t *testing.T) {
	for _, c := range placeCases {
		t.Run(c.name, func(t *testing.T) {
			m, said, fixed, _ := read(t, c.give, false)
			same(t, said, c.want)
			if len(m.Permissions) != c.count {
				t.Errorf("got %d permissions, want %d", len(m.Permissions), c.count)
			}
			if c.corrected != "" && fixed != c.corrected {
				t.Errorf("corrected:\n%s\nwant:\n%s", fixed, c.corrected)
			}
			if c.corrected != "" {
				if _, said, _, _ := read(t, fixed, false); len(said) > 0 && !strings.Contains(c.give, "path=/v") {
					t.Errorf("after the correction: %q", said)
				}
			}
		})
	}
}

// hook returns a valid marker with more arguments, after replacements of pairs.
func hook(more string, pairs ...string) string {
	return strings.NewReplacer(pairs...).Replace("mutating=false,name=v.example.com,failurePolicy=fail,sideEffects=None,groups=apps,resources=deployments,verbs=create;update,versions=v1,admissionReviewVersions=v1," + more)
}

// webhookCases are the arguments of a marker +kubebuilder:webhook and what is said about it.
var webhookCases = []struct {
	name, give string
	want       []string
	refused    bool // by controller-gen too
}{
	{name: "valid", give: hook("path=/v")},
	{name: "URL", give: hook(`url="https://example.com:8443/v"`)},
	{name: "missing argument", give: "path=/v", refused: true, want: []string{"path=/v| +kubebuilder:webhook has no argument mutating, as in"}},
	{name: "nowhere", give: hook("timeoutSeconds=3"), refused: true, want: []string{"+kubebuilder:webhook| webhook has neither a path nor a url; add one"}},
	{name: "path and URL", give: hook(`path=/v,url="https://example.com"`), refused: true, want: []string{`"https://example.com| webhook has a path and a url; remove one of them`}},
	{name: "no side effects", give: hook("path=/v", "sideEffects=None,", ""), refused: true, want: []string{"+kubebuilder:webhook| webhook has no sideEffects; add sideEffects=None, or NoneOnDryRun"}},
	{name: "some side effects", give: hook("path=/v", "=None", "=Some"), refused: true, want: []string{"Some,groups=apps,res| servers accept no webhooks with the side effects Some"}},
	{name: "unknown side effects", give: hook("path=/v", "=None", "=Few"), refused: true, want: []string{"Few,groups=apps,reso| unknown value \"Few\" of sideEffects; want one of None, NoneOnDryRun, Some"}},
	{name: "timeout", give: hook("path=/v,timeoutSeconds=31"), refused: true, want: []string{"31| timeoutSeconds is 31; want 1 to 30"}},
	{name: "negative timeout", give: hook("path=/v,timeoutSeconds=-1"), refused: true, want: []string{"-1| timeoutSeconds is -1; want 1 to 30"}},
	{name: "directive in a patch", give: hook("path=/v,patch=`{\"clientConfig\":{\"$patch\":\"replace\",\"url\":\"https://example.com\"}}`")},
	{name: "match policy", give: hook("path=/v,matchPolicy=Exactly"), refused: true, want: []string{"Exactly| unknown value \"Exactly\" of matchPolicy; want one of Exact, Equivalent"}},
	{name: "version", give: hook("path=/v,webhookVersions=v1beta1"), refused: true, want: []string{"v1beta1| unknown version \"v1beta1\" of webhooks; servers accept only v1"}},
	{name: "invalid patch", give: hook("path=/v,patch=`{`"), refused: true, want: []string{"`{`| invalid patch: "}},
	{name: "unknown field of a patch", give: hook("path=/v,patch=`{\"timeout\":1}`"), refused: true, want: []string{"`{\"timeout\":1}`| invalid patch: unknown field \"timeout\"; it is JSON with fields of a webhook"}},

	{name: "failure policy", give: hook("path=/v", "=fail", "=maybe"), want: []string{"maybe,sideEffects=No| unknown value \"maybe\" of failurePolicy, which API servers refuse; want one of Ignore, Fail"}},
	{name: "name with two parts", give: hook("path=/v", "v.example.com", "example.com"), want: []string{"example.com,failureP| invalid name \"example.com\" of a webhook, which API servers refuse: should be a domain with at least three segments separated by dots"}},
	{name: "verb", give: hook("path=/v", "=create;update", "=read"), want: []string{"read,versions=v1,adm| unknown verb \"read\" of a webhook, which API servers refuse; want some of create, update, delete, connect, or *"}},
	{name: "star and others", give: hook("path=/v", "=create;update", "=*;update"), want: []string{"*;update,versions=v1| verbs has * and others, which API servers refuse; remove the others"}},
	{name: "no resources", give: hook("path=/v", "=deployments", "="), want: []string{",verbs=create;update| webhook has no resources, which API servers refuse; add some, or * for all"}},
	{name: "path without a slash", give: hook("path=v"), want: []string{"v| path does not start with /, which API servers refuse"}},
	{name: "path with capitals", give: hook("path=/Validate"), want: []string{"/Validate| path contains \"Validate\": a lowercase RFC 1123 subdomain"}},
	{name: "URL without https", give: hook(`url="http://example.com"`), want: []string{"+kubebuilder:webhook| url is not like https://host:port/path, which API servers refuse"}},
	{name: "URL with a query", give: hook(`url="https://example.com?a=b"`), want: []string{"+kubebuilder:webhook| url has more than a host and a path, which API servers refuse"}},
	{name: "port", give: hook("path=/v,servicePort=70000"), want: []string{"/v,servicePort=70000| servicePort is not between 1 and 65535, which API servers refuse"}},
	{name: "review versions", give: hook("path=/v", "Versions=v1", "Versions=v2"), want: []string{"v2,path=/v| admissionReviewVersions has none of the versions that API servers send; add v1"}},
	{name: "reinvocation of a validating one", give: hook("path=/v,reinvocationPolicy=Never"), want: []string{"Never| reinvocationPolicy has no effect on a validating webhook; remove it"}},
	{name: "unknown reinvocation", give: hook("path=/v,reinvocationPolicy=Often", "mutating=false", "mutating=true"), want: []string{"Often| unknown value \"Often\" of reinvocationPolicy has no effect; want one of Never, IfNeeded"}},
}

func TestWebhooks(t *testing.T) {
	for _, c := range webhookCases {
		t.Run(c.name, func(t *testing.T) {
			_, said, _, failed := read(t, "package p\n\n// +kubebuilder:webhook:"+c.give+"\n", true)
			same(t, said, c.want)
			if failed != c.refused {
				t.Errorf("refused: %v", failed)
			}
		})
	}
}

func TestConfigurations(t *testing.T) {
	const config = "// +kubebuilder:webhookconfiguration:mutating="
	valid := "// +kubebuilder:webhook:" + hook("path=/v") + "\n"
	for _, c := range []struct {
		name, give, mutating, validating string
		want                             []string
	}{
		{name: "names", give: config + "true,name=a\n" + config + "false,name=b\n", mutating: "a", validating: "b"},
		{name: "no name", give: config + "false\n"},
		{name: "twice", give: config + "false,name=a\n" + config + "false,name=b\n", validating: "a", want: []string{"+kubebuilder:webhook| package has two markers +kubebuilder:webhookconfiguration for validating webhooks; remove one of them"}},
		{name: "invalid name", give: config + "true,name=a_b\n", mutating: "a_b", want: []string{"a_b| invalid name \"a_b\", which API servers refuse: "}},
		{name: "one name of two webhooks", give: valid, want: []string{"+kubebuilder:webhook| webhook has the name v.example.com, as that at a.go:3, which API servers refuse; rename one of them"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, said, _, _ := read(t, "package p\n\n"+valid+c.give, false)
			same(t, said, c.want)
			if m.MutatingName != c.mutating || m.ValidatingName != c.validating {
				t.Errorf("got %q and %q, want %q and %q", m.MutatingName, m.ValidatingName, c.mutating, c.validating)
			}
		})
	}
}

// TestPackages reads the markers of two packages, whose last configuration counts.
func TestPackages(t *testing.T) {
	texts := map[string]string{
		"example.com/a": "package p\n\n// +kubebuilder:webhookconfiguration:mutating=false,name=a\n// +kubebuilder:rbac:groups=a,resources=b,verbs=get\n",
		"example.com/b": "package p\n\n// +kubebuilder:webhookconfiguration:mutating=false,name=b\n",
	}
	var diags diag.List
	loader := load.New(t.Context(), load.Config{
		Dir: t.TempDir(), Diags: &diags,
		ReadFile: func(name string) ([]byte, error) { return []byte(texts[strings.TrimSuffix(name, "/p.go")]), nil },
		Find: func(path string) (*load.Source, error) {
			return &load.Source{Path: path, Name: "p", Files: []string{path + "/p.go"}, Module: load.Module{Path: path}}, nil
		},
	})
	var packages []*load.Package
	for _, path := range []string{"example.com/a", "example.com/b"} {
		p, err := loader.Package(path)
		if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	all := program.Read(packages, program.Options{Permissions: true, Webhooks: true, Diags: &diags})
	if len(all) != 1 || all[0].Module.Path != "example.com/a" || all[0].ValidatingName != "a" {
		t.Errorf("got %+v; want only the first module, since the other has no webhooks", all)
	}
	packages[1].Module = packages[0].Module
	all = program.Read(packages, program.Options{Permissions: true, Webhooks: true, Diags: &diags})
	if len(all) != 1 || all[0].ValidatingName != "b" {
		t.Errorf("got %+v; want the name of the last package", all)
	}
	if said := diags.Warnings(""); len(said) != 1 || !strings.Contains(said[0].Message, "contradicts that of another package") {
		t.Errorf("got %v", said)
	}
	if !program.Mentions(packages[0]) || program.Mentions(packages[1]) {
		t.Error("the first package has markers of permissions, and the second has none of permissions and webhooks")
	}
	if all = program.Read(packages, program.Options{Webhooks: true, Diags: &diags}); len(all) != 0 {
		t.Errorf("got %+v without permissions", all)
	}
}

// TestPatch checks what a webhook is after a patch.
func TestPatch(t *testing.T) {
	m, said, _, _ := read(t, "package p\n\n// +kubebuilder:webhook:"+hook("path=/v,timeoutSeconds=3,patch=`{\"timeoutSeconds\":null,\"clientConfig\":{\"service\":{\"name\":\"s\"}}}`", "=apps", "=apps;core")+"\n", false)
	same(t, said, nil)
	want := map[string]any{
		"name": "v.example.com", "failurePolicy": "Fail", "sideEffects": "None", "admissionReviewVersions": []any{"v1"},
		"clientConfig": map[string]any{"service": map[string]any{"name": "s", "namespace": "system", "path": "/v"}},
		"rules": []any{map[string]any{
			"operations": []any{"CREATE", "UPDATE"}, "apiGroups": []any{"apps", ""}, "apiVersions": []any{"v1"}, "resources": []any{"deployments"},
		}},
	}
	if d := cmp.Diff(want, m.Webhooks[0].Object); d != "" {
		t.Error(d)
	}
}
