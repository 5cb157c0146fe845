package rbac

import (
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/authentication/user"
)

// public is the policy of a server without roles for users without credentials: what every cluster allows.
var public = &Policy{
	ClusterRoles: []rbacv1.ClusterRole{{
		ObjectMeta: metav1.ObjectMeta{Name: publicViewer},
		Rules: []rbacv1.PolicyRule{{
			NonResourceURLs: []string{"/healthz", "/livez", "/readyz", "/version", "/version/"}, Verbs: []string{"get"},
		}},
	}},
	ClusterRoleBindings: []rbacv1.ClusterRoleBinding{{
		ObjectMeta: metav1.ObjectMeta{Name: publicViewer},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: publicViewer},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.GroupKind, Name: user.AllUnauthenticated}},
	}},
}

const publicViewer = "system:public-info-viewer"
