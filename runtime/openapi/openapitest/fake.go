// Package openapitest has an OpenAPI client for tests, which returns the documents that it is given.
package openapitest

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/openapi"
)

// FakeClient returns given group versions.
type FakeClient struct {
	// PathsMap is returned by Paths.
	PathsMap map[string]openapi.GroupVersion
	// ForcedErr is returned by Paths instead, if set.
	ForcedErr error
}

var _ openapi.Client = &FakeClient{}

// NewFakeClient returns a client with an empty PathsMap.
func NewFakeClient() *FakeClient {
	return &FakeClient{PathsMap: map[string]openapi.GroupVersion{}}
}

// Paths returns PathsMap itself, or ForcedErr.
func (f FakeClient) Paths() (map[string]openapi.GroupVersion, error) {
	if f.ForcedErr != nil {
		return nil, f.ForcedErr
	}
	return f.PathsMap, nil
}

// FakeGroupVersion returns a given document.
type FakeGroupVersion struct {
	// GVSpec is the document in JSON.
	GVSpec []byte
	// ForcedErr is returned by Schema instead, if set.
	ForcedErr error
}

var _ openapi.GroupVersion = &FakeGroupVersion{}

// Schema returns GVSpec, or ForcedErr. There is only JSON.
func (f FakeGroupVersion) Schema(contentType string) ([]byte, error) {
	if contentType != runtime.ContentTypeJSON {
		return nil, fmt.Errorf("content type %q is not supported, use %s", contentType, runtime.ContentTypeJSON)
	}
	if f.ForcedErr != nil {
		return nil, f.ForcedErr
	}
	return f.GVSpec, nil
}

// ServerRelativeURL returns "": no server has the document.
func (f FakeGroupVersion) ServerRelativeURL() string { return "" }
