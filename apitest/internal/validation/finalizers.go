package validation

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var ownFinalizers = []string{string(corev1.FinalizerKubernetes), metav1.FinalizerOrphanDependents, metav1.FinalizerDeleteDependents}

// Finalizers returns what is wrong with finalizers of built-in kinds, in addition to their form: they have a domain.
func Finalizers(names []string) field.ErrorList {
	var errs field.ErrorList
	for i, name := range names {
		if !strings.Contains(name, "/") && !slices.Contains(ownFinalizers, name) {
			errs = append(errs, field.Invalid(field.NewPath("metadata", "finalizers").Index(i), name,
				"name is neither a standard finalizer name nor is it fully qualified"))
		}
	}
	return errs
}
