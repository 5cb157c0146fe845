package custom

import (
	"fmt"
	"maps"
	"sync"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	generated "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/endpoints/openapi"
	"k8s.io/kube-openapi/pkg/builder3"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// models are the schemas of a CRD and of everything it refers to. Of these, ObjectMeta and its
// parts also belong to every custom resource.
type models struct {
	schemas map[string]*spec.Schema
	types   managedfields.TypeConverter // of definitions
}

// loadModels builds the models, once per process: they are read-only.
var loadModels = sync.OnceValues(func() (*models, error) {
	schemas, err := builder3.BuildOpenAPIDefinitionsForResources(&common.OpenAPIV3Config{
		GetDefinitions:    generated.GetOpenAPIDefinitions,
		GetDefinitionName: openapi.NewDefinitionNamer(apiserver.Scheme).GetDefinitionName,
	}, apiextensions.CustomResourceDefinition{}.OpenAPIModelName())
	if err != nil {
		return nil, fmt.Errorf("build the schemas of definitions: %w", err)
	}
	types, err := managedfields.NewTypeConverter(schemas, false)
	if err != nil {
		return nil, fmt.Errorf("read the schemas of definitions: %w", err)
	}
	return &models{schemas: schemas, types: types}, nil
})

// Types returns how custom resources of a version of a definition are merged.
func Types(crd *apiextensions.CustomResourceDefinition, version string) (managedfields.TypeConverter, error) {
	models, err := loadModels()
	if err != nil {
		return nil, err
	}
	document, err := builder.BuildOpenAPIV3(crd, version, builder.Options{})
	if err != nil {
		return nil, fmt.Errorf("describe %s: %w", crd.Name, err)
	}
	schemas := maps.Clone(models.schemas)
	maps.Copy(schemas, document.Components.Schemas)
	return managedfields.NewTypeConverter(schemas, crd.Spec.PreserveUnknownFields)
}
