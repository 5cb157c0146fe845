// Package services assigns addresses and ports to services, as they are stored, and creates the service that is the
// server itself.
//
// Limits: there is one range of IPv4 addresses, 10.0.0.0/16, and one of node ports.
package services

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/util/dryrun"
)

// What services are assigned: addresses of 10.0.0.0/16 from the 256th on, so that lower ones are
// left for users who choose addresses, and node ports.
const (
	firstAddress, lastAddress = 10<<24 + 256, 10<<24 + 1<<16 - 1
	firstPort, lastPort       = 30000, 32767
)

var errNoneLeft = errors.New("range is full")

// Addresses assigns unique addresses and ports to the services of a store. It is safe for concurrent use.
type Addresses struct {
	store *registry.Store

	mu    sync.Mutex // guards the fields below
	used  map[string]bool
	ports map[int32]bool
	next  uint32
}

// Assign makes the services of a store get addresses. No service may have been written through the store yet.
func Assign(store *registry.Store) *Addresses {
	a := &Addresses{store: store, next: firstAddress}
	store.BeginCreate = func(ctx context.Context, obj runtime.Object, options *metav1.CreateOptions) (registry.FinishFunc, error) {
		return a.begin(ctx, obj.(*corev1.Service), "", dryrun.IsDryRun(options.DryRun))
	}
	store.BeginUpdate = func(ctx context.Context, obj, old runtime.Object, options *metav1.UpdateOptions) (registry.FinishFunc, error) {
		s, was := obj.(*corev1.Service), old.(*corev1.Service)
		keepAddress(&s.Spec, &was.Spec)
		return a.begin(ctx, s, was.Spec.ClusterIP, dryrun.IsDryRun(options.DryRun))
	}
	store.AfterDelete = func(obj runtime.Object, _ *metav1.DeleteOptions) { a.release(obj.(*corev1.Service)) }
	return a
}

// begin completes a service. If the write fails, what it was assigned is released.
func (a *Addresses) begin(ctx context.Context, s *corev1.Service, was string, dryRun bool) (registry.FinishFunc, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.load(ctx); err != nil {
		return nil, err
	}
	given := &corev1.Service{}
	if ip := s.Spec.ClusterIP; ip != was && a.used[ip] {
		return nil, apierrors.NewInvalid(corev1.SchemeGroupVersion.WithKind("Service").GroupKind(), s.Name, field.ErrorList{
			field.Invalid(field.NewPath("spec", "clusterIPs"), []string{ip}, fmt.Sprintf("failed to allocate IP %s: provided IP is already allocated", ip)),
		})
	}
	if err := a.complete(s, given); err != nil {
		a.free(given)
		return nil, apierrors.NewInternalError(err)
	}
	return func(_ context.Context, success bool) {
		if !success || dryRun {
			a.release(given)
		}
	}, nil
}

// load reads what is in use, from a store with existing objects.
func (a *Addresses) load(ctx context.Context) error {
	if a.used != nil {
		return nil
	}
	list, err := a.store.List(request.WithNamespace(ctx, ""), &internalversion.ListOptions{})
	if err != nil {
		return fmt.Errorf("list services: %w", err)
	}
	a.used, a.ports = map[string]bool{}, map[int32]bool{}
	services, ok := list.(*corev1.ServiceList)
	if !ok {
		return fmt.Errorf("list services: got a %T", list)
	}
	for _, s := range services.Items {
		if ip := s.Spec.ClusterIP; ip != corev1.ClusterIPNone {
			a.used[ip] = true
		}
		for _, p := range s.Spec.Ports {
			a.ports[p.NodePort] = true
		}
	}
	return nil
}

// Forget makes the next write of a service read again what is in use, after objects were replaced in the backend.
func (a *Addresses) Forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.used, a.ports = nil, nil
}

// complete sets the missing fields of a service, and records in given what is reserved for it.
func (a *Addresses) complete(s, given *corev1.Service) error {
	spec := &s.Spec
	if spec.Type == corev1.ServiceTypeExternalName {
		return nil
	}
	if spec.IPFamilyPolicy == nil {
		spec.IPFamilyPolicy = new(corev1.IPFamilyPolicySingleStack)
	}
	if len(spec.IPFamilies) == 0 {
		spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol}
	}
	if spec.ClusterIP == "" && len(spec.ClusterIPs) > 0 {
		spec.ClusterIP = spec.ClusterIPs[0]
	}
	switch {
	case spec.ClusterIP == "":
		ip, err := a.address()
		if err != nil {
			return fmt.Errorf("failed to allocate IP for service: %w", err)
		}
		spec.ClusterIP, given.Spec.ClusterIP = ip, ip
	case spec.ClusterIP != corev1.ClusterIPNone && !a.used[spec.ClusterIP]:
		a.used[spec.ClusterIP] = true
		given.Spec.ClusterIP = spec.ClusterIP
	}
	if len(spec.ClusterIPs) == 0 {
		spec.ClusterIPs = []string{spec.ClusterIP}
	}
	if spec.Type != corev1.ServiceTypeNodePort && (spec.Type != corev1.ServiceTypeLoadBalancer || !*spec.AllocateLoadBalancerNodePorts) {
		return nil
	}
	for i := range spec.Ports {
		if spec.Ports[i].NodePort != 0 {
			a.ports[spec.Ports[i].NodePort] = true
			continue
		}
		port, err := a.port()
		if err != nil {
			return fmt.Errorf("failed to allocate a nodePort: %w", err)
		}
		spec.Ports[i].NodePort = port
		given.Spec.Ports = append(given.Spec.Ports, corev1.ServicePort{NodePort: port})
	}
	return nil
}

func (a *Addresses) address() (string, error) {
	for range lastAddress - firstAddress {
		var bytes [4]byte
		binary.BigEndian.PutUint32(bytes[:], a.next)
		if a.next++; a.next > lastAddress {
			a.next = firstAddress
		}
		if ip := netip.AddrFrom4(bytes).String(); !a.used[ip] {
			a.used[ip] = true
			return ip, nil
		}
	}
	return "", errNoneLeft
}

func (a *Addresses) port() (int32, error) {
	for port := int32(firstPort); port <= lastPort; port++ {
		if !a.ports[port] {
			a.ports[port] = true
			return port, nil
		}
	}
	return 0, errNoneLeft
}

// release releases the addresses and ports of a service.
func (a *Addresses) release(s *corev1.Service) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.free(s)
}

func (a *Addresses) free(s *corev1.Service) {
	delete(a.used, s.Spec.ClusterIP)
	for _, p := range s.Spec.Ports {
		delete(a.ports, p.NodePort)
	}
}

// keepAddress preserves a service's address in updates by clients that do not know it.
func keepAddress(s, was *corev1.ServiceSpec) {
	if s.Type == corev1.ServiceTypeExternalName || was.Type == corev1.ServiceTypeExternalName {
		return
	}
	if s.ClusterIP == "" && len(s.ClusterIPs) == 0 {
		s.ClusterIP, s.ClusterIPs = was.ClusterIP, was.ClusterIPs
	}
	if len(s.IPFamilies) == 0 {
		s.IPFamilies = was.IPFamilies
	}
	if s.IPFamilyPolicy == nil {
		s.IPFamilyPolicy = was.IPFamilyPolicy
	}
	nodePorts := map[int32]int32{}
	for _, p := range was.Ports {
		nodePorts[p.Port] = p.NodePort
	}
	for i := range s.Ports {
		if s.Type == was.Type {
			s.Ports[i].NodePort = cmp.Or(s.Ports[i].NodePort, nodePorts[s.Ports[i].Port])
		}
	}
}
