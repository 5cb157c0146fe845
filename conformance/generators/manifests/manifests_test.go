package manifests_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/generators/crds"
	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/generators"
	"github.com/listwatch/listwatch/internal/testcase"
)

// example is a case: the files of a package and of those below it, by name, and a job without its package.
type example struct {
	name  string
	files map[string]string
	job   crds.Job
}

// roles returns a case of roles with markers, each in a comment of its own, without what they have in common.
func roles(name string, markers ...string) example {
	return example{name, map[string]string{"a.go": comments("rbac", markers...)}, crds.Job{RBAC: &crds.RoleOptions{RoleName: "manager-role"}}}
}

// hooks is roles for webhooks.
func hooks(name string, markers ...string) example {
	return example{name, map[string]string{"a.go": comments("webhook", markers...)}, crds.Job{Webhook: &crds.WebhookOptions{}}}
}

func comments(marker string, arguments ...string) string {
	text := "package p\n\n"
	for _, a := range arguments {
		name := marker
		if rest, ok := strings.CutPrefix(a, "configuration:"); ok {
			name, a = marker+"configuration", rest
		}
		text += "// +kubebuilder:" + name + ":" + a + "\n\n"
	}
	return text + "func f() {}\n"
}

// required are the arguments of a webhook that have no default.
const required = "failurePolicy=fail,sideEffects=None,groups=apps,resources=deployments,verbs=create;update,versions=v1,admissionReviewVersions=v1"

func validating(name, more string) string {
	return "mutating=false,name=" + name + "," + required + "," + more
}

func mutating(name, more string) string {
	return "mutating=true,name=" + name + "," + required + "," + more
}

// places is a file with a marker in every place of comments outside of declarations.
const places = `// Package p is one.
//
// +kubebuilder:rbac:groups=a,resources=package,verbs=get
package p

// +kubebuilder:rbac:groups=a,resources=before-imports,verbs=get

import "fmt"

//+kubebuilder:rbac:groups=a,resources=without-space,verbs=get

// +kubebuilder:rbac:groups=a,resources=above-a-comment,verbs=get

// F has a doc comment.
func F() { fmt.Println() }

// +kubebuilder:rbac:groups=a,resources=above-a-type,verbs=get

// T has one too.
type T struct {
	A int
}

// +kubebuilder:rbac:groups=a,resources=above-a-type-without-doc,verbs=get

type U struct{}

// +kubebuilder:rbac:groups=a,resources=above-a-group,verbs=get

var (
	a = 1
	b = 2
)

func g() {} // +kubebuilder:rbac:groups=a,resources=behind-a-function,verbs=get

// +kubebuilder:rbac:groups=a,resources=first-of-two,verbs=get

// +kubebuilder:rbac:groups=a,resources=second-of-two,verbs=get

const c = 1

// +kubebuilder:rbac:groups=a,resources=at-the-end,verbs=get
`

// without is a file with markers in places where they have no effect.
const without = `package p

// +kubebuilder:rbac:groups=a,resources=doc-of-a-function,verbs=get
func F() {
	// +kubebuilder:rbac:groups=a,resources=in-a-function,verbs=get
}

// T is one.
// +kubebuilder:rbac:groups=a,resources=doc-of-a-type,verbs=get
type T struct {
	// +kubebuilder:rbac:groups=a,resources=field,verbs=get
	A int
}

/*
+kubebuilder:rbac:groups=a,resources=block,verbs=get
*/

// +kubebuilder:rbac:groups=a,resources=doc-of-variables,verbs=get
var a = 1

// x +kubebuilder:rbac:groups=a,resources=behind-a-word,verbs=get

// +kubebuilder:rbac:groups=a,resources=effect,verbs=get
`

