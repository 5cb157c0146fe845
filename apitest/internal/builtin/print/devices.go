package print

import (
	"strings"

	resourcev1 "k8s.io/api/resource/v1"
)

func resourceClaimCells(o *resourcev1.ResourceClaim) []any {
	var states []string
	if o.DeletionTimestamp != nil {
		states = append(states, "deleted")
	}
	switch {
	case o.Status.Allocation != nil:
		states = append(states, "allocated")
		if len(o.Status.ReservedFor) > 0 {
			states = append(states, "reserved")
		}
	case o.DeletionTimestamp == nil:
		states = append(states, "pending")
	}
	return []any{o.Name, strings.Join(states, ","), age(o)}
}

func claimTemplateCells(o *resourcev1.ResourceClaimTemplate) []any { return []any{o.Name, age(o)} }

func deviceClassCells(o *resourcev1.DeviceClass) []any { return []any{o.Name, age(o)} }

func resourceSliceCells(o *resourcev1.ResourceSlice) []any {
	return []any{o.Name, value(o.Spec.NodeName), o.Spec.Driver, o.Spec.Pool.Name, age(o)}
}

func taintRuleCells(o *resourcev1.DeviceTaintRule) []any {
	t, added := &o.Spec.Taint, ""
	if t.TimeAdded != nil {
		added = since(t.TimeAdded.Time)
	}
	return []any{o.Name, t.Key, t.Value, string(t.Effect), added, age(o)}
}
