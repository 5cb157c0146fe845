package builtin

import (
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// roleReference is a role in the form that a server's errors have.
type roleReference struct{ APIGroup, Kind, Name string }

func roleOf(obj runtime.Object) rbacv1.RoleRef {
	if b, ok := obj.(*rbacv1.ClusterRoleBinding); ok {
		return b.RoleRef
	}
	return obj.(*rbacv1.RoleBinding).RoleRef
}

// keepsRole checks that the role of a binding does not change.
func keepsRole(obj, old runtime.Object) field.ErrorList {
	now := roleOf(obj)
	if now == roleOf(old) {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("roleRef"), roleReference(now), "field is immutable")}
}