var examples = []example{
	roles("one", "groups=apps,resources=deployments,verbs=get;list;watch"),
	roles("core", `groups="",resources=pods,verbs=get`, "groups=core,resources=secrets,verbs=get"),
	roles("sorted", "groups=b;a;b,resources=y;x,resourceNames=n;m,verbs=watch;get;get"),
	roles("resources_combined", "groups=a,resources=x,verbs=get", "groups=a,resources=y,verbs=get", "groups=a,resources=z,verbs=list"),
	roles("groups_combined", "groups=a,resources=x,verbs=get", "groups=b,resources=x,verbs=get"),
	roles("verbs_combined", "groups=a,resources=x,verbs=get", "groups=a,resources=x,verbs=list;get"),
	roles("names_are_not_combined", "groups=a,resources=x,resourceNames=n,verbs=get", "groups=a,resources=x,verbs=get"),
	roles("all_verbs", "groups=a,resources=x,verbs=get;*", "groups=a,resources=y,verbs=*", "groups=a,resources=z,verbs=get"),
	roles("urls", "urls=/metrics,verbs=get", "urls=/healthz;/livez,verbs=get", "urls=/a,verbs=post"),
	roles("urls_and_resources", "groups=a,resources=x,urls=/metrics,verbs=get"),
	roles("namespaces", "groups=a,resources=x,verbs=get,namespace=zoo", "groups=a,resources=x,verbs=get,namespace=park", "groups=a,resources=y,verbs=get"),
	roles("names", "groups=a,resources=x,verbs=get,roleName=reader", "groups=a,resources=y,verbs=get,roleName=reader,namespace=zoo", "groups=a,resources=z,verbs=get,roleName=manager-role"),
	roles("no_verbs", "groups=a,resources=x,verbs="),
	roles("rule_without_groups", "resources=x,verbs=get"),
	roles("no_resources", "groups=a,verbs=get", "groups=b,verbs=get"),
	roles("quoted", `groups="a",resources={x,"y/z"},verbs={"get"}`),
	roles("odd_words", `groups="true",resources="1";"null",verbs="yes"`),
	roles("verbs_missing", "groups=a,resources=x"),
	roles("unknown_argument", "group=a,resources=x,verbs=get"),
	roles("comma", "groups=a,resources=x,verbs=get,list"),
	roles("not_a_string", "groups=a,resources=x,verbs=\"get"),
	roles("nothing"),
	roles("rules_that_meet_again", "groups=a;b,resources=x,verbs=get", "groups=a,resources=x,verbs=list", "groups=b,resources=x,verbs=list"),
	roles("urls_that_meet_again", "urls=/a;/b,verbs=get", "urls=/a,verbs=post", "urls=/b,verbs=post"),
	{"places", map[string]string{"a.go": places}, crds.Job{RBAC: &crds.RoleOptions{RoleName: "r"}}},
	{"without_effect", map[string]string{"a.go": without}, crds.Job{RBAC: &crds.RoleOptions{RoleName: "r"}}},
	{"file_name", map[string]string{"a.go": comments("rbac", "groups=a,resources=x,verbs=get")}, crds.Job{RBAC: &crds.RoleOptions{RoleName: "r", FileName: "other.yaml"}}},
	{"packages", map[string]string{
		"a.go": comments("rbac", "groups=a,resources=x,verbs=get"), "b/b.go": comments("rbac", "groups=a,resources=x,verbs=list"),
		"c/c.go": comments("rbac", "groups=a,resources=y,verbs=get"), "b/b_test.go": comments("rbac", "groups=a,resources=test,verbs=get"),
		"b/tag.go": "//go:build never\n\n" + comments("rbac", "groups=a,resources=tag,verbs=get"),
	}, crds.Job{RBAC: &crds.RoleOptions{RoleName: "manager-role"}}},

	hooks("validating", validating("v.example.com", "path=/validate")),
	hooks("mutating", mutating("m.example.com", "path=/mutate")),
	hooks("both", validating("v.example.com", "path=/validate"), mutating("m.example.com", "path=/mutate"), validating("a.example.com", "path=/a")),
	hooks("every_argument", mutating("m.example.com", `path=/m,matchPolicy=exact,timeoutSeconds=7,serviceName=s,serviceNamespace=n,servicePort=8443,webhookVersions=v1,reinvocationPolicy=ifneeded`)),
	hooks("url", validating("v.example.com", `url="https://example.com/validate"`)),
	hooks("url_and_path", validating("v.example.com", `url="https://example.com/validate",path=/v`)),
	hooks("nowhere", "mutating=false,name=v.example.com,"+required),
	hooks("operations", strings.Replace(validating("v.example.com", "path=/v"), "verbs=create;update", "verbs=DELETE;Connect;create", 1)),
	hooks("unknown_operation", strings.Replace(validating("v.example.com", "path=/v"), "verbs=create;update", "verbs=read", 1)),
	hooks("all", strings.NewReplacer("groups=apps", `groups="*"`, "verbs=create;update", "verbs=*", "resources=deployments", "resources=*").Replace(validating("v.example.com", "path=/v"))),
	hooks("core_group", strings.Replace(validating("v.example.com", "path=/v"), "groups=apps", `groups=core;""`, 1)),
	hooks("no_groups", strings.Replace(validating("v.example.com", "path=/v"), "groups=apps", `groups=`, 1)),
	hooks("policy", strings.Replace(validating("v.example.com", "path=/v"), "failurePolicy=fail", "failurePolicy=IGNORE", 1)),
	hooks("unknown_policy", strings.Replace(validating("v.example.com", "path=/v"), "failurePolicy=fail", "failurePolicy=maybe", 1)),
	hooks("no_policy", strings.Replace(validating("v.example.com", "path=/v"), "failurePolicy=fail,", "", 1)),
	hooks("unknown_match_policy", validating("v.example.com", "path=/v,matchPolicy=some")),
	hooks("no_side_effects", strings.Replace(validating("v.example.com", "path=/v"), "sideEffects=None,", "", 1)),
	hooks("side_effects_on_dry_run", strings.Replace(validating("v.example.com", "path=/v"), "sideEffects=None", "sideEffects=noneondryrun", 1)),
	hooks("some_side_effects", strings.Replace(validating("v.example.com", "path=/v"), "sideEffects=None", "sideEffects=Some", 1)),
	hooks("unknown_side_effects", strings.Replace(validating("v.example.com", "path=/v"), "sideEffects=None", "sideEffects=Few", 1)),
	hooks("timeout_too_long", validating("v.example.com", "path=/v,timeoutSeconds=31")),
	hooks("timeout_negative", validating("v.example.com", "path=/v,timeoutSeconds=-1")),
	hooks("timeout_zero", validating("v.example.com", "path=/v,timeoutSeconds=0")),
	hooks("webhook_version", validating("v.example.com", "path=/v,webhookVersions=v1beta1")),
	hooks("no_review_versions", strings.Replace(validating("v.example.com", "path=/v"), "admissionReviewVersions=v1", "admissionReviewVersions=", 1)),
	hooks("review_versions", strings.Replace(validating("v.example.com", "path=/v"), "admissionReviewVersions=v1", "admissionReviewVersions={v1beta1,v1}", 1)),
	hooks("reinvocation_of_validating", validating("v.example.com", "path=/v,reinvocationPolicy=Never")),
	hooks("unknown_reinvocation", mutating("v.example.com", "path=/v,reinvocationPolicy=Often")),
	hooks("one_name_twice", validating("v.example.com", "path=/a"), validating("v.example.com", "path=/b")),
	hooks("configurations", validating("v.example.com", "path=/v"), mutating("m.example.com", "path=/m"), "configuration:mutating=true,name=mine", "configuration:mutating=false,name=yours"),
	hooks("configuration_without_a_name", validating("v.example.com", "path=/v"), "configuration:mutating=false"),
	hooks("configuration_of_nothing", "configuration:mutating=true,name=mine"),
	hooks("two_configurations", validating("v.example.com", "path=/v"), "configuration:mutating=false,name=a", "configuration:mutating=false,name=b"),
	hooks("patch_selectors", validating("v.example.com", "path=/v,patch=`{\"namespaceSelector\":{\"matchLabels\":{\"b\":\"1\",\"a\":\"2\"}},\"objectSelector\":{\"matchExpressions\":[{\"key\":\"k\",\"operator\":\"In\",\"values\":[\"x\"]}]}}`")),
	hooks("patch_conditions", mutating("v.example.com", "path=/v,patch=`{\"matchConditions\":[{\"name\":\"a\",\"expression\":\"true\"}]}`")),
	hooks("patch_number", mutating("v.example.com", "path=/v,patch=`{\"timeoutSeconds\":25}`")),
	hooks("patch_removes", mutating("v.example.com", "path=/v,timeoutSeconds=3,patch=`{\"timeoutSeconds\":null}`")),
	hooks("patch_replaces_rules", mutating("v.example.com", "path=/v,patch=`{\"rules\":[{\"operations\":[\"CREATE\"],\"apiGroups\":[\"x\"],\"apiVersions\":[\"v1\"],\"resources\":[\"y\"],\"scope\":\"Cluster\"}]}`")),
	hooks("patch_bundle", mutating("v.example.com", "path=/v,patch=`{\"clientConfig\":{\"caBundle\":\"Cg==\"}}`")),
	hooks("patch_replaces_all", mutating("v.example.com", "path=/v,patch=`{\"clientConfig\":{\"$patch\":\"replace\",\"url\":\"https://example.com\"}}`")),
	hooks("patch_unknown", mutating("v.example.com", "path=/v,patch=`{\"timeout\":25}`")),
	hooks("patch_unknown_null", mutating("v.example.com", "path=/v,patch=`{\"timeout\":null}`")),
	hooks("patch_other_case", mutating("v.example.com", "path=/v,patch=`{\"TimeoutSeconds\":25}`")),
	hooks("patch_other_type", mutating("v.example.com", "path=/v,patch=`{\"timeoutSeconds\":\"25\"}`")),
	hooks("patch_too_long", mutating("v.example.com", "path=/v,patch=`{\"timeoutSeconds\":31}`")),
	hooks("patch_twice", mutating("v.example.com", "path=/v,patch=`{\"timeoutSeconds\":1,\"timeoutSeconds\":2}`")),
	hooks("patch_reinvocation", mutating("v.example.com", "path=/v,patch=`{\"reinvocationPolicy\":\"IfNeeded\"}`")),
	hooks("patch_reinvocation_of_validating", validating("v.example.com", "path=/v,patch=`{\"reinvocationPolicy\":\"IfNeeded\"}`")),
	hooks("patch_directive", mutating("v.example.com", "path=/v,patch=`{\"$what\":1}`")),
	hooks("patch_no_json", mutating("v.example.com", "path=/v,patch=`{`")),
	hooks("patch_empty", mutating("v.example.com", "path=/v,patch=\"\"")),
}

