// Package services assigns addresses and ports to services, as they are stored, and creates the service that is the
// server itself.
//
// Limits: there is one range of IPv4 addresses, 10.0.0.0/16, and one of node ports.
package services

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"sync"

	"github.com/listwatch/listwatch/apitest/internal/validation"
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

// What services are assigned: addresses of 10.0.0.0/16 from the 256th on, and node ports, the first of which only if there
// are no others. So lower ones are left for users who choose theirs (KEP-3070, KEP-3668).
const (
	firstAddress, lastAddress         = 10<<24 + 256, 10<<24 + 1<<16 - 1
	firstPort, lastPort, chosenByUser = 30000, 32767, 86
)

var addressRange = netip.MustParsePrefix("10.0.0.0/16")

// errTwice reports that an update has a port twice, which the real server returns as it is.
var errTwice = errors.New("duplicate nodePort")

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
		return a.begin(ctx, obj.(*corev1.Service), &corev1.Service{}, dryrun.IsDryRun(options.DryRun))
	}
	store.BeginUpdate = func(ctx context.Context, obj, old runtime.Object, options *metav1.UpdateOptions) (registry.FinishFunc, error) {
		s, was := obj.(*corev1.Service), old.(*corev1.Service)
		keepAssigned(&s.Spec, &was.Spec)
		return a.begin(ctx, s, was, dryrun.IsDryRun(options.DryRun))
	}
	store.AfterDelete = func(obj runtime.Object, _ *metav1.DeleteOptions) { a.release(obj.(*corev1.Service)) }
	return a
}

