package typed

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// decode decodes the body into an object of a kind that the clientset knows, and checks that the
// object contains everything in it.
func (m *maker) decode(into runtime.Object) error {
	if len(m.body) == 0 {
		return inexpressible(Body, "none")
	}
	scheme := m.clientset.scheme
	kinds, _, err := scheme.ObjectKinds(into)
	if err != nil {
		return inexpressible(Body, "%v", err)
	}
	// Types such as options belong to all groups.
	expected := kinds[0]
	for _, k := range kinds {
		if k.GroupVersion() == (schema.GroupVersion{Group: m.info.APIGroup, Version: m.info.APIVersion}) {
			expected = k
		}
	}
	var decoder runtime.Decoder = json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, json.SerializerOptions{Strict: true})
	if contentType(m.request) == runtime.ContentTypeProtobuf {
		decoder = protobuf.NewSerializer(scheme, scheme)
	}
	object, actual, err := decoder.Decode(m.body, &expected, into)
	if err != nil {
		return inexpressible(Body, "%v", err)
	}
	if object != into {
		return inexpressible(Body, "a %v instead of a %v", actual, expected)
	}
	return nil
}

// configuration decodes the body into an apply configuration, and checks that it contains
// everything in the body, and nothing else.
func (m *maker) configuration(into any) error {
	data, err := yaml.YAMLToJSONStrict(m.body)
	if err != nil {
		return inexpressible(Body, "%v", err)
	}
	if err = kjson.UnmarshalCaseSensitivePreserveInts(data, into); err != nil {
		return inexpressible(Body, "%v", err)
	}
	return same(data, into)
}
