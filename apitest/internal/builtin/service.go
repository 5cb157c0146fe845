package builtin

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/runtime"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func serviceRules(r *rules) {
	r.fields = serviceFields
	r.validName = validation.NameIsDNSLabel
	r.validate = validateService
	r.prepareUpdate = func(obj, old runtime.Object) {
		s, o := &obj.(*corev1.Service).Spec, &old.(*corev1.Service).Spec
		if s.Type == corev1.ServiceTypeExternalName || o.Type == corev1.ServiceTypeExternalName {
			return
		}
		// A client that does not know the address leaves it as it is.
		if s.ClusterIP == "" && len(s.ClusterIPs) == 0 {
			s.ClusterIP, s.ClusterIPs = o.ClusterIP, o.ClusterIPs
		}
		if len(s.IPFamilies) == 0 {
			s.IPFamilies = o.IPFamilies
		}
		if s.IPFamilyPolicy == nil {
			s.IPFamilyPolicy = o.IPFamilyPolicy
		}
	}
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
	}
	return errs
}

func pendingVolume(obj runtime.Object) {
	obj.(*corev1.PersistentVolume).Status.Phase = corev1.VolumePending
}

func pendingClaim(obj runtime.Object) {
	obj.(*corev1.PersistentVolumeClaim).Status.Phase = corev1.ClaimPending
}
