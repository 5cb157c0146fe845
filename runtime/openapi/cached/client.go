package cached

import (
	"context"

	"github.com/listwatch/listwatch/runtime/internal/ctxlock"
	"github.com/listwatch/listwatch/runtime/openapi"
)

// Client caches the index and the documents of another client. It is safe for concurrent use; concurrent calls
// for the same document send one request.
type Client struct {
	delegate openapi.ClientWithContext
	// requests guards paths, and is held during the request for them.
	requests ctxlock.Mutex
	paths    map[string]*groupVersion
}

var (
	_ openapi.Client            = &Client{}
	_ openapi.ClientWithContext = &Client{}
)

// NewClient returns a client that caches what other returns.
func NewClient(other openapi.Client) openapi.Client {
	return NewClientWithContext(openapi.ToClientWithContext(other))
}

// NewClientWithContext returns a client that caches what other returns.
func NewClientWithContext(other openapi.ClientWithContext) *Client {
	return &Client{delegate: other, requests: ctxlock.New()}
}

// Paths returns the group versions that have a document. The caller owns the map.
func (c *Client) Paths() (map[string]openapi.GroupVersion, error) {
	paths, err := c.get(context.Background())
	if err != nil {
		return nil, err
	}
	result := make(map[string]openapi.GroupVersion, len(paths))
	for path, gv := range paths {
		result[path] = gv
	}
	return result, nil
}

// PathsWithContext returns the group versions that have a document. The caller owns the map.
func (c *Client) PathsWithContext(ctx context.Context) (map[string]openapi.GroupVersionWithContext, error) {
	paths, err := c.get(ctx)
	if err != nil {
		return nil, err
	}
	result := make(map[string]openapi.GroupVersionWithContext, len(paths))
	for path, gv := range paths {
		result[path] = gv
	}
	return result, nil
}

func (c *Client) get(ctx context.Context) (map[string]*groupVersion, error) {
	if err := c.requests.LockContext(ctx); err != nil {
		return nil, err
	}
	defer c.requests.Unlock()
	if c.paths != nil {
		return c.paths, nil
	}
	uncached, err := c.delegate.PathsWithContext(ctx)
	if err != nil {
		return nil, err
	}
	paths := make(map[string]*groupVersion, len(uncached))
	for path, gv := range uncached {
		paths[path] = &groupVersion{delegate: gv, requests: ctxlock.New(), documents: map[string][]byte{}}
	}
	c.paths = paths
	return paths, nil
}

// groupVersion caches a document in the content types in which it was requested.
type groupVersion struct {
	delegate openapi.GroupVersionWithContext
	// requests guards documents, and is held during requests for them.
	requests  ctxlock.Mutex
	documents map[string][]byte // by content type
}

var (
	_ openapi.GroupVersion            = &groupVersion{}
	_ openapi.GroupVersionWithContext = &groupVersion{}
)

func (g *groupVersion) ServerRelativeURL() string { return g.delegate.ServerRelativeURL() }

func (g *groupVersion) Schema(contentType string) ([]byte, error) {
	return g.SchemaWithContext(context.Background(), contentType)
}

func (g *groupVersion) SchemaWithContext(ctx context.Context, contentType string) ([]byte, error) {
	if err := g.requests.LockContext(ctx); err != nil {
		return nil, err
	}
	defer g.requests.Unlock()
	if document, ok := g.documents[contentType]; ok {
		return document, nil
	}
	document, err := g.delegate.SchemaWithContext(ctx, contentType)
	if err != nil {
		return nil, err
	}
	g.documents[contentType] = document
	return document, nil
}
