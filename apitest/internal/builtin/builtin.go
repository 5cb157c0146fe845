// Package builtin serves resources whose kinds are Go types in a scheme: Kubernetes' own
// and others.
package builtin

import (
	"context"
	"net/http"

	"github.com/listwatch/listwatch/apitest/internal/store"
	apidiscovery "k8s.io/api/apidiscovery/v2"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// Resource says how a kind of a scheme is served, where that is not what the kind's name and
// fields suggest. Kubernetes' own kinds are known.
type Resource struct {
	Kind          schema.GroupVersionKind
	Plural        string // "" means the guess of meta.UnsafeGuessKindToResource
	ClusterScoped bool
	ShortNames    []string
	NoStatus      bool // no status subresource, though there is a Status field
}

// Options of Resources. All but Resources are needed.
type Options struct {
	Backend    *store.Backend
	Scheme     *runtime.Scheme
	Resources  []Resource
	Authorizer authorizer.UnconditionalAuthorizer
	// Admission of all resources, these and custom ones, comes from Admission().
	Delegate http.Handler
}

// Resources serves the kinds of a scheme. It is safe for concurrent use.
type Resources struct{}

// New returns the resources of a scheme.
func New(Options) (*Resources, error) { return &Resources{}, nil }

// Prepare creates the objects that a cluster has from its start, such as namespace default,
// where they are missing.
func (r *Resources) Prepare(ctx context.Context) error { return nil }

// Admission returns the rules that hold for objects of all resources: those of the life of
// namespaces, if the scheme has namespaces.
func (r *Resources) Admission() admission.Interface { return nil }

// ServeHTTP answers requests that carry a RequestInfo.
func (r *Resources) ServeHTTP(w http.ResponseWriter, req *http.Request) {}

// Groups describes what is served, for discovery.
func (r *Resources) Groups() []apidiscovery.APIGroupDiscovery { return nil }
