package kinds

import (
	networkingv1 "k8s.io/api/networking/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// IsDefaultIngressClass reports whether ingresses without a class may get a class.
func IsDefaultIngressClass(c *networkingv1.IngressClass) bool {
	return c.Annotations[networkingv1.AnnotationIsDefaultIngressClass] == "true"
}

// DefaultIngressClass returns the name of the class that ingresses without one get, or nil.
func DefaultIngressClass(classes []networkingv1.IngressClass) *string {
	return newest(classes, func(c *networkingv1.IngressClass) (*metav1.ObjectMeta, bool) {
		return &c.ObjectMeta, IsDefaultIngressClass(c)
	})
}

// DefaultStorageClass returns the name of the class that claims without one get, or nil.
func DefaultStorageClass(classes []storagev1.StorageClass) *string {
	return newest(classes, func(c *storagev1.StorageClass) (*metav1.ObjectMeta, bool) {
		return &c.ObjectMeta, c.Annotations["storageclass.kubernetes.io/is-default-class"] == "true" ||
			c.Annotations["storageclass.beta.kubernetes.io/is-default-class"] == "true"
	})
}

// newest returns the name of the default class that was created last, or of several at once the first by name; nil if
// there is no default. The function returns the metadata of a class, and whether it is a default.
func newest[T any](classes []T, describe func(*T) (meta *metav1.ObjectMeta, isDefault bool)) *string {
	var found *metav1.ObjectMeta
	for i := range classes {
		meta, ok := describe(&classes[i])
		switch {
		case !ok:
		case found == nil, meta.CreationTimestamp.After(found.CreationTimestamp.Time),
			meta.CreationTimestamp.Equal(&found.CreationTimestamp) && meta.Name < found.Name:
			found = meta
		}
	}
	if found == nil {
		return nil
	}
	name := found.Name
	return &name
}
