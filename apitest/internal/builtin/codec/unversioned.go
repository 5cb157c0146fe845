package codec

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Strict are codecs for Kubernetes' own kinds, in which a patch cannot remove the version of an object. The real server
// then decodes the rest into its internal types, whose JSON has none of the fields, so that nothing remains.
type Strict struct{ *Codecs }

// DecoderToVersion implements runtime.NegotiatedSerializer.
func (s Strict) DecoderToVersion(d runtime.Decoder, gv runtime.GroupVersioner) runtime.Decoder {
	return strictDecoder{s.Codecs.DecoderToVersion(d, gv)}
}

type strictDecoder struct{ runtime.Decoder }

// Decode implements runtime.Decoder. Only patches have no defaults.
func (d strictDecoder) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	if defaults == nil && into != nil {
		var fields map[string]json.RawMessage
		var meta struct {
			APIVersion string `json:"apiVersion"`
		}
		if json.Unmarshal(data, &fields) == nil && json.Unmarshal(data, &meta) == nil && meta.APIVersion == "" {
			return nothing(fields, into)
		}
	}
	obj, kind, err := d.Decoder.Decode(data, defaults, into)
	if unread := readNumbers(obj); unread != nil {
		return nil, kind, unread
	}
	return obj, kind, err
}

// nothing empties an object, and returns an error that names the fields of which nothing remains.
func nothing(fields map[string]json.RawMessage, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	reflect.ValueOf(into).Elem().SetZero()
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if name != "kind" && name != "apiVersion" {
			errs = append(errs, fmt.Errorf("unknown field %q", name))
		}
	}
	kind := into.GetObjectKind().GroupVersionKind()
	return into, &kind, runtime.NewStrictDecodingError(errs)
}
