package embedded

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/listwatch/listwatch/apitest/internal/document"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// WithManifests creates the objects in manifests, after those of [WithObjects]: CRDs first, then namespaces, then
// other objects in the order of the paths and of the documents in their files, and at the end the configurations of
// webhooks, which would otherwise concern the other objects. Paths are as for [WithCRDs]. A file may contain
// several documents, and lists, such as a List or a RoleList. A namespace that exists already is left as it is; other
// objects must be new.
//
// A folder with files of kustomize is an error: pass the output of "kustomize build" to [WithManifestText].
func WithManifests(paths ...string) Option {
	return func(o *options) {
		for _, path := range paths {
			o.manifests = append(o.manifests, manifest{path: path})
		}
	}
}

// WithManifestText creates the objects in texts, which are YAML or JSON, such as the output of "kustomize build" or
// "helm template". It is like [WithManifests] otherwise.
func WithManifestText(texts ...string) Option {
	return func(o *options) {
		for _, text := range texts {
			o.manifests = append(o.manifests, manifest{text: text})
		}
	}
}

// manifest is a path or a text.
type manifest struct{ path, text string }

// manifests are objects by the order in which they are created.
type manifests struct {
	definitions []*apiextensions.CustomResourceDefinition
	objects     []*unstructured.Unstructured
}

// readManifests returns the objects in the options' manifests.
func (o *options) readManifests() (*manifests, error) {
	m := &manifests{}
	for i, source := range o.manifests {
		if source.path == "" && source.text != "" {
			if err := m.add([]byte(source.text)); err != nil {
				return nil, fmt.Errorf("WithManifestText: text %d: %w", i+1, err)
			}
			continue
		}
		files, err := filesAt(source.path)
		if err != nil {
			return nil, fmt.Errorf("WithManifests: %w", err)
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				return nil, fmt.Errorf("WithManifests: %w", err)
			}
			if err := m.add(content); err != nil {
				return nil, fmt.Errorf("WithManifests: %s: %w", file, err)
			}
		}
	}
	slices.SortStableFunc(m.objects, func(a, b *unstructured.Unstructured) int { return rank(a) - rank(b) })
	return m, nil
}

// rank orders kinds: objects need namespaces, and hooks must not concern them.
func rank(object *unstructured.Unstructured) int {
	switch object.GetKind() {
	case "Namespace":
		return 0
	case mutatingKind, validatingKind:
		return 2
	}
	return 1
}

// add adds the objects in documents.
func (m *manifests) add(content []byte) error { return eachDocument(content, m.addDocument) }

// addDocument adds an object, or those of a list.
func (m *manifests) addDocument(text []byte) error {
	var kind metav1.TypeMeta
	if err := json.Unmarshal(text, &kind); err != nil {
		return err
	}
	gvk := kind.GroupVersionKind()
	switch {
	case gvk.Kind == "":
		return errors.New("not an object of Kubernetes: it has no kind")
	case gvk.Group == "kustomize.config.k8s.io":
		return fmt.Errorf("%s of kustomize: pass the output of kustomize build to WithManifestText", gvk.Kind)
	}
	if items, isList, err := document.Items(text); err != nil || isList {
		for i := 0; i < len(items) && err == nil; i++ {
			err = m.addDocument(items[i])
		}
		return err
	}
	if gvk.Group == apiextensions.GroupName {
		crds, err := appendDefinitions(nil, text)
		m.definitions = append(m.definitions, crds...)
		return err
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(text); err != nil {
		return err
	}
	m.objects = append(m.objects, object)
	return nil
}

// create creates the objects other than definitions.
func (m *manifests) create(ctx context.Context, loader *loader) error {
	for _, object := range m.objects {
		err := loader.load(ctx, object)
		if object.GetKind() == "Namespace" && apierrors.IsAlreadyExists(err) {
			continue
		}
		if err != nil {
			return fmt.Errorf("WithManifests: %w", err)
		}
	}
	return nil
}
