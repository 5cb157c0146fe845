package builtin

import (
	"context"

	"github.com/listwatch/listwatch/apitest/internal/rbac"
)

// Policy returns what the stored roles and bindings grant.
func (r *Resources) Policy(ctx context.Context) (*rbac.Policy, error) { return r.policy.Read(ctx) }
