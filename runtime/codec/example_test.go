package codec_test

import (
	"errors"
	"fmt"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned/scheme"
	"github.com/listwatch/listwatch/runtime/codec"
	v1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// A serializer for the types of a scheme is what the config of a client needs. An error says where in which object
// it is.
func ExampleForScheme() {
	serializer := codec.ForScheme(scheme.Scheme, scheme.Codecs) // for rest.ContentConfig
	json, _ := runtime.SerializerInfoForMediaType(serializer.SupportedMediaTypes(), runtime.ContentTypeJSON)
	decoder := serializer.DecoderToVersion(json.Serializer, v1.SchemeGroupVersion)

	obj, err := runtime.Decode(decoder, []byte(`{"kind": "Book", "apiVersion": "library.example.com/v1", "spec": {"pages": 474}}`))
	fmt.Println(obj.(*v1.Book).Spec.Pages, err)

	_, err = runtime.Decode(decoder, []byte(`{"kind": "Book", "apiVersion": "library.example.com/v1",
		"metadata": {"name": "emma"}, "spec": {"pages": "many"}}`))
	var undecodable *codec.Error
	if errors.As(err, &undecodable) {
		fmt.Println(undecodable.GVK.Kind, undecodable.Name, undecodable.Pointer)
	}
	// Output:
	// 474 <nil>
	// Book emma /spec/pages
}

// Explain lists the fields of a type that need the slow decoder, and why.
func ExampleExplain() {
	type Map struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata"`
		Center            [2]int `json:"center"`
	}
	for _, field := range codec.Explain(reflect.TypeFor[Map]()) {
		fmt.Println(field)
	}
	// Output: center ([2]int): arrays
}
