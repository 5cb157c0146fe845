package kinds

import (
	"fmt"

	networkingv1 "k8s.io/api/networking/v1"
	networkingv1beta1 "k8s.io/api/networking/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
)

// warnIngress warns of a new ingress that has its class in an annotation.
func warnIngress(obj, old runtime.Object) []string {
	ingress := obj.(*networkingv1.Ingress)
	if _, ok := ingress.Annotations[networkingv1beta1.AnnotationIngressClass]; !ok || old != nil || ingress.Spec.IngressClassName != nil {
		return nil
	}
	return []string{fmt.Sprintf("annotation %q is deprecated, please use 'spec.ingressClassName' instead", networkingv1beta1.AnnotationIngressClass)}
}
