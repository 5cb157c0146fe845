package schema

import (
	"github.com/listwatch/listwatch/generators/internal/resolve"
	"github.com/listwatch/listwatch/generators/model"
)

// The packages with types whose JSON their source does not show.
const (
	metaV1     = "k8s.io/apimachinery/pkg/apis/meta/v1"
	extensions = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/"
)

// known are the schemas of types whose JSON their source does not show, by package and name.
var known = map[string]map[string]*model.Schema{
	metaV1: {
		"ObjectMeta": {Type: "object"},
		"Time":       {Type: "string", Format: "date-time"},
		"MicroTime":  {Type: "string", Format: "date-time"},
		"Duration":   {Type: "string"},
		"Fields":     {Type: "object", AnyProperties: true},
	},
	"k8s.io/apimachinery/pkg/api/resource": {
		"Quantity": {IntOrString: true, AnyOf: intOrString, Pattern: quantity},
	},
	"k8s.io/apimachinery/pkg/runtime": {
		"RawExtension": {Type: "object", PreserveUnknownFields: true},
	},
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured": {
		"Unstructured": {Type: "object"},
	},
	"k8s.io/apimachinery/pkg/util/intstr": {
		"IntOrString": {IntOrString: true, AnyOf: intOrString},
	},
	extensions + "v1":      {"JSON": {PreserveUnknownFields: true}},
	extensions + "v1beta1": {"JSON": {PreserveUnknownFields: true}},
}

var intOrString = []*model.Schema{{Type: "integer"}, {Type: "string"}}

// quantity matches quantities such as 100m and 1Gi.
const quantity = `^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`

// embeddedMeta is the schema of the metadata of objects within objects.
var embeddedMeta = &model.Schema{Type: "object", Properties: map[string]*model.Schema{
	"name":        {Type: "string"},
	"namespace":   {Type: "string"},
	"annotations": {Type: "object", AdditionalProperties: &model.Schema{Type: "string"}},
	"labels":      {Type: "object", AdditionalProperties: &model.Schema{Type: "string"}},
	"finalizers":  {Type: "array", Items: &model.Schema{Type: "string"}},
}}

// knownSchema returns the schema of a type that is known without its source, or nil.
func (r *reader) knownSchema(t *resolve.Type) *model.Schema {
	if r.EmbeddedObjectMeta && t.Is(metaV1, "ObjectMeta") {
		return embeddedMeta
	}
	return known[t.Path()][t.Name()]
}
