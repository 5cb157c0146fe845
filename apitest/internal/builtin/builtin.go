// Package builtin serves resources whose kinds are Go types in a scheme: Kubernetes' own and others.
//
// A resource has one definition for each version in which it is served (package catalog). It is built, with its storage
// and the scopes of its subresources, at its first request: this package connects k8s.io/apiserver's stores and handlers
// with what its folders contain, the definitions first:
//
//   - facts: what is recorded of Kubernetes' own kinds; catalog: the resources of a scheme
//   - kinds, defaults, print: the rules, the default values and the tables of each of Kubernetes' own kinds
//   - codec: encoding, conversion and merging; strategy: what a write may change; subresource: scales, bindings, tokens
//   - roles, services: what their writes cause; plugins: admission, which reads other objects with a stores.Reader
//
// A group-resource that the scheme has in several versions is stored in the preferred one if the scheme
// converts between them; otherwise each version has its own objects.
//
// Limits: of a kube-apiserver's validation of its own kinds, only the part that docs/validation.md lists is
// implemented; alpha and beta versions of Kubernetes' own kinds are served only if named.
package builtin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/listwatch/listwatch/apitest/internal/builtin/catalog"
	"github.com/listwatch/listwatch/apitest/internal/builtin/codec"
	"github.com/listwatch/listwatch/apitest/internal/builtin/plugins"
	"github.com/listwatch/listwatch/apitest/internal/builtin/roles"
	"github.com/listwatch/listwatch/apitest/internal/builtin/services"
	"github.com/listwatch/listwatch/apitest/internal/builtin/stores"
	"github.com/listwatch/listwatch/apitest/internal/hooks"
	"github.com/listwatch/listwatch/apitest/internal/rbac"
	"github.com/listwatch/listwatch/apitest/internal/status"
	"github.com/listwatch/listwatch/apitest/internal/store"
	"github.com/listwatch/listwatch/apitest/internal/token"
	apidiscovery "k8s.io/api/apidiscovery/v2"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
	"k8s.io/apiserver/pkg/endpoints/request"
)

// Resource describes how a kind of a scheme is served, like apitest.Resource.
type Resource = catalog.Resource

// Options of Resources. Backend and Scheme are required, and Params for admission policies that have parameters.
type Options struct {
	Backend   *store.Backend
	Scheme    *runtime.Scheme // must not be modified any more
	Resources []Resource
	// Authorizer decides about users outside of the privileged group. By default the stored roles do, or if the
	// scheme has none, all authenticated users may do everything.
	Authorizer authorizer.UnconditionalAuthorizer
	// Token creates a token for a service account; if it is nil, they get none.
	Token func(token.Token) (string, error)
	// Address is the server's own address, for the service kubernetes in the namespace default; if
	// it is empty, there is no such service.
	Address string
	// Params returns the parameters of admission policies that are of a kind, or nil if it is not served.
	Params func(context.Context, schema.GroupVersionKind) (hooks.Params, error)
	// Webhooks wraps the transport of requests to admission webhooks. It may be nil.
	Webhooks func(hooks.Hook, http.RoundTripper) http.RoundTripper
	// Types returns how objects of a kind that is not in the scheme are merged, or nil. It may be nil.
	Types func(context.Context, schema.GroupVersionKind) managedfields.TypeConverter
	// WithoutPlugins are names of admission plugins that have no effect, and WithPlugins of those that have one only if
	// they are named.
	WithoutPlugins, WithPlugins []string
}

// Resources serves the kinds of a scheme. It is safe for concurrent use.
type Resources struct {
	options     Options
	permissions rbac.Permissions
	catalog     *catalog.Catalog
	codecs      *codec.Codecs
	reader      stores.Reader
	hooks       *hooks.Hooks
	admission   admission.Interface
	policy      *roles.Policy

	mu        sync.Mutex // guards the fields below; not held while a resource is built
	built     map[schema.GroupVersionResource]*lazy
	hubs      map[schema.GroupVersionResource]*lazyStorage
	addresses *services.Addresses // nil before services are used
}

// lazy is a resource that is built once.
type lazy struct {
	once     sync.Once
	resource *resource
	err      error
}

// resourceOf returns the name of the resource of a kind, or "" if it is not served.
func (o Options) resourceOf(ctx context.Context, kind schema.GroupVersionKind) (string, error) {
	if o.Params == nil {
		return "", nil
	}
	params, err := o.Params(ctx, kind)
	if params == nil || err != nil {
		return "", err
	}
	return params.Resource(), nil
}

