package v1beta1

import (
	"context"

	policyv1beta1 "k8s.io/api/policy/v1beta1"
)

// EvictionExpansion has the methods of EvictionInterface that are written by hand.
type EvictionExpansion interface {
	// Evict deletes the pod that eviction names, unless a disruption budget forbids it at present,
	// which an error for apierrors.IsTooManyRequests reports. The pod is in the namespace of eviction.
	Evict(ctx context.Context, eviction *policyv1beta1.Eviction) error
}

// Evict sends the eviction to the pod, which is of the core group.
func (c *evictions) Evict(ctx context.Context, eviction *policyv1beta1.Eviction) error {
	return c.GetClient().Post().AbsPath("/api/v1").Namespace(eviction.Namespace).Resource("pods").Name(eviction.Name).
		SubResource("eviction").Body(eviction).DoDiscard(ctx)
}
