package plugins

import (
	"context"
	"errors"
	"slices"

	"github.com/listwatch/listwatch/apitest/internal/builtin/kinds"
	"github.com/listwatch/listwatch/apitest/internal/builtin/stores"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apiserver/pkg/admission"
)

var storageClasses = storagev1.SchemeGroupVersion.WithResource("storageclasses")

// claimClass returns the storage class of a claim, and whether it has one, which may be "".
func claimClass(c *corev1.PersistentVolumeClaim) (string, bool) {
	if class, ok := c.Annotations[corev1.BetaStorageClassAnnotation]; ok {
		return class, true
	}
	if c.Spec.StorageClassName != nil {
		return *c.Spec.StorageClassName, true
	}
	return "", false
}

// defaultStorageClass sets the class of claims that have none.
func defaultStorageClass(o Options) admission.Interface {
	return &rule{operations: onCreate, admit: func(ctx context.Context, a admission.Attributes) error {
		claim, ok := written[corev1.PersistentVolumeClaim](a)
		if !ok {
			return nil
		}
		if _, ok := claimClass(claim); ok {
			return nil
		}
		list, err := stores.ListWritten[storagev1.StorageClassList](ctx, o.Reader, storageClasses, "")
		if err != nil {
			return admission.NewForbidden(a, err)
		}
		claim.Spec.StorageClassName = kinds.DefaultStorageClass(list.Items)
		return nil
	}}
}

// protectStorage sets finalizers that controllers of a cluster remove when an object is not in use.
func protectStorage(Options) admission.Interface {
	return &rule{operations: onCreate, admit: func(_ context.Context, a admission.Attributes) error {
		if claim, ok := written[corev1.PersistentVolumeClaim](a); ok {
			addOnce(&claim.Finalizers, "kubernetes.io/pvc-protection")
		}
		if volume, ok := written[corev1.PersistentVolume](a); ok {
			addOnce(&volume.Finalizers, "kubernetes.io/pv-protection")
		}
		if class, ok := written[storagev1.VolumeAttributesClass](a); ok {
			addOnce(&class.Finalizers, "kubernetes.io/vac-protection")
		}
		return nil
	}}
}

func addOnce(list *[]string, name string) {
	if !slices.Contains(*list, name) {
		*list = append(*list, name)
	}
}

// resizeClaims rejects larger claims, unless they are bound and their storage class allows it.
func resizeClaims(o Options) admission.Interface {
	return &rule{operations: onUpdate, validate: func(ctx context.Context, a admission.Attributes) error {
		claim, ok := written[corev1.PersistentVolumeClaim](a)
		was, known := before[corev1.PersistentVolumeClaim](a)
		if !ok || !known || claim.Spec.Resources.Requests.Storage().Cmp(*was.Spec.Resources.Requests.Storage()) <= 0 {
			return nil
		}
		if was.Status.Phase != corev1.ClaimBound {
			return admission.NewForbidden(a, errors.New("Only bound persistent volume claims can be expanded")) //nolint:staticcheck // upstream's text
		}
		name, _ := claimClass(claim)
		if old, _ := claimClass(was); name != "" && name == old {
			object, err := o.Reader.Get(ctx, storageClasses, "", name)
			class, ok := object.(*storagev1.StorageClass)
			if err == nil && ok && class.AllowVolumeExpansion != nil && *class.AllowVolumeExpansion {
				return nil
			}
		}
		return admission.NewForbidden(a, errors.New("only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize"))
	}}
}
