package v1

import (
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/util/proto"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"k8s.io/client-go/discovery"
)

// modelsAge is how long the models of a server are used.
const modelsAge = time.Minute

// UnstructuredExtractor finds what a field manager applied.
type UnstructuredExtractor interface {
	// Extract returns the apply configuration of a manager: the fields of object that it owns.
	Extract(object *unstructured.Unstructured, fieldManager string) (*unstructured.Unstructured, error)
	// ExtractStatus is Extract for what the manager applied to the status.
	ExtractStatus(object *unstructured.Unstructured, fieldManager string) (*unstructured.Unstructured, error)
}

// NewUnstructuredExtractor returns an extractor with the models of a server's OpenAPI v2 document, which it requests
// now and when they are older than a minute. It is safe for concurrent use.
func NewUnstructuredExtractor(dc discovery.DiscoveryInterface) (UnstructuredExtractor, error) {
	m := &models{client: dc}
	if err := m.request(); err != nil {
		return nil, fmt.Errorf("failed to read the models of the server: %w", err)
	}
	return extractor{m}, nil
}

// models are those of a server.
type models struct {
	client discovery.OpenAPISchemaInterface

	mu        sync.Mutex // guards the fields below
	parser    *managedfields.GvkParser
	requested time.Time
}

// request replaces the models.
func (m *models) request() error {
	m.requested = time.Now()
	document, err := m.client.OpenAPISchema()
	if err != nil {
		return err
	}
	data, err := proto.NewOpenAPIData(document)
	if err != nil {
		return err
	}
	parser, err := managedfields.NewGVKParser(data, false)
	if err != nil {
		return err
	}
	m.parser = parser
	return nil
}

// find returns the model of a kind.
func (m *models) find(kind schema.GroupVersionKind) (*typed.ParseableType, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if time.Since(m.requested) > modelsAge {
		if err := m.request(); err != nil {
			return nil, err
		}
	}
	model := m.parser.Type(kind)
	if model == nil {
		return nil, fmt.Errorf("the server has no model of %s", kind)
	}
	return model, nil
}

type extractor struct{ models *models }

func (e extractor) Extract(object *unstructured.Unstructured, fieldManager string) (*unstructured.Unstructured, error) {
	return e.extract(object, fieldManager, "")
}

func (e extractor) ExtractStatus(object *unstructured.Unstructured, fieldManager string) (*unstructured.Unstructured, error) {
	return e.extract(object, fieldManager, "status")
}

func (e extractor) extract(object *unstructured.Unstructured, fieldManager, subresource string) (*unstructured.Unstructured, error) {
	model, err := e.models.find(object.GroupVersionKind())
	if err != nil {
		return nil, fmt.Errorf("failed to find the type of the object: %w", err)
	}
	applied := &unstructured.Unstructured{}
	if err := managedfields.ExtractInto(object, *model, fieldManager, applied, subresource); err != nil {
		return nil, fmt.Errorf("failed to extract the fields of %s: %w", fieldManager, err)
	}
	applied.SetGroupVersionKind(object.GroupVersionKind())
	applied.SetName(object.GetName())
	applied.SetNamespace(object.GetNamespace())
	return applied, nil
}