// begin completes a service. If the write fails, what it was assigned is released; if it succeeds, what it had before
// and has no more.
func (a *Addresses) begin(ctx context.Context, s, was *corev1.Service, dryRun bool) (registry.FinishFunc, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.load(ctx); err != nil {
		return nil, err
	}
	normalize(&s.Spec, &was.Spec)
	if errs := chooseFamilies(&s.Spec); len(errs) > 0 {
		return nil, apierrors.NewInvalid(corev1.SchemeGroupVersion.WithKind("Service").GroupKind(), s.Name, errs)
	}
	before, given := usedBy(&was.Spec), assigned{dryRun: dryRun}
	errs, err := a.complete(&s.Spec, &was.Spec, &given)
	if len(errs) > 0 {
		err = apierrors.NewInvalid(corev1.SchemeGroupVersion.WithKind("Service").GroupKind(), s.Name, errs)
	} else if err != nil && !errors.Is(err, errTwice) {
		err = apierrors.NewInternalError(err)
	}
	if err != nil {
		a.free(given)
		return nil, err
	}
	former := before.without(usedBy(&s.Spec))
	return func(_ context.Context, success bool) {
		a.mu.Lock()
		defer a.mu.Unlock()
		switch {
		case !success || dryRun:
			a.free(given)
		default:
			a.free(former)
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
	for i := range services.Items {
		u := usedBy(&services.Items[i].Spec)
		for ip := range u.ips {
			a.used[ip] = true
		}
		for port := range u.ports {
			a.ports[port] = true
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

// complete sets the missing fields of a service, and records in given what is reserved for it, beside what it had
// before.
func (a *Addresses) complete(spec, was *corev1.ServiceSpec, given *assigned) (field.ErrorList, error) {
	before, path := usedBy(was), field.NewPath("spec")
	if spec.Type == corev1.ServiceTypeExternalName {
		return nil, nil
	}
	switch ip := spec.ClusterIP; {
	case ip == "":
		free, err := a.address()
		if err != nil {
			return nil, fmt.Errorf("failed to allocate IP for service: %w", err)
		}
		spec.ClusterIP = free
		given.addIP(free)
	case ip != corev1.ClusterIPNone && len(before.ips) == 0 && validation.FamilyOf(ip) != "":
		if err := a.claimAddress(ip, given); err != nil {
			return field.ErrorList{field.Invalid(path.Child("clusterIPs"), []string{ip}, fmt.Sprintf("failed to allocate IP %s: %v", ip, err))}, nil
		}
	}
	if len(spec.ClusterIPs) == 0 {
		spec.ClusterIPs = []string{spec.ClusterIP}
	}
	if !hasNodePorts(spec) {
		return nil, nil
	}
	if errs, err := a.nodePorts(spec, before, given, was.Type != ""); len(errs) > 0 || err != nil {
		return errs, err
	}
	if isChecked(was) {
		return nil, nil
	}
	return nil, a.healthCheckPort(spec, given)
}

// nodePorts reserves the ports that a service has on nodes, and chooses the missing ones. A port that an update has twice
// is an error of the server, as in the real one.
func (a *Addresses) nodePorts(spec *corev1.ServiceSpec, before assigned, given *assigned, update bool) (field.ErrorList, error) {
	protocols := map[int32][]corev1.Protocol{}
	for i := range spec.Ports {
		p := &spec.Ports[i]
		if update && p.NodePort != 0 && slices.Contains(protocols[p.NodePort], p.Protocol) {
			return nil, fmt.Errorf("%w: {%s %d}", errTwice, p.Protocol, p.NodePort)
		}
		shared := p.NodePort != 0 && len(protocols[p.NodePort]) > 0 && !slices.Contains(protocols[p.NodePort], p.Protocol)
		protocols[p.NodePort] = append(protocols[p.NodePort], p.Protocol)
		switch {
		case p.NodePort == 0:
			if !choosesNodePorts(spec) {
				continue
			}
			port, err := a.port(given)
			if err != nil {
				return nil, fmt.Errorf("failed to allocate a nodePort: %w", err)
			}
			p.NodePort = port
			given.addPort(port)
		case before.ports[p.NodePort], shared:
		default:
			if err := a.claimPort(p.NodePort, given); err != nil {
				return field.ErrorList{field.Invalid(field.NewPath("spec", "ports").Index(i).Child("nodePort"), p.NodePort, err.Error())}, nil
			}
		}
	}
	return nil, nil
}

// healthCheckPort reserves the port by which a balancer asks nodes for endpoints of a service, or chooses it.
func (a *Addresses) healthCheckPort(spec *corev1.ServiceSpec, given *assigned) error {
	if !isChecked(spec) {
		return nil
	}
	if port := spec.HealthCheckNodePort; port != 0 {
		if err := a.claimPort(port, given); err != nil {
			return fmt.Errorf("failed to allocate requested HealthCheck NodePort %d: %w", port, err)
		}
		return nil
	}
	free, err := a.port(given)
	if err != nil {
		return fmt.Errorf("failed to allocate a HealthCheck NodePort: %w", err)
	}
	spec.HealthCheckNodePort = free
	given.addPort(free)
	return nil
}

// claimAddress reserves an address that a user chose.
func (a *Addresses) claimAddress(ip string, given *assigned) error {
	addr, err := netip.ParseAddr(ip)
	switch {
	case err != nil || !addressRange.Contains(addr) || addr == addressRange.Addr() || addr.As4() == [4]byte{10, 0, 255, 255}:
		return fmt.Errorf("the provided IP (%s) is not in the valid range. The range of valid IPs is %s", ip, addressRange)
	case given.dryRun:
		return nil
	case a.used[ip]:
		return errors.New("provided IP is already allocated")
	}
	a.used[ip] = true
	given.addIP(ip)
	return nil
}

// claimPort reserves a port that a user chose.
func (a *Addresses) claimPort(port int32, given *assigned) error {
	switch {
	case !given.dryRun && (port < firstPort || port > lastPort):
		return fmt.Errorf("provided port is not in the valid range. The range of valid ports is %d-%d", firstPort, lastPort)
	case a.ports[port]:
		return errors.New("provided port is already allocated")
	}
	a.ports[port] = true
	given.addPort(port)
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

// port chooses a port. A dry run that has ports gets the one after the last, like the real server's.
func (a *Addresses) port(given *assigned) (int32, error) {
	if given.dryRun && len(given.ports) > 0 {
		return 1 + slices.Max(append(slices.Collect(maps.Keys(given.ports)), 0)), nil
	}
	const ports = lastPort - firstPort + 1
	for i := range int32(ports) {
		if port := firstPort + (chosenByUser+i)%ports; !a.ports[port] {
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
	a.free(usedBy(&s.Spec))
}

func (a *Addresses) free(what assigned) {
	for ip := range what.ips {
		delete(a.used, ip)
	}
	for port := range what.ports {
		delete(a.ports, port)
	}
}
