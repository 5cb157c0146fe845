package manifests_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"

	"github.com/listwatch/listwatch/conformance/generators/crds"
)

var (
	packages = flag.Int("packages", 300, "number of random packages of each kind")
	seed     = flag.Uint64("seed", 1, "seed of the random packages")
)

// writer writes random markers.
type writer struct{ *rand.Rand }

func (w writer) pick(list ...string) string { return list[w.IntN(len(list))] }

// some returns some of the values, in any order, as a list of a marker.
func (w writer) some(values ...string) string {
	var list []string
	for range 1 + w.IntN(3) {
		list = append(list, w.pick(values...))
	}
	if w.IntN(6) == 0 {
		return "{" + strings.Join(list, ",") + "}"
	}
	return strings.Join(list, ";")
}

// narrow returns the arguments of a random marker of roles with very few values, so that rules are combined, and meet again.
func (w writer) narrow() string {
	return "groups=" + w.some("a", "b") + ",resources=" + w.some("x", "y") + ",verbs=" + w.pick("get", "list", "get;list")
}

// permission returns the arguments of a random marker of roles. The values are few, so that rules are combined.
func (w writer) permission() string {
	var args []string
	add := func(name, value string) { args = append(args, name+"="+value) }
	if w.IntN(8) == 0 {
		add("urls", w.some("/metrics", "/healthz", "/a/*"))
		if w.IntN(6) == 0 {
			add("groups", w.some("a", "b"))
		}
	} else {
		add("groups", w.some("a", "b", "core", `""`, "c.example.com"))
		if w.IntN(20) > 0 {
			add("resources", w.some("x", "y", "z", "x/status", "*"))
		}
		if w.IntN(6) == 0 {
			add("resourceNames", w.some("n", "m"))
		}
	}
	if w.IntN(40) > 0 {
		add("verbs", w.some("get", "list", "watch", "update", "*", "true"))
	}
	if w.IntN(6) == 0 {
		add("namespace", w.pick("zoo", "park"))
	}
	if w.IntN(8) == 0 {
		add("roleName", w.pick("reader", "writer", "manager-role"))
	}
	w.Shuffle(len(args), func(i, j int) { args[i], args[j] = args[j], args[i] })
	return strings.Join(args, w.pick(",", ",", ",", ", "))
}

// webhook returns the arguments of a random marker of webhooks.
func (w writer) webhook(i int) string {
	args := []string{fmt.Sprintf("name=%s%d.example.com", w.pick("a", "b", "v"), i)}
	add := func(odds int, name string, values ...string) {
		if w.IntN(odds) > 0 {
			value := w.pick(values...)
			if w.IntN(200) == 0 {
				value = w.pick("odd", "31", "Some", "true", "")
			}
			args = append(args, name+"="+value)
		}
	}
	const always, often, rarely = 400, 100, 2
	add(always, "mutating", "true", "false")
	add(always, "failurePolicy", "fail", "Fail", "ignore", "Ignore")
	add(always, "sideEffects", "None", "none", "NoneOnDryRun")
	add(always, "groups", "apps", "core", `""`, "*", "apps;batch", "{a,b}")
	add(always, "resources", "deployments", "*", "pods/status", "a;b")
	add(always, "verbs", "create", "create;update", "UPDATE;Delete", "*", "connect")
	add(always, "versions", "v1", "v1;v1beta1", "*")
	add(always, "admissionReviewVersions", "v1", "v1;v1beta1", "v1beta1")
	add(often, "path", "/validate", "/", `"/a/b"`)
	add(rarely, "timeoutSeconds", "1", "30", "10", "0", "7")
	add(rarely, "matchPolicy", "Exact", "equivalent")
	add(rarely, "reinvocationPolicy", "Never", "ifneeded")
	if w.IntN(4) == 0 {
		add(rarely, "serviceName", "s")
		add(rarely, "serviceNamespace", "n")
		add(rarely, "servicePort", "443", "8443")
	}
	if w.IntN(6) == 0 {
		add(often, "patch", "`{\"timeoutSeconds\":3}`", "`{\"objectSelector\":{\"matchLabels\":{\"x\":\"y\",\"a\":\"b\"}}}`", "`{\"matchConditions\":[{\"name\":\"c\",\"expression\":\"1 < 2\"}]}`",
			"`{\"sideEffects\":null}`", "`{\"rules\":null}`", "`{\"rules\":[{\"operations\":[\"*\"],\"apiGroups\":[\"*\"],\"apiVersions\":[\"*\"],\"resources\":[\"*\"],\"scope\":\"*\"}]}`",
			"`{\"admissionReviewVersions\":[\"v1\",\"v2\"]}`", "`{\"odd\":1}`", "`{\"name\":\"other.example.com\"}`", "`{\"clientConfig\":{\"service\":{\"name\":\"t\"}}}`", "`{\"failurePolicy\":null}`")
	}
	w.Shuffle(len(args), func(i, j int) { args[i], args[j] = args[j], args[i] })
	return strings.Join(args, ",")
}

