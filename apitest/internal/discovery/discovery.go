// Package discovery answers what resources a server has: /api and /apis, in the aggregated
// and in the legacy form.
package discovery

import (
	"net/http"

	apidiscovery "k8s.io/api/apidiscovery/v2"
)

// Source is a part of a server that has resources.
type Source interface {
	Groups() []apidiscovery.APIGroupDiscovery
}

// Handler answers discovery requests.
type Handler struct{}

// New returns a handler over what the sources have, the first source's groups first.
func New(sources ...Source) *Handler { return &Handler{} }

// Changed tells that a source has changed.
func (h *Handler) Changed() {}

// Serve answers if the request is one for discovery, and says whether it was.
func (h *Handler) Serve(w http.ResponseWriter, req *http.Request) bool { return false }
