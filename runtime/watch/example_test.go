package watch_test

import (
	"errors"
	"fmt"
	"io"
	"log"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/watch"
)

// A decoder reads the body of a watch's response, event by event. The watches of clients do this themselves.
func ExampleNewStreamDecoder() {
	body := io.NopCloser(strings.NewReader(`
		{"type": "ADDED", "object": {"kind": "Book", "apiVersion": "library.dev/v1", "metadata": {"name": "emma"}}}
		{"type": "DELETED", "object": {"kind": "Book", "apiVersion": "library.dev/v1", "metadata": {"name": "emma"}}}`))
	serializer := codec.ForUnstructured()
	json, _ := runtime.SerializerInfoForMediaType(serializer.SupportedMediaTypes(), runtime.ContentTypeJSON)
	objects := serializer.DecoderToVersion(json.Serializer, schema.GroupVersion{})

	decoder := watch.NewStreamDecoder(body, objects.(codec.StreamDecoder))
	defer decoder.Close()
	for {
		event, obj, err := decoder.Decode()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(event, obj.(*unstructured.Unstructured).GetName())
	}
	// Output:
	// ADDED emma
	// DELETED emma
}
