package v1

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/kubernetes/scheme"
)

// NamespaceExpansion has the methods of NamespaceInterface that are written by hand.
type NamespaceExpansion interface {
	// Finalize replaces the finalizers in the spec of a namespace, which no other update can change,
	// and returns the namespace.
	Finalize(ctx context.Context, item *corev1.Namespace, opts metav1.UpdateOptions) (*corev1.Namespace, error)
}

func (c *namespaces) Finalize(ctx context.Context, item *corev1.Namespace, opts metav1.UpdateOptions) (*corev1.Namespace, error) {
	result := &corev1.Namespace{}
	err := c.GetClient().Put().Resource("namespaces").Name(item.Name).SubResource("finalize").
		VersionedParams(&opts, scheme.ParameterCodec).Body(item).DoInto(ctx, result)
	return result, err
}
