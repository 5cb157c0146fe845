// Package custom serves CustomResourceDefinitions (CRDs) and their custom resources.
//
// A CRD is an object of apiextensions.k8s.io/v1. The handlers, strategies and storages of the real server
// handle the requests for CRDs and custom resources; this package does the work of its controllers.
//
// A CRD is reconciled before its write returns: its names are accepted or rejected, its conditions are set, its
// custom resources are served, and, when it is deleted, its custom resources are deleted with it. Reconciling
// writes to the CRD's status step by step, so that a watch sees the steps of the real server's controllers,
// always in the same order. As soon as a CRD is being deleted, no custom resource of it can be created. A CRD
// whose custom resources have finalizers exists until the last of them is deleted.
//
// When the served part of a CRD changes (its spec, or the accepted names), watches of its custom resources end,
// as on the real server, but at once instead of after a second.
//
// Limits: CRDs are served in version v1 only, so the condition NonStructuralSchema, which is for older ones,
// never occurs. A conversion webhook is reached at its URL, or at its service's name as the system resolves it.
package custom

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/listwatch/listwatch/apitest/internal/store"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/generic"
)

// Options of a registry. All are required.
type Options struct {
	Backend    *store.Backend
	Authorizer authorizer.UnconditionalAuthorizer
	Admission  admission.Interface
	// Delegate handles requests for resources that no CRD defines.
	Delegate http.Handler
}

// Registry serves CRDs and their custom resources. It is safe for concurrent use.
type Registry struct {
	options     Options
	instances   generic.RESTOptionsGetter
	definitions *definitions

	// mu serializes writes of CRDs and is held until they are reconciled. It guards the fields
	// below.
	mu      sync.Mutex
	known   map[string]*definition // by name
	waiting []string               // names of CRDs to reconcile, in order

	// current is replaced under mu and read without it.
	current atomic.Pointer[snapshot]
	version atomic.Uint64 // written under mu and read without it
}

// snapshot describes what is served at one time. It is never modified.
type snapshot struct {
	served map[string]*served // by the name of the CRD
}

// New returns a registry of the CRDs stored in the backend.
func New(options Options) (*Registry, error) {
	r := &Registry{
		options:   options,
		instances: options.Backend.RESTOptions(unstructured.UnstructuredJSONScheme),
		known:     map[string]*definition{},
	}
	r.current.Store(&snapshot{})
	codec := apiserver.Codecs.LegacyCodec(v1.SchemeGroupVersion)
	definitions, err := newDefinitions(r, options.Backend.RESTOptions(codec))
	if err != nil {
		return nil, fmt.Errorf("serve definitions: %w", err)
	}
	r.definitions = definitions
	if err := r.load(); err != nil {
		return nil, fmt.Errorf("load definitions: %w", err)
	}
	return r, nil
}

// load adds the stored CRDs. They were reconciled when they were written.
func (r *Registry) load() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	list, err := r.definitions.List(context.Background(), nil)
	if err != nil {
		return err
	}
	items := list.(*apiextensions.CustomResourceDefinitionList).Items
	for i := range items {
		if err := r.observe(&items[i]); err != nil {
			return err
		}
	}
	r.waiting = nil
	return nil
}

// Version implements discovery.Source: it increases after the result of Groups has changed, before the write that
// changed it returns.
func (r *Registry) Version() uint64 { return r.version.Load() }

// ServeHTTP handles requests that carry a RequestInfo.
func (r *Registry) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	info, ok := request.RequestInfoFrom(req.Context())
	if !ok || !info.IsResourceRequest {
		r.options.Delegate.ServeHTTP(w, req)
		return
	}
	if info.APIGroup == v1.GroupName && info.APIVersion == v1.SchemeGroupVersion.Version {
		r.definitions.serve(w, req, info)
		return
	}
	if served := r.current.Load().served[info.Resource+"."+info.APIGroup]; served != nil {
		if writesProtobuf(req) {
			refuseProtobuf(w, req)
			return
		}
		served.handler.ServeHTTP(w, req)
		return
	}
	r.options.Delegate.ServeHTTP(w, req)
}

// Close ends all watches of CRDs and custom resources.
func (r *Registry) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, served := range r.current.Load().served {
		served.close()
	}
	r.current.Store(&snapshot{})
	r.definitions.Destroy()
}
