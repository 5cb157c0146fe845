package builtin

import (
	"context"
	"fmt"
	"net/netip"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/generic/registry"
)

var services = corev1.SchemeGroupVersion.WithResource("services")

// ownAddress is the first address of services.
const ownAddress = "10.0.0.1"

// serveItself creates the server's own service in a new store.
func (r *Resources) serveItself(store *registry.Store) error {
	if r.options.Address == "" {
		return nil
	}
	address, err := netip.ParseAddrPort(r.options.Address)
	if err != nil {
		return fmt.Errorf("the server's address: %w", err)
	}
	service := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{
			Name: "kubernetes", Namespace: metav1.NamespaceDefault,
			Labels: map[string]string{"component": "apiserver", "provider": "kubernetes"},
		},
		Spec: corev1.ServiceSpec{
			ClusterIP: ownAddress,
			Ports:     []corev1.ServicePort{{Name: "https", Port: 443, TargetPort: intstr.FromInt32(int32(address.Port()))}},
		},
	}
	r.codecs.Defaulter.Default(service)
	ctx := request.WithNamespace(context.Background(), service.Namespace)
	if _, err = store.Create(ctx, service, nil, &metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("create service %s: %w", service.Name, err)
	}
	return nil
}
