package models

import (
	"context"
	"fmt"

	openapiv2 "github.com/google/gnostic-models/openapiv2"
	"google.golang.org/protobuf/proto"

	"github.com/listwatch/listwatch/runtime/discovery"
	"github.com/listwatch/listwatch/runtime/rest"
)

const (
	schemaPath = "/openapi/v2"
	schemaType = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf"
	// maxBytes bounds the size of the document. That of a cluster with a thousand CRDs is a third as long.
	maxBytes = 128 << 20
)

// OpenAPISchemaInterface returns a server's OpenAPI v2 document. [OpenAPISchemaInterfaceWithContext] is the form
// with contexts.
type OpenAPISchemaInterface interface {
	// OpenAPISchema requests the document.
	OpenAPISchema() (*openapiv2.Document, error)
}

// OpenAPISchemaInterfaceWithContext returns a server's OpenAPI v2 document.
type OpenAPISchemaInterfaceWithContext interface {
	// OpenAPISchemaWithContext requests the document.
	OpenAPISchemaWithContext(ctx context.Context) (*openapiv2.Document, error)
}

// ToOpenAPISchemaInterfaceWithContext returns i itself if it has both forms, otherwise a wrapper that drops
// contexts. Nil stays nil.
func ToOpenAPISchemaInterfaceWithContext(i OpenAPISchemaInterface) OpenAPISchemaInterfaceWithContext {
	if i == nil {
		return nil
	}
	if both, ok := i.(OpenAPISchemaInterfaceWithContext); ok {
		return both
	}
	return schemaWrapper{i}
}

type schemaWrapper struct{ wrapped OpenAPISchemaInterface }

func (w schemaWrapper) OpenAPISchemaWithContext(context.Context) (*openapiv2.Document, error) {
	return w.wrapped.OpenAPISchema()
}

// Discovery is a discovery client that also returns the OpenAPI v2 document.
type Discovery struct{ discovery.DiscoveryInterface }

var (
	_ OpenAPISchemaInterface            = Discovery{}
	_ OpenAPISchemaInterfaceWithContext = Discovery{}
)

// For returns d with the methods of [OpenAPISchemaInterface].
func For(d discovery.DiscoveryInterface) Discovery { return Discovery{d} }

// OpenAPISchema is [Schema] without a context.
func (d Discovery) OpenAPISchema() (*openapiv2.Document, error) {
	return d.OpenAPISchemaWithContext(context.Background())
}

// OpenAPISchemaWithContext is [Schema].
func (d Discovery) OpenAPISchemaWithContext(ctx context.Context) (*openapiv2.Document, error) {
	return Schema(ctx, d)
}

// Schema requests the OpenAPI v2 document of the server that a discovery client has. For a client without a
// server, such as a fake, it is empty. The caller owns the result.
func Schema(ctx context.Context, d interface{ RESTClient() rest.Interface }) (*openapiv2.Document, error) {
	client := d.RESTClient()
	if client == nil {
		return &openapiv2.Document{}, nil
	}
	result := client.Get().AbsPath(schemaPath).SetHeader("Accept", schemaType).LimitBody(maxBytes).Do(ctx)
	if err := result.Error(); err != nil {
		return nil, fmt.Errorf("OpenAPI document at %s: %w", schemaPath, err)
	}
	body, err := result.Raw()
	if err != nil {
		return nil, err
	}
	document := &openapiv2.Document{}
	if err := proto.Unmarshal(body, document); err != nil {
		return nil, fmt.Errorf("OpenAPI document at %s: %w", schemaPath, err)
	}
	return document, nil
}