// exceptions are intentional differences, by the case.
var exceptions = map[string]string{
	"rules_that_meet_again": lost,
	"urls_that_meet_again":  lost,
}

const lost = "two rules have the same groups and resources once others are combined; controller-gen drops one of them, at random"

func TestExamples(t *testing.T) {
	for i, r := range compare(t, examples) {
		t.Run(examples[i].name, func(t *testing.T) {
			reason := exceptions[examples[i].name]
			switch d := r.difference(); {
			case d != "" && reason == "":
				t.Error(d)
			case d == "" && reason != "":
				t.Errorf("an exception without a difference: %s", reason)
			}
		})
	}
}

// result is the output of both generators for a case.
type result struct{ their, ours crds.Output }

// difference describes how the outputs differ.
func (r result) difference() string {
	if refused := len(r.their.Errors) > 0; refused || len(r.ours.Errors) > 0 {
		if refused && len(r.ours.Errors) > 0 {
			return ""
		}
		return fmt.Sprintf("errors %q, want %q", r.ours.Errors, r.their.Errors)
	}
	if len(r.their.Files) != len(r.ours.Files) {
		return fmt.Sprintf("files %v, want %v", r.ours.Files, r.their.Files)
	}
	for name, want := range r.their.Files {
		if got := body(r.ours.Files[name]); got != want {
			return fmt.Sprintf("%s: got:\n%s\nwant:\n%s", name, got, want)
		}
	}
	return ""
}