// text returns a file with markers in random places.
func (w writer) text(markers []string) string {
	text := w.pick("package p\n\n", "// Package p is one.\npackage p\n\n", "package p\n\nimport _ \"fmt\"\n\n", "//go:build !odd\n\npackage p\n\n")
	if len(markers) > 0 && w.IntN(4) == 0 {
		text, markers = "// +"+markers[0]+"\npackage p\n\n", markers[1:]
	}
	for i, m := range markers {
		text += w.pick("// +", "//+", "//  +", "// Text.\n//\n// +") + m + "\n" + w.pick("\n", "", "\n\n")
		if w.IntN(2) == 0 {
			text += fmt.Sprintf(w.pick("\n// F is one.\nfunc F%d() {\n\t// nothing\n}\n\n", "\nfunc F%d(a int) { _ = a }\n\n", "\n// T is one.\ntype T%d struct {\n\t// A is one.\n\tA int // a\n}\n\n",
				"\nvar v%d = 1 // a\n\n", "\n// V are some.\nvar (\n\tw%[1]d = 1\n\t// x is one.\n\tx%[1]d = 2\n)\n\n", "\ntype I%d interface{ M() }\n\n"), i)
		}
	}
	return text
}

// TestRandomRoles compares the roles of packages with random markers.
func TestRandomRoles(t *testing.T) {
	w := writer{rand.New(rand.NewPCG(*seed, 1))}
	var list []example
	for i := range *packages {
		var markers []string
		marker := w.permission
		if w.IntN(3) == 0 {
			marker = w.narrow
		}
		for range 1 + w.IntN(12) {
			markers = append(markers, "kubebuilder:rbac:"+marker())
		}
		list = append(list, example{fmt.Sprintf("r%d", i), map[string]string{"a.go": w.text(markers)}, crds.Job{RBAC: &crds.RoleOptions{RoleName: "manager-role"}}})
	}
	refused, lost := 0, 0
	for i, r := range compare(t, list) {
		if len(r.their.Errors) > 0 {
			refused++
		}
		d := r.difference()
		if d == "" {
			continue
		}
		if their, ours := granted(t, r.their), granted(t, r.ours); len(r.their.Errors) == 0 && len(r.ours.Errors) == 0 && fewer(their, ours) {
			lost++ // see the limits of the package
			continue
		}
		t.Errorf("%s\n%s", list[i].files["a.go"], d)
	}
	t.Logf("%d packages, %d refused by both; controller-gen lost permissions of %d", len(list), refused, lost)
}

// granted returns what the roles of an output grant, one line for each combination.
func granted(t *testing.T, out crds.Output) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for document := range strings.SplitSeq(out.Files["role.yaml"], "---\n") {
		var role rbacv1.Role
		if err := yaml.Unmarshal([]byte(document), &role); err != nil {
			t.Fatal(err)
		}
		for _, rule := range role.Rules {
			one := func(list []string) []string { return append(list, "")[:max(len(list), 1)] }
			for _, group := range one(rule.APIGroups) {
				for _, resource := range one(rule.Resources) {
					for _, name := range one(rule.ResourceNames) {
						for _, url := range one(rule.NonResourceURLs) {
							for _, verb := range rule.Verbs {
								all[strings.Join([]string{role.Namespace, role.Name, group, resource, name, url, verb}, "|")] = true
							}
						}
					}
				}
			}
		}
	}
	return all
}

// fewer reports whether a grants a part of what b does, and not all of it.
func fewer(a, b map[string]bool) bool { return within(a, b) && !within(b, a) }

// within reports whether b grants all that a does. The verb is the last part of a line.
func within(a, b map[string]bool) bool {
	return !slices.ContainsFunc(slices.Collect(maps.Keys(a)), func(line string) bool {
		return !b[line] && !b[line[:strings.LastIndexByte(line, '|')+1]+"*"]
	})
}

// TestRandomWebhooks compares the configurations of packages with random markers.
func TestRandomWebhooks(t *testing.T) {
	w := writer{rand.New(rand.NewPCG(*seed, 2))}
	var list []example
	for i := range *packages {
		var markers []string
		for n := range 1 + w.IntN(4) {
			markers = append(markers, "kubebuilder:webhook:"+w.webhook(n))
		}
		if w.IntN(4) == 0 {
			markers = append(markers, "kubebuilder:webhookconfiguration:mutating="+w.pick("true", "false")+w.pick("", ",name=mine"))
		}
		list = append(list, example{fmt.Sprintf("w%d", i), map[string]string{"a.go": w.text(markers)}, crds.Job{Webhook: &crds.WebhookOptions{}}})
	}
	refused := 0
	for i, r := range compare(t, list) {
		if len(r.their.Errors) > 0 {
			refused++
		}
		if d := r.difference(); d != "" {
			t.Errorf("%s\n%s", list[i].files["a.go"], d)
		}
	}
	t.Logf("%d packages, %d refused by both", len(list), refused)
}
