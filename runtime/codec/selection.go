package codec

import (
	"context"
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/internal/jsonscan"
)

// Unselected stands for the object of an event that [WithSelection] does not select. Its metadata contains the UID, the
// namespace and the resource version.
type Unselected struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

var (
	_ runtime.Object = (*Unselected)(nil)
	_ metav1.Object  = (*Unselected)(nil)
)

// DeepCopyObject implements [runtime.Object].
func (u *Unselected) DeepCopyObject() runtime.Object {
	c := *u
	u.DeepCopyInto(&c.ObjectMeta)
	return &c
}

// selectionKey is the key of a context's value with the function of [WithSelection].
type selectionKey struct{}

// WithSelection returns a context for requests of objects of which the caller needs only those that selects returns true
// for. Others need not be decoded: an [*Unselected] replaces them in watches, and lists that are decoded item by item
// (see [StreamDecoder]) leave them out. That applies to JSON with the decoders of [ForScheme], and to objects
// whose UID, namespace and resource version can be read; all others are decoded, so that the caller must check them.
// selects is called from the goroutine that decodes.
func WithSelection(ctx context.Context, selects func(uid types.UID, namespace string) bool) context.Context {
	return context.WithValue(ctx, selectionKey{}, selects)
}

// selecting is a decoder that does not decode objects that are not selected.
type selecting struct {
	jsonDecoder
	selects func(uid types.UID, namespace string) bool
}

// jsonDecoder is a decoder of JSON whose lists can select.
type jsonDecoder interface {
	StreamDecoder
	decodeList(r io.Reader, list runtime.Object, k *sink) (runtime.Object, error)
}

func (d *decoder) decodeList(r io.Reader, list runtime.Object, k *sink) (runtime.Object, error) {
	return d.stream(r, list, k)
}

func (t tolerant) decodeList(r io.Reader, list runtime.Object, k *sink) (runtime.Object, error) {
	k.tolerant = true
	return t.stream(r, list, k)
}

// selectingFor returns d with the selection of a context, if there is one.
func selectingFor(ctx context.Context, d jsonDecoder) StreamDecoder {
	if selects, ok := ctx.Value(selectionKey{}).(func(types.UID, string) bool); ok {
		return selecting{d, selects}
	}
	return d
}

// Decode implements runtime.Decoder.
func (s selecting) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	if into == nil {
		if u := unselected(data, s.selects); u != nil {
			return u, &schema.GroupVersionKind{}, nil
		}
	}
	return s.jsonDecoder.Decode(data, defaults, into)
}

// DecodeList implements StreamDecoder.
func (s selecting) DecodeList(r io.Reader, list runtime.Object, newItem func() runtime.Object, each func(runtime.Object) error) (runtime.Object, error) {
	return s.decodeList(r, list, &sink{newItem: newItem, each: each, selects: s.selects})
}

// unselected returns what stands for the object of a text, or nil if it is selected or not clear. It reads the text only
// as far as necessary, up to the end of the metadata at most.
func unselected(text []byte, selects func(uid types.UID, namespace string) bool) *Unselected {
	s := jsonscan.Scanner{Text: text}
	var uid, namespace, version string
	clear := true
	metadata := func(name []byte, _ uint64, i int) int {
		var to *string
		switch string(name) {
		case "namespace":
			to = &namespace
		case "uid":
			to = &uid
		case "resourceVersion":
			to = &version
		default:
			return jsonscan.Value(text, i)
		}
		var b []byte
		next := jsonscan.Bad
		if text[i] == '"' {
			b, _, next = s.String(i)
		}
		if next < 0 {
			clear = false
			return jsonscan.Bad
		}
		if *to = string(b); uid != "" && namespace != "" && version != "" {
			return jsonscan.Bad // what follows is not read
		}
		return next
	}
	s.Members(jsonscan.Space(text, 0), func(name []byte, _ uint64, i int) int {
		if string(name) != "metadata" {
			return jsonscan.Value(text, i)
		}
		if s.Members(i, metadata) < 0 && namespace == "" {
			clear = false
		}
		return jsonscan.Bad
	})
	if !clear || uid == "" || version == "" || selects(types.UID(uid), namespace) {
		return nil
	}
	u := &Unselected{}
	u.UID, u.Namespace, u.ResourceVersion = types.UID(uid), namespace, version
	return u
}