// body returns a text without its first line, which names the generator.
func body(text string) string {
	_, text, _ = strings.Cut(text, "\n")
	return text
}

// compare writes a package for each case, in this module, and runs both generators.
func compare(t *testing.T, list []example) []result {
	t.Helper()
	root, err := peers.Root()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, "conformance")
	folder, err := os.MkdirTemp(filepath.Join(dir, "generators", "manifests"), "cases")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	below := "generators/manifests/" + filepath.Base(folder)
	var jobs []crds.Job
	for _, e := range list {
		for name, text := range e.files {
			file := filepath.Join(folder, e.name, filepath.FromSlash(name))
			if err = errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		e.job.Package = testcase.Module + "/conformance/" + below + "/" + e.name
		jobs = append(jobs, e.job)
	}
	var results []result
	for i, their := range crds.Theirs(t, dir, []string{"./" + below + "/..."}, jobs) {
		ours, err := run(t.Context(), dir, []string{"./" + below + "/" + list[i].name + "/..."}, jobs[i])
		if err != nil {
			t.Fatalf("%s: %v", list[i].name, err)
		}
		results = append(results, result{their, ours})
	}
	return results
}

// run runs gen-rbac or gen-webhook in this process.
func run(ctx context.Context, dir string, patterns []string, job crds.Job) (crds.Output, error) {
	options := generators.Options{Dir: dir, Patterns: patterns, OutputDir: "/nonexistent/manifests", Mode: generators.DryRun}
	var report *generators.Report
	var err error
	if o := job.RBAC; o != nil {
		report, err = generators.RBAC(ctx, generators.RBACOptions{Options: options, RoleName: o.RoleName, FileName: o.FileName, YAMLHeaderFile: o.HeaderFile, Year: o.Year})
	} else {
		report, err = generators.Webhook(ctx, generators.WebhookOptions{Options: options, YAMLHeaderFile: job.Webhook.HeaderFile, Year: job.Webhook.Year})
	}
	return crds.OutputOf(report, err)
}
