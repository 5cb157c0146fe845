package services

import (
	"context"
	"fmt"
	"net/netip"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/generic/registry"
)

// ownAddress is the first address of services.
const ownAddress = "10.0.0.1"

// httpsPort is the port of the service.
const httpsPort = 443

// CreateOwn creates the service kubernetes, whose endpoint is a server at an address, in a new store. An address without
// a port is a name: nobody connects to the endpoint.
func CreateOwn(store *registry.Store, serverAddress string, defaulter runtime.ObjectDefaulter) error {
	port := uint16(httpsPort)
	if strings.Contains(serverAddress, ":") {
		address, err := netip.ParseAddrPort(serverAddress)
		if err != nil {
			return fmt.Errorf("the server's address: %w", err)
		}
		port = address.Port()
	}
	service := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{
			Name: "kubernetes", Namespace: metav1.NamespaceDefault,
			Labels: map[string]string{"component": "apiserver", "provider": "kubernetes"},
		},
		Spec: corev1.ServiceSpec{
			ClusterIP: ownAddress,
			Ports:     []corev1.ServicePort{{Name: "https", Port: httpsPort, TargetPort: intstr.FromInt32(int32(port))}},
		},
	}
	defaulter.Default(service)
	ctx := request.WithNamespace(context.Background(), service.Namespace)
	if _, err := store.Create(ctx, service, nil, &metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("create service %s: %w", service.Name, err)
	}
	return nil
}
