package fake

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"

	"github.com/listwatch/listwatch/runtime/testing"
)

// Evict records an action on pods without a name, in the namespace of the client, as client-go's fake
// does.
func (c *fakeEvictions) Evict(_ context.Context, eviction *policyv1.Eviction) error {
	pods := corev1.SchemeGroupVersion.WithResource("pods")
	_, err := c.Fake.Invokes(testing.NewCreateSubresourceAction(pods, "", "eviction", c.Namespace(), eviction), eviction)
	return err
}