// New returns the resources of a scheme.
func New(o Options) (*Resources, error) {
	known, err := catalog.New(o.Scheme, o.Resources, subresourceNames(o.Token != nil))
	if err != nil {
		return nil, err
	}
	r := &Resources{
		options: o,
		catalog: known,
		codecs:  codec.New(o.Scheme),
		built:   map[schema.GroupVersionResource]*lazy{},
		hubs:    map[schema.GroupVersionResource]*lazyStorage{},
	}
	r.reader = stores.Reader{Backend: o.Backend, Open: r.openStore}
	r.policy = roles.NewPolicy(r.reader)
	switch {
	case o.Authorizer != nil:
		r.permissions = rbac.NewPermissions(o.Authorizer)
	case o.Scheme.Recognizes(rbacv1.SchemeGroupVersion.WithKind("ClusterRole")):
		r.permissions = rbac.NewPermissions(rbac.Roles(r.policy.Read))
	default:
		r.permissions = rbac.NewPermissions(authorizer.AuthorizerFunc(rbac.WithoutRoles))
	}
	r.hooks = newHooks(o, r.reader, r.permissions)
	r.admission = plugins.New(plugins.Options{
		Reader:      r.reader,
		Namespaces:  o.Scheme.Recognizes(corev1.SchemeGroupVersion.WithKind("Namespace")),
		Hooks:       r.hooks,
		Permissions: r.permissions,
		ResourceOf:  o.resourceOf,
		Disabled:    o.WithoutPlugins,
		Optional:    o.WithPlugins,
	})
	return r, nil
}

// Admission returns the admission rules for objects of all resources: those of the life of
// namespaces, if the scheme contains namespaces, and webhooks.
func (r *Resources) Admission() admission.Interface { return r.admission }

// Permissions returns what users may do.
func (r *Resources) Permissions() rbac.Permissions { return r.permissions }

// Close closes the connections to webhooks. No request may be in progress.
func (r *Resources) Close() { r.hooks.Close() }

// Restored adapts to objects that were replaced in the backend.
func (r *Resources) Restored() {
	r.mu.Lock()
	addresses := r.addresses
	r.mu.Unlock()
	if addresses != nil {
		addresses.Forget()
	}
	r.hooks.Reload()
}

// Groups describes what is served, for discovery. The caller owns the result.
func (r *Resources) Groups() []apidiscovery.APIGroupDiscovery { return r.catalog.Groups() }

// Version implements discovery.Source: Groups always returns the same.
func (r *Resources) Version() uint64 { return 0 }

// ServeHTTP handles requests that carry a RequestInfo. Other paths than those of the resources are not found.
func (r *Resources) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	info, ok := request.RequestInfoFrom(req.Context())
	if !ok {
		r.fail(w, req, schema.GroupVersion{}, apierrors.NewInternalError(errors.New("no RequestInfo found in the context")))
		return
	}
	gv := schema.GroupVersion{Group: info.APIGroup, Version: info.APIVersion}
	if !info.IsResourceRequest || !r.catalog.HasGroup(gv.Group) {
		r.NotFound(w, req)
		return
	}
	res, err := r.resource(gv.WithResource(info.Resource))
	if err != nil {
		r.fail(w, req, gv, err)
		return
	}
	handler, err := res.handler(info, req)
	if err != nil {
		r.fail(w, req, gv, err)
		return
	}
	handler.ServeHTTP(w, req)
}

func (r *Resources) fail(w http.ResponseWriter, req *http.Request, gv schema.GroupVersion, err error) {
	responsewriters.ErrorNegotiated(err, r.codecs.Factory, gv, w, req)
}

// NotFound responds to requests for paths that nothing serves: with a Status below the groups of the scheme, and in
// plain text elsewhere.
func (r *Resources) NotFound(w http.ResponseWriter, req *http.Request) {
	root, rest, _ := strings.Cut(strings.TrimPrefix(req.URL.Path, "/"), "/")
	group, _, _ := strings.Cut(rest, "/")
	served := func(g apidiscovery.APIGroupDiscovery) bool { return g.Name == group }
	if root == "api" || root == "apis" && group != "" && slices.ContainsFunc(r.Groups(), served) {
		status.Write(w, req, status.NotFound())
		return
	}
	http.NotFound(w, req)
}

// resource returns a resource, building it if necessary.
func (r *Resources) resource(gvr schema.GroupVersionResource) (*resource, error) {
	def, err := r.catalog.Find(gvr)
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	if def == nil {
		return nil, status.NotFound()
	}
	r.mu.Lock()
	l, ok := r.built[gvr]
	if !ok {
		l = &lazy{}
		r.built[gvr] = l
	}
	r.mu.Unlock()
	l.once.Do(func() { l.resource, l.err = r.build(def) })
	if l.err != nil {
		return nil, apierrors.NewInternalError(fmt.Errorf("build %s: %w", gvr, l.err))
	}
	return l.resource, nil
}

// maxRequestBodyBytes is the limit of a kube-apiserver.
const maxRequestBodyBytes = 3 << 20

// metaVersion is the version of lists, tables and options.
var metaVersion = metav1.SchemeGroupVersion
