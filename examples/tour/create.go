package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/listwatch/listwatch/runtime/discovery"
	"github.com/listwatch/listwatch/runtime/discovery/cached/memory"
	"github.com/listwatch/listwatch/runtime/dynamic"
	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/runtime/restmapper"
)

//go:embed objects.yaml
var manifest []byte

// create creates the objects of a YAML file, as kubectl create does.
func create(ctx context.Context, config *rest.Config, out io.Writer) error {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	discoverer, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return err
	}
	// A manifest has kinds ("Pod"), a URL has resources ("pods"). The server knows which belong together.
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(discoverer))
	documents := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(manifest), 4096)
	for {
		object := &unstructured.Unstructured{}
		if err = documents.Decode(object); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		kind := object.GroupVersionKind()
		mapping, err := mapper.RESTMappingWithContext(ctx, kind.GroupKind(), kind.Version)
		if err != nil {
			return err
		}
		// Without a namespace, which is "" in cluster-scoped objects, the URL has none.
		_, err = client.Resource(mapping.Resource).Namespace(object.GetNamespace()).Create(ctx, object, metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
		fmt.Fprintf(out, "%s %s is there\n", mapping.Resource.Resource, object.GetName())
	}
}
