package main

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"

	"github.com/listwatch/listwatch/apitest/internal/builtin/facts"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"
)

// roles records the roles and bindings that every cluster has.
func roles(dir, out string) error {
	var all facts.Policy
	from := filepath.Join(dir, "plugin", "pkg", "auth", "authorizer", "rbac", "bootstrappolicy", "testdata")
	for _, file := range []struct {
		name string
		read func(name string) error
	}{
		{"cluster-roles", appendTo(&all.ClusterRoles)},
		{"controller-roles", appendTo(&all.ClusterRoles)},
		{"cluster-role-bindings", appendTo(&all.ClusterRoleBindings)},
		{"controller-role-bindings", appendTo(&all.ClusterRoleBindings)},
		{"namespace-roles", appendTo(&all.Roles)},
		{"namespace-role-bindings", appendTo(&all.RoleBindings)},
	} {
		if err := file.read(filepath.Join(from, file.name+".yaml")); err != nil {
			return err
		}
	}
	slices.SortFunc(all.ClusterRoles, func(a, b rbacv1.ClusterRole) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(all.ClusterRoleBindings, func(a, b rbacv1.ClusterRoleBinding) int { return cmp.Compare(a.Name, b.Name) })
	return write(filepath.Join(out, "roles.json"), all)
}

// appendTo returns a function that appends the items of a list, or a list of lists, in a file.
func appendTo[T any](to *[]T) func(name string) error {
	return func(name string) error {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var list struct{ Items []T }
		if err := yaml.Unmarshal(data, &list); err != nil {
			return err
		}
		*to = append(*to, list.Items...)
		return nil
	}
}
