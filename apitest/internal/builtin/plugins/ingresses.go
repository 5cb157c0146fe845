package plugins

import (
	"context"

	"github.com/listwatch/listwatch/apitest/internal/builtin/kinds"
	"github.com/listwatch/listwatch/apitest/internal/builtin/stores"
	networkingv1 "k8s.io/api/networking/v1"
	networkingv1beta1 "k8s.io/api/networking/v1beta1"
	"k8s.io/apiserver/pkg/admission"
)

var ingressClasses = networkingv1.SchemeGroupVersion.WithResource("ingressclasses")

// defaultIngressClass sets the class of ingresses that have none.
func defaultIngressClass(o Options) admission.Interface {
	return &rule{operations: onCreate, admit: func(ctx context.Context, a admission.Attributes) error {
		ingress, ok := written[networkingv1.Ingress](a)
		if !ok || ingress.Spec.IngressClassName != nil {
			return nil
		}
		if _, ok := ingress.Annotations[networkingv1beta1.AnnotationIngressClass]; ok {
			return nil
		}
		list, err := stores.ListWritten[networkingv1.IngressClassList](ctx, o.Reader, ingressClasses, "")
		if err != nil {
			return admission.NewForbidden(a, err)
		}
		ingress.Spec.IngressClassName = kinds.DefaultIngressClass(list.Items)
		return nil
	}}
}
