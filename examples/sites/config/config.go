// Package config contains the manifests of the controller, for tests and demonstrations.
package config

import (
	"bytes"
	"embed"
	"errors"
	"io"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
)

//go:embed *.yaml crd/*.yaml
var manifests embed.FS

// User is the name of the controller's service account, as the API server sees it.
const User = "system:serviceaccount:sites:controller"

// CRD returns the CRD of sites.
func CRD() (*apiextensions.CustomResourceDefinition, error) {
	manifest, err := manifests.ReadFile("crd/web.example.com_sites.yaml")
	if err != nil {
		return nil, err
	}
	crd := &apiextensions.CustomResourceDefinition{}
	return crd, yaml.UnmarshalStrict(manifest, crd)
}

// Objects returns the objects that the controller needs before it starts, except the CRD, for replicas of which one leads.
func Objects() ([]runtime.Object, error) {
	return objects("namespace.yaml", "rbac.yaml", "leader.yaml")
}

// SharedObjects returns those for replicas that share the sites.
func SharedObjects() ([]runtime.Object, error) {
	return objects("namespace.yaml", "rbac.yaml", "share.yaml")
}

func objects(files ...string) ([]runtime.Object, error) {
	var objects []runtime.Object
	for _, name := range files {
		manifest, err := manifests.ReadFile(name)
		if err != nil {
			return nil, err
		}
		documents := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(manifest), 4096)
		for {
			object := &unstructured.Unstructured{}
			if err = documents.Decode(object); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			objects = append(objects, object)
		}
	}
	return objects, nil
}
