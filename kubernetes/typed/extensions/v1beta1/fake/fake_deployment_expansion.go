package fake

import (
	"context"

	extensionsv1beta1 "k8s.io/api/extensions/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/testing"
)

// Rollback records an action without name and namespace, as client-go's fake does.
func (c *fakeDeployments) Rollback(_ context.Context, rollback *extensionsv1beta1.DeploymentRollback, _ metav1.CreateOptions) error {
	_, err := c.Fake.Invokes(testing.NewRootCreateSubresourceAction(c.Resource(), "", "rollback", rollback), rollback)
	return err
}
