package rbac_test

import (
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"github.com/listwatch/listwatch/apitest/internal/builtin/facts"
	"github.com/listwatch/listwatch/apitest/internal/rbac"
)

func meta(namespace, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: namespace, Name: name}
}

func labelled(to string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{"to": to}}
}

func clusterRole(name string) rbacv1.RoleRef { return rbacv1.RoleRef{Kind: "ClusterRole", Name: name} }

var policy = &rbac.Policy{
	ClusterRoles: []rbacv1.ClusterRole{
		{ObjectMeta: meta("", "reader"), Rules: []rbacv1.PolicyRule{
			{APIGroups: []string{""}, Resources: []string{"pods", "pods/log"}, Verbs: []string{"get", "list"}},
			{APIGroups: []string{"apps"}, Resources: []string{"*/scale"}, Verbs: []string{"*"}},
		}},
		{ObjectMeta: meta("", "paths"), Rules: []rbacv1.PolicyRule{
			{NonResourceURLs: []string{"/metrics", "/debug/*"}, Verbs: []string{"get"}},
		}},
	},
	ClusterRoleBindings: []rbacv1.ClusterRoleBinding{
		{ObjectMeta: meta("", "readers"), RoleRef: clusterRole("reader"), Subjects: []rbacv1.Subject{{Kind: "User", Name: "jane"}}},
		{RoleRef: clusterRole("paths"), Subjects: []rbacv1.Subject{{Kind: "Group", Name: "ops"}}},
		{RoleRef: clusterRole("gone"), Subjects: []rbacv1.Subject{{Kind: "User", Name: "lost"}}},
	},
	Roles: []rbacv1.Role{
		{ObjectMeta: meta("a", "one"), Rules: []rbacv1.PolicyRule{
			{APIGroups: []string{"*"}, Resources: []string{"configmaps"}, ResourceNames: []string{"lock"}, Verbs: []string{"update"}},
		}},
	},
	RoleBindings: []rbacv1.RoleBinding{
		{ObjectMeta: meta("a", "one"), RoleRef: rbacv1.RoleRef{Kind: "Role", Name: "one"}, Subjects: []rbacv1.Subject{
			{Kind: "ServiceAccount", Name: "robot"}, {Kind: "ServiceAccount", Namespace: "b", Name: "guest"},
		}},
		{ObjectMeta: meta("b", "one"), RoleRef: rbacv1.RoleRef{Kind: "Role", Name: "one"}, Subjects: []rbacv1.Subject{{Kind: "User", Name: "lost"}}},
		{ObjectMeta: meta("b", "all"), RoleRef: clusterRole("cluster-admin"), Subjects: []rbacv1.Subject{{Kind: "User", Name: "boss"}}},
	},
}

func resource(verb, group, resource, sub, namespace, name string) authorizer.AttributesRecord {
	return authorizer.AttributesRecord{
		Verb: verb, APIGroup: group, Resource: resource, Subresource: sub, Namespace: namespace, Name: name, ResourceRequest: true,
	}
}

func path(verb, path string) authorizer.AttributesRecord {
	return authorizer.AttributesRecord{Verb: verb, Path: path}
}

// withDefaults returns the policy with the roles and bindings that every cluster has.
func withDefaults(t *testing.T) *rbac.Policy {
	t.Helper()
	defaults, err := facts.Roles()
	if err != nil {
		t.Fatal(err)
	}
	all := *policy
	all.ClusterRoles = append(defaults.ClusterRoles, policy.ClusterRoles...)
	all.ClusterRoleBindings = append(defaults.ClusterRoleBindings, policy.ClusterRoleBindings...)
	return &all
}

