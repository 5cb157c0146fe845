// Package quota measures what objects use of ResourceQuotas. The rules by which quotas are exceeded are the real
// server's (k8s.io/apiserver).
//
// Limits: a quota of an extended resource, for which a device class can stand, does not count claims of devices.
package quota

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	quota "k8s.io/apiserver/pkg/quota/v1"
	"k8s.io/apiserver/pkg/quota/v1/generic"
)

// Lister returns the objects of a resource in a namespace.
type Lister func(resource schema.GroupResource, namespace string) ([]runtime.Object, error)

// aliases are the old names of counts.
var aliases = map[schema.GroupResource]corev1.ResourceName{
	{Resource: "configmaps"}:             corev1.ResourceConfigMaps,
	{Resource: "resourcequotas"}:         corev1.ResourceQuotas,
	{Resource: "replicationcontrollers"}: corev1.ResourceReplicationControllers,
	{Resource: "secrets"}:                corev1.ResourceSecrets,
}

// special are the resources with other measures than their number.
var special = []schema.GroupResource{{Resource: "pods"}, {Resource: "services"}, {Resource: "persistentvolumeclaims"}, deviceClaims}

// Ignored reports whether no quota concerns a resource.
func Ignored(gr schema.GroupResource) bool {
	return gr.Resource == "events" && (gr.Group == "" || gr.Group == "events.k8s.io") || gr == schema.GroupResource{Resource: "bindings"} ||
		gr.Group == "authorization.k8s.io" || gr.Group == "authentication.k8s.io"
}

// For returns the evaluator of a resource. Only UsageStats calls list, which may be nil otherwise.
func For(gr schema.GroupResource, list Lister) quota.Evaluator {
	within := func(namespace string) ([]runtime.Object, error) { return list(gr, namespace) }
	switch gr {
	case schema.GroupResource{Resource: "pods"}:
		return &evaluator{gr: gr, list: within, handles: handlesPod, covers: coversPod, usage: usageOfPod, scope: scopeOfPod, lacks: lacksOfPod}
	case schema.GroupResource{Resource: "services"}:
		return &evaluator{gr: gr, list: within, handles: handlesWrite, covers: coversService, usage: usageOfService}
	case schema.GroupResource{Resource: "persistentvolumeclaims"}:
		return &evaluator{gr: gr, list: within, handles: handlesWrite, covers: coversClaim, usage: usageOfClaim, scope: scopeOfClaim}
	case deviceClaims:
		return &evaluator{gr: gr, list: within, handles: handlesWrite, covers: coversDevices, usage: usageOfDevices}
	}
	return generic.NewObjectCountEvaluator(gr, within, aliases[gr])
}

// Resources returns the resources that the names of a quota measure.
func Resources(hard corev1.ResourceList) []schema.GroupResource {
	var out []schema.GroupResource
	add := func(gr schema.GroupResource) {
		if !slices.Contains(out, gr) {
			out = append(out, gr)
		}
	}
	for name := range hard {
		for _, gr := range special {
			if len(For(gr, nil).MatchingResources([]corev1.ResourceName{name})) > 0 {
				add(gr)
			}
		}
		for gr, alias := range aliases {
			if name == alias {
				add(gr)
			}
		}
		if counted, ok := strings.CutPrefix(string(name), "count/"); ok {
			add(schema.ParseGroupResource(counted))
		}
	}
	return out
}

// evaluator measures objects of one resource. Functions that are nil do nothing.
type evaluator struct {
	gr      schema.GroupResource
	list    generic.ListFuncByNamespace
	handles func(a admission.Attributes) bool
	covers  func(name corev1.ResourceName) bool
	usage   func(object runtime.Object) corev1.ResourceList
	scope   func(selector corev1.ScopedResourceSelectorRequirement, object runtime.Object) bool
	lacks   func(required []corev1.ResourceName, object runtime.Object) []string
}

var _ quota.Evaluator = &evaluator{}

// Constraints implements quota.Evaluator.
func (e *evaluator) Constraints(required []corev1.ResourceName, item runtime.Object) error {
	if e.lacks == nil {
		return nil
	}
	if missing := e.lacks(required, item); len(missing) > 0 {
		return fmt.Errorf("must specify %s", strings.Join(missing, "; "))
	}
	return nil
}

// GroupResource implements quota.Evaluator.
func (e *evaluator) GroupResource() schema.GroupResource { return e.gr }

// Handles implements quota.Evaluator.
func (e *evaluator) Handles(a admission.Attributes) bool { return e.handles(a) }

// Matches implements quota.Evaluator.
func (e *evaluator) Matches(q *corev1.ResourceQuota, item runtime.Object) (bool, error) {
	return generic.Matches(q, item, e.MatchingResources, e.inScope)
}

func (e *evaluator) inScope(selector corev1.ScopedResourceSelectorRequirement, object runtime.Object) (bool, error) {
	return e.scope != nil && e.scope(selector, object), nil
}

// MatchingScopes implements quota.Evaluator.
func (e *evaluator) MatchingScopes(item runtime.Object, scopes []corev1.ScopedResourceSelectorRequirement) ([]corev1.ScopedResourceSelectorRequirement, error) {
	var out []corev1.ScopedResourceSelectorRequirement
	for _, selector := range scopes {
		if e.scope != nil && e.scope(selector, item) {
			out = append(out, selector)
		}
	}
	return out, nil
}

// UncoveredQuotaScopes implements quota.Evaluator. The server has no limits on scopes without a quota.
func (e *evaluator) UncoveredQuotaScopes(_, _ []corev1.ScopedResourceSelectorRequirement) ([]corev1.ScopedResourceSelectorRequirement, error) {
	return nil, nil
}

// MatchingResources implements quota.Evaluator.
func (e *evaluator) MatchingResources(input []corev1.ResourceName) []corev1.ResourceName {
	var out []corev1.ResourceName
	for _, name := range input {
		if e.covers(name) {
			out = append(out, name)
		}
	}
	return out
}

// Usage implements quota.Evaluator.
func (e *evaluator) Usage(item runtime.Object) (corev1.ResourceList, error) {
	usage := e.usage(item)
	if usage == nil {
		return nil, fmt.Errorf("object of %s is a %T", e.gr, item)
	}
	return usage, nil
}

// UsageStats implements quota.Evaluator.
func (e *evaluator) UsageStats(options quota.UsageStatsOptions) (quota.UsageStats, error) {
	return generic.CalculateUsageStats(options, e.list, e.inScope, e.Usage)
}

// Used returns what the objects in a quota's namespace use of it.
func Used(q *corev1.ResourceQuota, list Lister) (corev1.ResourceList, error) {
	used := corev1.ResourceList{}
	var errs []error
	for _, gr := range Resources(q.Spec.Hard) {
		e := For(gr, list)
		names := e.MatchingResources(quota.ResourceNames(q.Spec.Hard))
		stats, err := e.UsageStats(quota.UsageStatsOptions{Namespace: q.Namespace, Scopes: q.Spec.Scopes, ScopeSelector: q.Spec.ScopeSelector, Resources: names})
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for _, name := range names {
			used[name] = stats.Used[name]
		}
	}
	return used, errors.Join(errs...)
}

func count(n int) resource.Quantity { return *resource.NewQuantity(int64(n), resource.DecimalSI) }
