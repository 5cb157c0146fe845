// Package catalog determines which resources of a scheme are served, and how.
//
// A definition describes a resource in one version. Those of Kubernetes' own groups are recorded (package facts); they
// are served in stable versions, and in others that are named. Other definitions are guessed from the Go types: every
// kind with object metadata and a list kind is a resource. Definitions of a group are read at its first request.
//
// Limits: resources that are not stored, such as reviews, are not in the catalog.
package catalog

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/listwatch/listwatch/apitest/internal/builtin/facts"
	apidiscovery "k8s.io/api/apidiscovery/v2"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
)

// Resource describes how a kind of a scheme is served, like apitest.Resource.
type Resource struct {
	Kind          schema.GroupVersionKind
	Plural        string // "" means the guess of meta.UnsafeGuessKindToResource
	ClusterScoped bool
	ShortNames    []string
	NoStatus      bool // no status subresource, although there is a Status field
}

// A Definition describes how a resource is served in one version. It is not modified.
type Definition struct {
	apidiscovery.APIResourceDiscovery
	GVR   schema.GroupVersionResource
	Kind  schema.GroupVersionKind
	Known bool // Kubernetes' own
}

// Namespaced reports whether the objects are in namespaces.
func (d *Definition) Namespaced() bool { return d.Scope == apidiscovery.ScopeNamespace }

// Has reports whether the resource has a subresource.
func (d *Definition) Has(subresource string) bool {
	return slices.ContainsFunc(d.Subresources, func(s apidiscovery.APISubresourceDiscovery) bool {
		return s.Subresource == subresource
	})
}

// A Catalog contains the definitions of a scheme. It is safe for concurrent use.
type Catalog struct {
	scheme       *runtime.Scheme
	subresources []string // that can be served
	named        map[schema.GroupVersionKind]Resource
	order        []string                         // groups
	has          map[string][]schema.GroupVersion // versions by group, the preferred one first

	mu   sync.Mutex // guards read
	read map[string]*groupDefinitions
}

// groupDefinitions are a group's definitions, in the order of its versions.
type groupDefinitions struct {
	versions [][]Definition
	err      error
}

// New returns the catalog of a scheme, which must not be modified any more. Of the subresources of Kubernetes' own
// resources, only those that are given are served. It returns an error if the scheme lacks a named kind.
func New(scheme *runtime.Scheme, named []Resource, subresources []string) (*Catalog, error) {
	c := &Catalog{
		scheme:       scheme,
		subresources: subresources,
		named:        map[schema.GroupVersionKind]Resource{},
		has:          map[string][]schema.GroupVersion{},
		read:         map[string]*groupDefinitions{},
	}
	wanted := map[schema.GroupVersion]bool{}
	for _, r := range named {
		if !scheme.Recognizes(r.Kind) {
			return nil, fmt.Errorf("resource %s: the scheme has no such kind", r.Kind)
		}
		c.named[r.Kind] = r
		wanted[r.Kind.GroupVersion()] = true
	}
	var others []string
	for _, gv := range scheme.PrioritizedVersionsAllGroups() {
		if gv.Version == runtime.APIVersionInternal || gv.Group == apiextensions.GroupName || gv == metav1.SchemeGroupVersion {
			continue
		}
		known := facts.Known(gv.Group)
		if known && !stable.MatchString(gv.Version) && !wanted[gv] {
			continue
		}
		if !known && kubernetesGroup(gv.Group) {
			continue
		}
		if _, ok := c.has[gv.Group]; !ok && !known {
			others = append(others, gv.Group)
		}
		c.has[gv.Group] = append(c.has[gv.Group], gv)
	}
	for _, group := range facts.Groups() {
		if _, ok := c.has[group]; ok {
			c.order = append(c.order, group)
		}
	}
	slices.Sort(others)
	c.order = append(c.order, others...)
	for group, versions := range c.has {
		if !facts.Known(group) {
			continue
		}
		// The scheme's priorities of Kubernetes' groups are a client's.
		slices.SortFunc(versions, func(a, b schema.GroupVersion) int {
			return version.CompareKubeAwareVersionStrings(b.Version, a.Version)
		})
	}
	return c, nil
}

// stable versions of Kubernetes' own groups are enabled by default.
var stable = regexp.MustCompile(`^v[0-9]+$`)

// kubernetesGroup reports whether a group that is not recorded still belongs to Kubernetes: it was
// served once, or is never served.
func kubernetesGroup(group string) bool {
	return strings.HasSuffix(group, ".k8s.io") && strings.Count(group, ".") == 2 ||
		group == "extensions" || group == "imagepolicy.k8s.io"
}

// HasGroup reports whether the scheme has a version of a group that is served.
func (c *Catalog) HasGroup(name string) bool { return len(c.has[name]) > 0 }

// Find returns the definition of a resource, or nil if there is none.
func (c *Catalog) Find(gvr schema.GroupVersionResource) (*Definition, error) {
	group, err := c.group(gvr.Group)
	if err != nil {
		return nil, err
	}
	for i, gv := range c.has[gvr.Group] {
		if gv.Version != gvr.Version {
			continue
		}
		for j := range group.versions[i] {
			if group.versions[i][j].GVR == gvr {
				return &group.versions[i][j], nil
			}
		}
	}
	return nil, nil
}

// Preferred returns the definition of a group-resource in the version that clients should use, or nil if there is none.
func (c *Catalog) Preferred(gr schema.GroupResource) (*Definition, error) {
	for _, gv := range c.has[gr.Group] {
		if def, err := c.Find(gv.WithResource(gr.Resource)); def != nil || err != nil {
			return def, err
		}
	}
	return nil, nil
}