func TestAllows(t *testing.T) {
	all := withDefaults(t)
	const robot, guest = "system:serviceaccount:a:robot", "system:serviceaccount:b:guest"
	for _, c := range []struct {
		name   string
		user   string
		groups []string
		asked  authorizer.AttributesRecord
		want   bool
		reason string
	}{
		{"cluster role in all namespaces", "jane", nil, resource("list", "", "pods", "", "x", ""), true,
			`RBAC: allowed by ClusterRoleBinding "readers" of ClusterRole "reader" to User "jane"`},
		{"cluster role without a namespace", "jane", nil, resource("list", "", "pods", "", "", ""), true, ""},
		{"another verb", "jane", nil, resource("watch", "", "pods", "", "x", ""), false, ""},
		{"another group", "jane", nil, resource("list", "apps", "pods", "", "x", ""), false, ""},
		{"another resource", "jane", nil, resource("list", "", "secrets", "", "x", ""), false, ""},
		{"another user", "joe", nil, resource("list", "", "pods", "", "x", ""), false, ""},
		{"subresource that is named", "jane", nil, resource("get", "", "pods", "log", "x", "p"), true, ""},
		{"subresource that is not", "jane", nil, resource("get", "", "pods", "status", "x", "p"), false, ""},
		{"subresource of all resources", "jane", nil, resource("patch", "apps", "deployments", "scale", "x", "d"), true, ""},
		{"path", "u", []string{"ops"}, path("get", "/metrics"), true, ""},
		{"path below", "u", []string{"ops"}, path("get", "/debug/pprof"), true, ""},
		{"path beyond", "u", []string{"ops"}, path("get", "/metrics/x"), false, ""},
		{"path of another group", "u", []string{"dev"}, path("get", "/metrics"), false, ""},
		{"role by name", robot, nil, resource("update", "", "configmaps", "", "a", "lock"), true, ""},
		{"role by another name", robot, nil, resource("update", "", "configmaps", "", "a", "key"), false, ""},
		{"role in another namespace", robot, nil, resource("update", "", "configmaps", "", "b", "lock"), false, ""},
		{"role for a guest", guest, nil, resource("update", "x", "configmaps", "", "a", "lock"), true,
			`RBAC: allowed by RoleBinding "one/a" of Role "one" to ServiceAccount "guest/b"`},
		{"role that is gone", "lost", nil, resource("get", "", "pods", "", "b", "p"), false,
			`RBAC: [clusterrole.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "one" not found]`},
		{"cluster role in one namespace", "boss", nil, resource("delete", "x", "y", "z", "b", "n"), true, ""},
		{"cluster role only there", "boss", nil, resource("delete", "x", "y", "z", "a", "n"), false, ""},
		{"masters", "root", []string{user.SystemPrivilegedGroup}, resource("delete", "x", "y", "z", "a", "n"), true, ""},
		{"masters on paths", "root", []string{user.SystemPrivilegedGroup}, path("post", "/x"), true, ""},
		{"discovery", "joe", []string{user.AllAuthenticated}, path("get", "/apis/apps/v1"), true,
			`RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery" to Group "system:authenticated"`},
		{"discovery without a name", user.Anonymous, []string{user.AllUnauthenticated}, path("get", "/apis"), false, ""},
		{"health without a name", user.Anonymous, []string{user.AllUnauthenticated}, path("get", "/readyz"), true, ""},
		{"a check without a name", user.Anonymous, []string{user.AllUnauthenticated}, path("get", "/readyz/ping"), false, ""},
		{"review of oneself", "joe", []string{user.AllAuthenticated}, resource("create", "authorization.k8s.io", "selfsubjectaccessreviews", "", "", ""), true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.asked.User = &user.DefaultInfo{Name: c.user, Groups: c.groups}
			allowed, reason := all.Allows(c.asked)
			if allowed != c.want || reason != c.reason && (!allowed || c.reason != "") {
				t.Errorf("got %v %q, want %v %q", allowed, reason, c.want, c.reason)
			}
		})
	}
}

func TestNobody(t *testing.T) {
	if allowed, _ := policy.Allows(path("get", "/version")); allowed {
		t.Error("allowed without a user")
	}
}
