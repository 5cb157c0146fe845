package rbac

import (
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/authentication/user"
)

// born is the default policy of clusters.
var born = &Policy{
	ClusterRoles: []rbacv1.ClusterRole{
		role("cluster-admin",
			rbacv1.PolicyRule{APIGroups: []string{"*"}, Resources: []string{"*"}, Verbs: []string{"*"}},
			rbacv1.PolicyRule{NonResourceURLs: []string{"*"}, Verbs: []string{"*"}}),
		role("system:discovery", read(
			"/api", "/api/*", "/apis", "/apis/*", "/healthz", "/livez", "/openapi", "/openapi/*", "/readyz", "/version", "/version/")),
		role("system:basic-user",
			create("authorization.k8s.io", "selfsubjectaccessreviews", "selfsubjectrulesreviews"),
			create("authentication.k8s.io", "selfsubjectreviews")),
		role("system:public-info-viewer", read("/healthz", "/livez", "/readyz", "/version", "/version/")),
	},
	ClusterRoleBindings: []rbacv1.ClusterRoleBinding{
		bind("cluster-admin", user.SystemPrivilegedGroup),
		bind("system:discovery", user.AllAuthenticated),
		bind("system:basic-user", user.AllAuthenticated),
		bind("system:public-info-viewer", user.AllAuthenticated, user.AllUnauthenticated),
	},
}

func role(name string, rules ...rbacv1.PolicyRule) rbacv1.ClusterRole {
	return rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: name}, Rules: rules}
}

func read(paths ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{NonResourceURLs: paths, Verbs: []string{"get"}}
}

func create(group string, resources ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{APIGroups: []string{group}, Resources: resources, Verbs: []string{"create"}}
}

func bind(name string, groups ...string) rbacv1.ClusterRoleBinding {
	binding := rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: name},
	}
	for _, group := range groups {
		binding.Subjects = append(binding.Subjects, rbacv1.Subject{APIGroup: rbacv1.GroupName, Kind: rbacv1.GroupKind, Name: group})
	}
	return binding
}
