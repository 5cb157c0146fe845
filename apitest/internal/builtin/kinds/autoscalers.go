package kinds

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validateAutoscaler checks the target and the bounds.
func validateAutoscaler(obj runtime.Object) field.ErrorList {
	a, ok := obj.(*autoscalingv2.HorizontalPodAutoscaler)
	if !ok {
		return nil // the scheme lacks the version that is stored
	}
	spec, s := field.NewPath("spec"), &a.Spec
	var errs field.ErrorList
	if s.MinReplicas != nil && s.MaxReplicas < *s.MinReplicas {
		errs = append(errs, field.Invalid(spec.Child("maxReplicas"), s.MaxReplicas, "must be greater than or equal to `minReplicas`"))
	}
	target := spec.Child("scaleTargetRef")
	for _, f := range []struct{ name, value string }{{"kind", s.ScaleTargetRef.Kind}, {"name", s.ScaleTargetRef.Name}} {
		if f.value == "" {
			errs = append(errs, field.Required(target.Child(f.name), ""))
			continue
		}
		for _, text := range content.IsPathSegmentName(f.value) {
			errs = append(errs, field.Invalid(target.Child(f.name), f.value, text))
		}
	}
	if gv, err := schema.ParseGroupVersion(s.ScaleTargetRef.APIVersion); err != nil {
		errs = append(errs, field.Invalid(target.Child("apiVersion"), s.ScaleTargetRef.APIVersion, err.Error()))
	} else if gv.Group == "" && s.ScaleTargetRef.Kind != "ReplicationController" {
		errs = append(errs, field.Invalid(target.Child("apiVersion"), s.ScaleTargetRef.APIVersion, "apiVersion must specify API group"))
	}
	return errs
}
