// Package custom serves CustomResourceDefinitions and the resources that they define.
package custom

import (
	"context"
	"net/http"

	"github.com/listwatch/listwatch/apitest/internal/store"
	apidiscovery "k8s.io/api/apidiscovery/v2"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// Options of a registry. All but Changed are needed.
type Options struct {
	Backend    *store.Backend
	Authorizer authorizer.UnconditionalAuthorizer
	Admission  admission.Interface
	// Delegate answers requests for resources that no definition defines.
	Delegate http.Handler
	// Changed is called after what Groups returns has changed.
	Changed func()
}

// Registry serves the definitions and their resources. It is safe for concurrent use.
type Registry struct{}

// New returns a registry of the definitions that the backend holds.
func New(Options) (*Registry, error) { return &Registry{}, nil }

// Apply creates or updates definitions, and returns when their resources are served.
func (r *Registry) Apply(ctx context.Context, crds ...*apiextensions.CustomResourceDefinition) error {
	return nil
}

// ServeHTTP answers requests that carry a RequestInfo.
func (r *Registry) ServeHTTP(w http.ResponseWriter, req *http.Request) {}

// Groups describes what is served, for discovery.
func (r *Registry) Groups() []apidiscovery.APIGroupDiscovery { return nil }

// Close ends what runs for the registry.
func (r *Registry) Close() {}
