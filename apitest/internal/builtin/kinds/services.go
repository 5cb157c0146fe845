package kinds

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func serviceRules(r *Rules) {
	r.Fields = serviceFields
	r.ValidName = validation.NameIsDNSLabel
	r.ValidateUpdate = keepsAddress
}

// keepsAddress checks that the address of a service does not change.
func keepsAddress(obj, old runtime.Object) field.ErrorList {
	n, o := &obj.(*corev1.Service).Spec, &old.(*corev1.Service).Spec
	if n.Type == corev1.ServiceTypeExternalName || o.Type == corev1.ServiceTypeExternalName || o.ClusterIP == "" || n.ClusterIP == o.ClusterIP {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("spec", "clusterIPs").Index(0), n.ClusterIPs, "may not change once set")}
}
