package fake

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	fakegentype "github.com/listwatch/listwatch/runtime/gentype/fake"
	"github.com/listwatch/listwatch/runtime/testing"
)

// Finalize records a create action without a name, as client-go's fake does.
func (c *fakeNamespaces) Finalize(_ context.Context, item *corev1.Namespace, _ metav1.UpdateOptions) (*corev1.Namespace, error) {
	action := testing.NewRootCreateSubresourceAction(c.Resource(), "", "finalize", item)
	return fakegentype.Invoke(c.Fake.Fake, action, item)
}
