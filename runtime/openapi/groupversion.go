package openapi

import (
	"context"
	"fmt"

	"github.com/listwatch/listwatch/runtime/rest"
)

// ContentTypeOpenAPIV3PB is the media type of an OpenAPI v3 document in protobuf.
const ContentTypeOpenAPIV3PB = "application/com.github.proto-openapi.spec.v3@v1.0+protobuf"

// maxBytes bounds the size of an index or document. The largest of Kubernetes has a few megabytes.
const maxBytes = 64 << 20

// GroupVersion is the document of a group version. [GroupVersionWithContext] is the form with contexts.
type GroupVersion interface {
	// Schema returns the document in a content type, "application/json" or [ContentTypeOpenAPIV3PB]. The
	// caller must not modify it.
	Schema(contentType string) ([]byte, error)
	// ServerRelativeURL returns the path and query of the document. They change with the document, and so can
	// be the key of a cache.
	ServerRelativeURL() string
}

// GroupVersionWithContext is the document of a group version.
type GroupVersionWithContext interface {
	// SchemaWithContext returns the document in a content type, "application/json" or
	// [ContentTypeOpenAPIV3PB]. The caller must not modify it.
	SchemaWithContext(ctx context.Context, contentType string) ([]byte, error)
	// ServerRelativeURL returns the path and query of the document. They change with the document, and so can
	// be the key of a cache.
	ServerRelativeURL() string
}

// ToGroupVersionWithContext returns gv itself if it has both forms, otherwise a wrapper that drops contexts.
// Nil stays nil.
func ToGroupVersionWithContext(gv GroupVersion) GroupVersionWithContext {
	if gv == nil {
		return nil
	}
	if both, ok := gv.(GroupVersionWithContext); ok {
		return both
	}
	return groupVersionWrapper{gv}
}

type groupVersionWrapper struct{ GroupVersion }

func (w groupVersionWrapper) SchemaWithContext(_ context.Context, contentType string) ([]byte, error) {
	return w.Schema(contentType)
}

// document is an entry of the index.
type document struct {
	restClient rest.Interface
	url        string // without the client's prefix, which requests add
}

var (
	_ GroupVersion            = &document{}
	_ GroupVersionWithContext = &document{}
)

func (d *document) ServerRelativeURL() string { return d.url }

func (d *document) Schema(contentType string) ([]byte, error) {
	return d.SchemaWithContext(context.Background(), contentType)
}

func (d *document) SchemaWithContext(ctx context.Context, contentType string) ([]byte, error) {
	result := d.restClient.Get().RequestURI(d.url).SetHeader("Accept", contentType).LimitBody(maxBytes).Do(ctx)
	if err := result.Error(); err != nil {
		return nil, fmt.Errorf("OpenAPI document at %q: %w", d.url, err)
	}
	return result.Raw()
}
