package builtin

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func serviceRules(r *rules) {
	r.fields = serviceFields
	r.validName = validation.NameIsDNSLabel
	r.validate = validateService
	r.validateUpdate = keepsAddress
}

func validateService(obj runtime.Object) field.ErrorList {
	s := &obj.(*corev1.Service).Spec
	path := field.NewPath("spec")
	var errs field.ErrorList
	if len(s.Ports) == 0 && s.ClusterIP != corev1.ClusterIPNone && s.Type != corev1.ServiceTypeExternalName {
		errs = append(errs, field.Required(path.Child("ports"), ""))
	}
	if s.Type == corev1.ServiceTypeExternalName && s.ExternalName == "" {
		errs = append(errs, field.Required(path.Child("externalName"), ""))
	}
	names := map[string]bool{}
	for i, p := range s.Ports {
		at := path.Child("ports").Index(i)
		switch {
		case p.Name == "" && len(s.Ports) > 1:
			errs = append(errs, field.Required(at.Child("name"), ""))
		case names[p.Name]:
			errs = append(errs, field.Duplicate(at.Child("name"), p.Name))
		}
		names[p.Name] = true
		for _, msg := range utilvalidation.IsValidPortNum(int(p.Port)) {
			errs = append(errs, field.Invalid(at.Child("port"), p.Port, msg))
		}
		if p.TargetPort.Type == intstr.Int {
			for _, msg := range utilvalidation.IsValidPortNum(p.TargetPort.IntValue()) {
				errs = append(errs, field.Invalid(at.Child("targetPort"), p.TargetPort.IntValue(), msg))
			}
		}
	}
	return errs
}
