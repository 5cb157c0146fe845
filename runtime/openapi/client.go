package openapi

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/listwatch/listwatch/runtime/rest"
)

// indexPath is the path of the index; the paths of documents are usually below it.
const indexPath = "/openapi/v3"

// Client lists the OpenAPI documents of a server. [ClientWithContext] is the form with contexts.
type Client interface {
	// Paths returns the group versions that have a document, by paths such as "apis/apps/v1". The caller owns
	// the map.
	Paths() (map[string]GroupVersion, error)
}

// ClientWithContext lists the OpenAPI documents of a server.
type ClientWithContext interface {
	// PathsWithContext returns the group versions that have a document, by paths such as "apis/apps/v1". The
	// caller owns the map.
	PathsWithContext(ctx context.Context) (map[string]GroupVersionWithContext, error)
}

// ToClientWithContext returns c itself if it has both forms, otherwise a wrapper that drops contexts. Nil stays
// nil.
func ToClientWithContext(c Client) ClientWithContext {
	if c == nil {
		return nil
	}
	if both, ok := c.(ClientWithContext); ok {
		return both
	}
	return clientWrapper{c}
}

type clientWrapper struct{ wrapped Client }

func (w clientWrapper) PathsWithContext(context.Context) (map[string]GroupVersionWithContext, error) {
	paths, err := w.wrapped.Paths()
	if err != nil {
		return nil, err
	}
	return convert(paths, ToGroupVersionWithContext), nil
}

// convert returns a map with the same keys.
func convert[From, To any](from map[string]From, f func(From) To) map[string]To {
	to := make(map[string]To, len(from))
	for path, gv := range from {
		to[path] = f(gv)
	}
	return to
}

// NewClient returns a client that sends its requests with restClient. It caches nothing and is safe for
// concurrent use.
func NewClient(restClient rest.Interface) Client { return &client{restClient} }

// NewClientWithContext is [NewClient] in the form with contexts.
func NewClientWithContext(restClient rest.Interface) ClientWithContext { return &client{restClient} }

type client struct{ restClient rest.Interface }

var (
	_ Client            = &client{}
	_ ClientWithContext = &client{}
)

func (c *client) Paths() (map[string]GroupVersion, error) {
	documents, err := c.documents(context.Background())
	if err != nil {
		return nil, err
	}
	return convert(documents, func(d *document) GroupVersion { return d }), nil
}

func (c *client) PathsWithContext(ctx context.Context) (map[string]GroupVersionWithContext, error) {
	documents, err := c.documents(ctx)
	if err != nil {
		return nil, err
	}
	return convert(documents, func(d *document) GroupVersionWithContext { return d }), nil
}

// documents requests the index.
func (c *client) documents(ctx context.Context) (map[string]*document, error) {
	result := c.restClient.Get().AbsPath(indexPath).LimitBody(maxBytes).Do(ctx)
	if err := result.Error(); err != nil {
		return nil, fmt.Errorf("OpenAPI index at %s: %w", indexPath, err)
	}
	body, err := result.Raw()
	if err != nil {
		return nil, err
	}
	var index struct {
		Paths map[string]struct {
			ServerRelativeURL string `json:"serverRelativeURL"`
		} `json:"paths"`
	}
	if err := json.Unmarshal(body, &index); err != nil {
		return nil, fmt.Errorf("OpenAPI index at %s: %w", indexPath, err)
	}
	// A server behind a proxy may or may not know the prefix that the client puts before paths.
	prefix := strings.TrimSuffix(c.restClient.Get().AbsPath("/").URL().Path, "/")
	documents := make(map[string]*document, len(index.Paths))
	for path, entry := range index.Paths {
		documents[path] = &document{c.restClient, strings.TrimPrefix(entry.ServerRelativeURL, prefix)}
	}
	return documents, nil
}
