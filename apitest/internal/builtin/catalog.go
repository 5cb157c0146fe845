package builtin

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

// A definition describes how a resource is served in one version.
type definition struct {
	apidiscovery.APIResourceDiscovery
	gvr   schema.GroupVersionResource
	kind  schema.GroupVersionKind
	known bool // Kubernetes' own
}

func (d *definition) namespaced() bool { return d.Scope == apidiscovery.ScopeNamespace }

func (d *definition) has(subresource string) bool {
	return slices.ContainsFunc(d.Subresources, func(s apidiscovery.APISubresourceDiscovery) bool {
		return s.Subresource == subresource
	})
}

// A catalog determines which resources of a scheme are served.
type catalog struct {
	scheme      *runtime.Scheme
	subresource func(name string) bool // reports whether it can be served
	named       map[schema.GroupVersionKind]Resource
	order       []string                         // groups
	has         map[string][]schema.GroupVersion // versions by group, the preferred one first

	mu   sync.Mutex // guards read
	read map[string]*groupDefinitions
}

// groupDefinitions are a group's definitions, in the order of its versions.
type groupDefinitions struct {
	versions [][]definition
	err      error
}

func newCatalog(scheme *runtime.Scheme, named []Resource, subresource func(name string) bool) (*catalog, error) {
	c := &catalog{
		scheme:      scheme,
		subresource: subresource,
		named:       map[schema.GroupVersionKind]Resource{},
		has:         map[string][]schema.GroupVersion{},
		read:        map[string]*groupDefinitions{},
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
		if gv.Version == runtime.APIVersionInternal || gv.Group == apiextensions.GroupName || gv == metaVersion {
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

func (c *catalog) hasGroup(name string) bool { return len(c.has[name]) > 0 }

// find returns the definition of a resource, or nil if there is none.
func (c *catalog) find(gvr schema.GroupVersionResource) (*definition, error) {
	group, err := c.group(gvr.Group)
	if err != nil {
		return nil, err
	}
	for i, gv := range c.has[gvr.Group] {
		if gv.Version != gvr.Version {
			continue
		}
		for j := range group.versions[i] {
			if group.versions[i][j].gvr == gvr {
				return &group.versions[i][j], nil
			}
		}
	}
	return nil, nil
}

// preferred returns the version of a group-resource that clients should use.
func (c *catalog) preferred(gr schema.GroupResource) (*definition, error) {
	for _, gv := range c.has[gr.Group] {
		if def, err := c.find(gv.WithResource(gr.Resource)); def != nil || err != nil {
			return def, err
		}
	}
	return nil, nil
}

// groups returns everything that is served, in the form of aggregated discovery.
func (c *catalog) groups() []apidiscovery.APIGroupDiscovery {
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

func (c *catalog) group(name string) (*groupDefinitions, error) {
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

func (c *catalog) define(name string) ([][]definition, error) {
	recorded, known, err := facts.Group(name)
	if err != nil {
		return nil, err
	}
	var out [][]definition
	for _, gv := range c.has[name] {
		if !known {
			out = append(out, c.guess(gv))
			continue
		}
		var defs []definition
		for _, v := range recorded {
			if v.Version == gv.Version {
				defs = c.known(gv, v.Resources)
			}
		}
		out = append(out, defs)
	}
	return out, nil
}

// known returns the definitions of recorded resources whose kinds the scheme contains, and which
// this package can serve.
func (c *catalog) known(gv schema.GroupVersion, recorded []apidiscovery.APIResourceDiscovery) []definition {
	var out []definition
	for _, r := range recorded {
		kind := kindOf(gv, r.ResponseKind)
		if !c.scheme.Recognizes(kind) || !servable(gv.WithResource(r.Resource).GroupResource()) {
			continue
		}
		r.Subresources = slices.DeleteFunc(r.Subresources, func(s apidiscovery.APISubresourceDiscovery) bool {
			return !c.subresource(s.Subresource) || !c.scheme.Recognizes(kindOf(gv, s.ResponseKind))
		})
		out = append(out, definition{APIResourceDiscovery: r, gvr: gv.WithResource(r.Resource), kind: kind, known: true})
	}
	return out
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
func (c *catalog) guess(gv schema.GroupVersion) []definition {
	types := c.scheme.KnownTypes(gv)
	var out []definition
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
		def := definition{gvr: plural, kind: kind, APIResourceDiscovery: apidiscovery.APIResourceDiscovery{
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
	slices.SortFunc(out, func(a, b definition) int { return strings.Compare(a.Resource, b.Resource) })
	return out
}