// Groups returns everything that is served, in the form of aggregated discovery. The caller owns the result.
func (c *Catalog) Groups() []apidiscovery.APIGroupDiscovery {
	var out []apidiscovery.APIGroupDiscovery
	for _, name := range c.order {
		group, err := c.group(name)
		if err != nil {
			continue // requests for its resources return the error
		}
		g := apidiscovery.APIGroupDiscovery{ObjectMeta: metav1.ObjectMeta{Name: name}}
		for i, gv := range c.has[name] {
			v := apidiscovery.APIVersionDiscovery{Version: gv.Version, Freshness: apidiscovery.DiscoveryFreshnessCurrent}
			for _, def := range group.versions[i] {
				v.Resources = append(v.Resources, *def.DeepCopy())
			}
			if len(v.Resources) > 0 {
				g.Versions = append(g.Versions, v)
			}
		}
		if len(g.Versions) > 0 {
			out = append(out, g)
		}
	}
	return out
}

func (c *Catalog) group(name string) (*groupDefinitions, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	group, ok := c.read[name]
	if !ok {
		group = &groupDefinitions{}
		group.versions, group.err = c.define(name)
		c.read[name] = group
	}
	return group, group.err
}

func (c *Catalog) define(name string) ([][]Definition, error) {
	recorded, known, err := facts.Group(name)
	if err != nil {
		return nil, err
	}
	var out [][]Definition
	for _, gv := range c.has[name] {
		if !known {
			out = append(out, c.guess(gv))
			continue
		}
		var defs []Definition
		for _, v := range recorded {
			if v.Version == gv.Version {
				defs = c.known(gv, v.Resources)
			}
		}
		out = append(out, defs)
	}
	return out, nil
}

// notServed are resources of Kubernetes that are not stored.
var notServed = map[schema.GroupResource]bool{
	{Resource: "componentstatuses"}:                                        true,
	{Group: "authentication.k8s.io", Resource: "tokenreviews"}:             true,
	{Group: "authentication.k8s.io", Resource: "selfsubjectreviews"}:       true,
	{Group: "authorization.k8s.io", Resource: "localsubjectaccessreviews"}: true,
	{Group: "authorization.k8s.io", Resource: "selfsubjectaccessreviews"}:  true,
	{Group: "authorization.k8s.io", Resource: "selfsubjectrulesreviews"}:   true,
	{Group: "authorization.k8s.io", Resource: "subjectaccessreviews"}:      true,
}

// known returns the definitions of recorded resources whose kinds the scheme contains, and which
// this package can serve.
func (c *Catalog) known(gv schema.GroupVersion, recorded []apidiscovery.APIResourceDiscovery) []Definition {
	var out []Definition
	for _, r := range recorded {
		kind := kindOf(gv, r.ResponseKind)
		if !c.scheme.Recognizes(kind) || notServed[gv.WithResource(r.Resource).GroupResource()] {
			continue
		}
		r.Subresources = slices.DeleteFunc(r.Subresources, func(s apidiscovery.APISubresourceDiscovery) bool {
			return !slices.Contains(c.subresources, s.Subresource) || !c.scheme.Recognizes(kindOf(gv, s.ResponseKind))
		})
		out = append(out, Definition{APIResourceDiscovery: r, GVR: gv.WithResource(r.Resource), Kind: kind, Known: true})
	}
	return out
}

// SubresourceKind returns the kind of the objects of a subresource of d.
func (d *Definition) SubresourceKind(sub apidiscovery.APISubresourceDiscovery) schema.GroupVersionKind {
	return kindOf(d.GVR.GroupVersion(), sub.ResponseKind)
}

// kindOf fills in the fields of a recorded kind that are omitted because they equal its resource's.
func kindOf(gv schema.GroupVersion, k *metav1.GroupVersionKind) schema.GroupVersionKind {
	if k == nil {
		return gv.WithKind("")
	}
	if k.Group == "" && k.Version == "" {
		return gv.WithKind(k.Kind)
	}
	return schema.GroupVersionKind{Group: k.Group, Version: k.Version, Kind: k.Kind}
}

// guess returns the definitions of a version's kinds: all that have object metadata and a list
// kind.
func (c *Catalog) guess(gv schema.GroupVersion) []Definition {
	types := c.scheme.KnownTypes(gv)
	var out []Definition
	for name, typ := range types {
		if _, ok := types[name+"List"]; !ok || !typ.Implements(reflect.TypeFor[metav1.ObjectMetaAccessor]()) && !reflect.PointerTo(typ).Implements(reflect.TypeFor[metav1.ObjectMetaAccessor]()) {
			continue
		}
		kind := gv.WithKind(name)
		plural, singular := meta.UnsafeGuessKindToResource(kind)
		named := c.named[kind]
		if named.Plural != "" {
			plural.Resource = named.Plural
		}
		response := metav1.GroupVersionKind{Group: gv.Group, Version: gv.Version, Kind: name}
		def := Definition{GVR: plural, Kind: kind, APIResourceDiscovery: apidiscovery.APIResourceDiscovery{
			Resource:         plural.Resource,
			ResponseKind:     &response,
			Scope:            apidiscovery.ScopeNamespace,
			SingularResource: singular.Resource,
			ShortNames:       named.ShortNames,
			Verbs:            []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"},
		}}
		if named.ClusterScoped {
			def.Scope = apidiscovery.ScopeCluster
		}
		if _, ok := typ.FieldByName("Status"); ok && !named.NoStatus {
			def.Subresources = []apidiscovery.APISubresourceDiscovery{{
				Subresource: "status", ResponseKind: &response, Verbs: []string{"get", "patch", "update"},
			}}
		}
		out = append(out, def)
	}
	slices.SortFunc(out, func(a, b Definition) int { return strings.Compare(a.Resource, b.Resource) })
	return out
}
