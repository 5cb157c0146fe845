// Package builtin serves resources whose kinds are Go types in a scheme: Kubernetes' own and others.
//
// A resource has one definition for each version in which it is served; definitions of Kubernetes' own kinds
// are recorded (package facts), others are guessed from the type. Rules contain the differences between kinds:
// defaults, validation, the fields that a write may change. A resource is built, with its storage and the
// scopes of its subresources, at its first request.
//
// A group-resource that the scheme has in several versions is stored in the preferred one if the scheme
// converts between them; otherwise each version has its own objects.
//
// Limits: of a kube-apiserver's validation of its own kinds, only the part that clients encounter is
// implemented; tables of a few rarely used kinds (devices, pod certificates, storage versions) have the columns of a
// kind that the server does not know, and no storage class is printed as the default; alpha and beta versions of
// Kubernetes' own kinds are served only if named.
package builtin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/listwatch/listwatch/apitest/internal/builtin/catalog"
	"github.com/listwatch/listwatch/apitest/internal/builtin/codec"
	"github.com/listwatch/listwatch/apitest/internal/hooks"
	"github.com/listwatch/listwatch/apitest/internal/store"
	apidiscovery "k8s.io/api/apidiscovery/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
	"k8s.io/apiserver/pkg/endpoints/request"
)

// Resource describes how a kind of a scheme is served, like apitest.Resource.
type Resource = catalog.Resource

// Options of Resources. All except Resources, Token, Address and WithoutPlugins are required.
type Options struct {
	Backend    *store.Backend
	Scheme     *runtime.Scheme // must not be modified any more
	Resources  []Resource
	Authorizer authorizer.UnconditionalAuthorizer
	// Token creates a token for a service account; if it is nil, they get none.
	Token func(Token) (string, error)
	// Address is the server's own address, for the service kubernetes in the namespace default; if
	// it is empty, there is no such service.
	Address string
	// Params returns the parameters of admission policies that are of a kind, or nil if it is not served.
	Params func(context.Context, schema.GroupVersionKind) (hooks.Params, error)
	// WithoutPlugins are names of admission plugins, of those in [Plugins], that have no effect.
	WithoutPlugins []string
	// Delegate handles requests for groups that the scheme does not contain.
	Delegate http.Handler
}

// Resources serves the kinds of a scheme. It is safe for concurrent use.
type Resources struct {
	options   Options
	catalog   *catalog.Catalog
	codecs    *codec.Codecs
	addresses *addresses
	hooks     *hooks.Hooks
	admission admission.Interface
	policy    policy

	mu    sync.Mutex // guards the fields below; not held while a resource is built
	built map[schema.GroupVersionResource]*lazy
	hubs  map[schema.GroupVersionResource]*lazyStorage
}

// lazy is a resource that is built once.
type lazy struct {
	once     sync.Once
	resource *resource
	err      error
}

// New returns the resources of a scheme.
func New(o Options) (*Resources, error) {
	r := &Resources{
		options:   o,
		codecs:    codec.New(o.Scheme),
		addresses: &addresses{next: firstAddress},
		built:     map[schema.GroupVersionResource]*lazy{},
		hubs:      map[schema.GroupVersionResource]*lazyStorage{},
	}
	var err error
	if r.catalog, err = catalog.New(o.Scheme, o.Resources, subresources(o.Token != nil)); err != nil {
		return nil, err
	}
	r.hooks = r.newHooks()
	r.admission = r.newAdmission()
	return r, nil
}

// Admission returns the admission rules for objects of all resources: those of the life of
// namespaces, if the scheme contains namespaces, and webhooks.
func (r *Resources) Admission() admission.Interface { return r.admission }

// Close closes the connections to webhooks. No request may be in progress.
func (r *Resources) Close() { r.hooks.Close() }

// Restored adapts to objects that were replaced in the backend.
func (r *Resources) Restored() {
	r.addresses.forget()
	r.hooks.Reload()
}

// Groups describes what is served, for discovery. The caller owns the result.
func (r *Resources) Groups() []apidiscovery.APIGroupDiscovery { return r.catalog.Groups() }

// ServeHTTP handles requests that carry a RequestInfo.
func (r *Resources) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	info, ok := request.RequestInfoFrom(req.Context())
	if !ok {
		r.fail(w, req, schema.GroupVersion{}, apierrors.NewInternalError(errors.New("no RequestInfo found in the context")))
		return
	}
	gv := schema.GroupVersion{Group: info.APIGroup, Version: info.APIVersion}
	if !info.IsResourceRequest || !r.catalog.HasGroup(gv.Group) {
		r.options.Delegate.ServeHTTP(w, req)
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

// errNoRoute is the error for a path without a handler, below a version that is served.
var errNoRoute = apierrors.NewGenericServerResponse(http.StatusNotFound, "", schema.GroupResource{}, "", "", 0, false)

// errNoMethod is the error for a method that a path does not support.
var errNoMethod = apierrors.NewGenericServerResponse(http.StatusMethodNotAllowed, "", schema.GroupResource{}, "", "", 0, false)

// resource returns a resource, building it if necessary.
func (r *Resources) resource(gvr schema.GroupVersionResource) (*resource, error) {
	def, err := r.catalog.Find(gvr)
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	if def == nil {
		return nil, errNoRoute
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
