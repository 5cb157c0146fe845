package facts

import (
	"encoding/json"
	"fmt"

	rbacv1 "k8s.io/api/rbac/v1"
)

// Policy contains the roles and bindings that every cluster has. Aggregated roles have no rules.
type Policy struct {
	ClusterRoles        []rbacv1.ClusterRole        `json:"clusterRoles"`
	ClusterRoleBindings []rbacv1.ClusterRoleBinding `json:"clusterRoleBindings"`
	Roles               []rbacv1.Role               `json:"roles"`
	RoleBindings        []rbacv1.RoleBinding        `json:"roleBindings"`
}

// Roles returns the roles and bindings that every cluster has. The caller owns the result.
func Roles() (*Policy, error) {
	data, err := files.ReadFile("data/roles.json")
	if err != nil {
		return nil, fmt.Errorf("read roles: %w", err)
	}
	policy := &Policy{}
	if err := json.Unmarshal(data, policy); err != nil {
		return nil, fmt.Errorf("read roles: %w", err)
	}
	return policy, nil
}
