// Package discovery serves the discovery documents of a server.
//
// # Terms
//
// A source is a provider of resources. A document describes the resources of all sources at one moment: it is
// created at its first request, and again when a source has another version.
//
// # Operations
//
// /api and /apis are served in the aggregated form (one list of all groups, versions and resources, with an
// entity tag) if the client requests it, otherwise in the legacy form, in which clients continue with /api/v1,
// /apis/GROUP and /apis/GROUP/VERSION. k8s.io/apiserver's own handlers negotiate and write: JSON, YAML and
// protobuf.
//
// Groups have the order of a real server: Kubernetes' own ones by rank, then the others by name. Versions are
// ordered from the most to the least stable. A version that several sources have contains the resources of all;
// of a resource that several sources have, the first source's is used.
//
// As on a real server, the paths of Kubernetes' own groups are routes of go-restful, which has its own messages
// for other methods, media types and paths; those of other groups are not.
//
// # Limits
//
// The aggregated form is served as apidiscovery.k8s.io/v2 only: a server of v1.37 no longer has v2beta1, and
// clients that accept nothing else get the legacy form or 406. Group "" is present with its version v1 even if
// no source has it, because clients consider a server without it broken.
package discovery

import (
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"

	apidiscovery "k8s.io/api/apidiscovery/v2"
)

// Source is a provider of resources.
type Source interface {
	// Groups describes the resources. The handler does not modify the result, and nobody else may.
	// It is called without the handler's locks.
	Groups() []apidiscovery.APIGroupDiscovery
	// Version returns a number that is another one when the result of Groups has changed. It is called for each
	// request: a document is served only while all versions are those from before it was created.
	Version() uint64
}

// Handler serves discovery. It is safe for concurrent use.
type Handler struct {
	sources []Source

	mu       sync.Mutex // guards the fields below; not held while sources are called
	current  *document  // nil before the first request
	versions []uint64   // of the sources, before current was created
}

// New returns a handler for the resources of the sources.
func New(sources ...Source) *Handler { return &Handler{sources: sources} }

// Groups describes the resources of all sources, in their order. A group may have several sources. The caller must not
// modify the result.
func (h *Handler) Groups() []apidiscovery.APIGroupDiscovery {
	var groups []apidiscovery.APIGroupDiscovery
	for _, source := range h.sources {
		groups = append(groups, source.Groups()...)
	}
	return groups
}

// Serve handles discovery requests, and reports whether the request was one. These include all
// requests below /api and below Kubernetes' own groups that nothing else has handled, because a
// real server's errors for unknown paths there differ from those elsewhere.
func (h *Handler) Serve(w http.ResponseWriter, req *http.Request) bool {
	if !strings.HasPrefix(req.URL.Path, "/api") {
		return false
	}
	handler := h.document(serverAddress(req)).handler(req.URL.Path)
	if handler == nil {
		return false
	}
	handler.ServeHTTP(w, req)
	return true
}

// document returns the current document.
func (h *Handler) document(address string) *document {
	versions := make([]uint64, len(h.sources))
	for i, source := range h.sources {
		versions[i] = source.Version()
	}
	h.mu.Lock()
	doc := h.current
	ok := slices.Equal(versions, h.versions)
	h.mu.Unlock()
	if doc != nil && ok {
		return doc
	}
	doc = newDocument(h.sources, address)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.current, h.versions = doc, versions
	return doc
}

// serverAddress returns the address at which the client reached the server.
func serverAddress(req *http.Request) string {
	if addr, ok := req.Context().Value(http.LocalAddrContextKey).(net.Addr); ok {
		return addr.String()
	}
	return req.Host
}
