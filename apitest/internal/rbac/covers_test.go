package rbac_test

import (
	"slices"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apiserver/pkg/authentication/user"

	"github.com/listwatch/listwatch/apitest/internal/rbac"
)

func TestMissing(t *testing.T) {
	rule := func(verbs, groups, resources []string, names ...string) rbacv1.PolicyRule {
		return rbacv1.PolicyRule{Verbs: verbs, APIGroups: groups, Resources: resources, ResourceNames: names}
	}
	core, all := []string{""}, []string{"*"}
	for name, c := range map[string]struct {
		owned, wanted []rbacv1.PolicyRule
		want          []string
	}{
		"nothing wanted": {},
		"same": {
			owned:  []rbacv1.PolicyRule{rule([]string{"get"}, core, []string{"pods"})},
			wanted: []rbacv1.PolicyRule{rule([]string{"get"}, core, []string{"pods"})},
		},
		"by several rules": {
			owned:  []rbacv1.PolicyRule{rule([]string{"get"}, core, []string{"pods"}), rule([]string{"list"}, core, all)},
			wanted: []rbacv1.PolicyRule{rule([]string{"get", "list"}, core, []string{"pods"})},
		},
		"everything": {
			owned:  []rbacv1.PolicyRule{rule(all, all, all)},
			wanted: []rbacv1.PolicyRule{rule(all, all, all), rule([]string{"get"}, core, []string{"pods/log", "*/scale"}, "a")},
		},
		"verbs on one line": {
			wanted: []rbacv1.PolicyRule{rule([]string{"get"}, core, []string{"pods"}), rule([]string{"list", "get"}, core, []string{"pods"})},
			want:   []string{`{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}`},
		},
		"name": {
			owned:  []rbacv1.PolicyRule{rule([]string{"get"}, core, []string{"pods"}, "a")},
			wanted: []rbacv1.PolicyRule{rule([]string{"get"}, core, []string{"pods"}, "a", "b"), rule([]string{"get"}, core, []string{"pods"})},
			want: []string{
				`{APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["get"]}`,
				`{APIGroups:[""], Resources:["pods"], Verbs:["get"]}`,
			},
		},
		"subresources": {
			owned:  []rbacv1.PolicyRule{rule([]string{"get"}, core, []string{"pods/*", "*/scale"})},
			wanted: []rbacv1.PolicyRule{rule([]string{"get"}, core, []string{"pods/*", "pods/log", "pods/scale"})},
			want:   []string{`{APIGroups:[""], Resources:["pods/log"], Verbs:["get"]}`},
		},
		"paths": {
			owned:  []rbacv1.PolicyRule{{Verbs: []string{"get"}, NonResourceURLs: []string{"/a/*", "/b"}}},
			wanted: []rbacv1.PolicyRule{{Verbs: []string{"get", "put"}, NonResourceURLs: []string{"/a/b/*", "/b", "/c"}}},
			want: []string{
				`{NonResourceURLs:["/a/b/*"], Verbs:["put"]}`,
				`{NonResourceURLs:["/b"], Verbs:["put"]}`,
				`{NonResourceURLs:["/c"], Verbs:["get"]}`,
				`{NonResourceURLs:["/c"], Verbs:["put"]}`,
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := rbac.Missing(c.owned, c.wanted); !slices.Equal(got, c.want) {
				t.Errorf("missing permissions: got %q, want %q", got, c.want)
			}
		})
	}
}

func TestRulesFor(t *testing.T) {
	jane := &user.DefaultInfo{Name: "jane"}
	guest := &user.DefaultInfo{Name: "system:serviceaccount:b:guest"}
	lost := &user.DefaultInfo{Name: "lost"}
	message := func(err error) string {
		if err == nil {
			return ""
		}
		return err.Error()
	}
	for _, c := range []struct {
		who       user.Info
		namespace string
		want      int
		err       string
	}{
		{jane, "", 2, ""}, {jane, "a", 2, ""}, {guest, "", 0, ""}, {guest, "a", 1, ""}, {guest, "b", 0, ""},
		{lost, "", 0, `clusterrole.rbac.authorization.k8s.io "gone" not found`},
		{lost, "b", 0, `[clusterrole.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "one" not found]`},
	} {
		got, err := policy.RulesFor(c.who, c.namespace)
		if len(got) != c.want {
			t.Errorf("%s has %d rules in namespace %q, want %d", c.who.GetName(), len(got), c.namespace, c.want)
		}
		if text := message(err); text != c.err {
			t.Errorf("%s in namespace %q: error %q, want %q", c.who.GetName(), c.namespace, text, c.err)
		}
	}
}

func TestAggregate(t *testing.T) {
	get := func(resource string) []rbacv1.PolicyRule {
		return []rbacv1.PolicyRule{{Verbs: []string{"get"}, APIGroups: []string{""}, Resources: []string{resource}}}
	}
	role := func(name, label, selects string, rules []rbacv1.PolicyRule) rbacv1.ClusterRole {
		r := rbacv1.ClusterRole{ObjectMeta: meta("", name), Rules: rules}
		r.Labels = map[string]string{"to": label}
		if selects != "" {
			r.AggregationRule = &rbacv1.AggregationRule{}
			r.AggregationRule.ClusterRoleSelectors = append(r.AggregationRule.ClusterRoleSelectors, *labelled(selects))
		}
		return r
	}
	roles := []rbacv1.ClusterRole{
		role("z", "y", "", get("pods")),
		role("y", "x", "y", get("replaced")),
		role("x", "x", "x", nil),
		role("w", "x", "", get("pods")),
		role("v", "x", "", get("nodes")),
		role("empty", "", "none", nil),
	}
	if got := rbac.Aggregate(roles); !slices.Equal(got, []string{"x", "y"}) {
		t.Errorf("changed %q", got)
	}
	want := map[string][]string{"x": {"nodes", "pods"}, "y": {"pods"}, "z": {"pods"}, "w": {"pods"}, "v": {"nodes"}}
	for _, r := range roles {
		var got []string
		for _, rule := range r.Rules {
			got = append(got, rule.Resources...)
		}
		if !slices.Equal(got, want[r.Name]) {
			t.Errorf("%s has %q, want %q", r.Name, got, want[r.Name])
		}
	}
	if got := rbac.Aggregate(roles); len(got) > 0 {
		t.Errorf("changed %q again", got)
	}
}
