package apitest

import (
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// definitions returns those of the options' manifests and objects.
func (o *options) definitions() ([]*apiextensions.CustomResourceDefinition, error) {
	return o.crds, nil
}
