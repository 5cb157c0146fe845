package codec_test

import (
	"fmt"
	"reflect"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"

	"github.com/listwatch/listwatch/runtime/codec"
)

// Kinds that a recognized decoder could take for something else.
type (
	// wrapped has the methods of an untyped object.
	wrapped struct{ unstructured.Unstructured }
	// enlarged has the methods of metadata, and more fields.
	enlarged struct {
		metav1.PartialObjectMetadata `json:",inline"`
		Spec                         WidgetSpec `json:"spec"`
	}
	// byPointer embeds what can be nil.
	byPointer struct {
		*metav1.TypeMeta   `json:",inline"`
		*metav1.ObjectMeta `json:"metadata,omitempty"`
		Spec               *WidgetSpec `json:"spec"`
	}
)

func (w *wrapped) DeepCopyObject() runtime.Object   { c := *w; return &c }
func (e *enlarged) DeepCopyObject() runtime.Object  { c := *e; return &c }
func (b *byPointer) DeepCopyObject() runtime.Object { c := *b; return &c }

func (b *byPointer) GetObjectKind() schema.ObjectKind {
	if b.TypeMeta == nil {
		return schema.EmptyObjectKind
	}
	return b.TypeMeta
}

// attackedSchemes are schemes in which the type of a kind is not the only thing to know.
func attackedSchemes() map[string]*runtime.Scheme {
	schemes := map[string]*runtime.Scheme{}
	add := func(name string, change func(*runtime.Scheme)) {
		schemes[name] = newScheme()
		change(schemes[name])
	}
	other := schema.GroupVersion{Group: "other.example.com", Version: "v2"}
	internal := schema.GroupVersion{Group: group.Group, Version: runtime.APIVersionInternal}
	add("defaulted", func(s *runtime.Scheme) {
		s.AddTypeDefaultingFunc(&Widget{}, func(obj any) { obj.(*Widget).Spec.Image = "default" })
	})
	add("converted", func(s *runtime.Scheme) {
		s.AddKnownTypes(internal, &enlarged{})
		s.AddKnownTypeWithName(internal.WithKind("Widget"), &enlarged{})
		if err := s.AddConversionFunc((*Widget)(nil), (*enlarged)(nil), func(_, to any, _ conversion.Scope) error {
			to.(*enlarged).Name = "converted"
			return nil
		}); err != nil {
			panic(err)
		}
	})
	add("internal types", func(s *runtime.Scheme) { s.AddKnownTypeWithName(internal.WithKind("Widget"), &Widget{}) })
	add("several kinds of a type", func(s *runtime.Scheme) {
		s.AddKnownTypeWithName(group.WithKind("Gadget"), &Widget{})
		s.AddKnownTypeWithName(other.WithKind("Widget"), &Widget{})
	})
	add("another type of the kind in another group", func(s *runtime.Scheme) { s.AddKnownTypeWithName(other.WithKind("Widget"), &enlarged{}) })
	add("unversioned", func(s *runtime.Scheme) { s.AddUnversionedTypes(schema.GroupVersion{Version: "v1"}, &enlarged{}) })
	add("embedding", func(s *runtime.Scheme) { s.AddKnownTypes(group, &wrapped{}, &enlarged{}, &byPointer{}) })
	add("untyped", func(s *runtime.Scheme) {
		s.AddKnownTypeWithName(other.WithKind("Widget"), &unstructured.Unstructured{})
	})
	return schemes
}

// TestRecognizedAttacked checks that decoding is the one of the given serializer with schemes, texts and objects that a
// shortcut could get wrong.
func TestRecognizedAttacked(t *testing.T) {
	var texts []string
	for _, gv := range []string{"widgets.example.com/v1", "widgets.example.com/__internal", "other.example.com/v2", "v1", "", "/", "a/b/c", "widgets.example.com/v9"} {
		for _, kind := range []string{"Widget", "Gadget", "WidgetList", "wrapped", "enlarged", "byPointer", "Status", "Unknown", "List", "widget", ""} {
			head := fmt.Sprintf(`{"apiVersion":%q,"kind":%q`, gv, kind)
			for _, rest := range []string{
				`}`, `,"metadata":{"name":"a","unknown":[1]},"spec":{"image":"b","replicas":3}}`, `,"metadata":null,"spec":null}`, `,"kind":"Widget"}`,
				`,"metadata":{"name":7}}`, `,"items":[{"metadata":{"name":"a"}}]}`, `,"Metadata":{"Name":"upper"},"SPEC":{"IMAGE":"case"}}`,
			} {
				texts = append(texts, head+rest)
			}
		}
	}
	objects := []runtime.Object{
		nil, &Widget{}, &WidgetList{}, &wrapped{}, &enlarged{}, &byPointer{}, &unstructured.Unstructured{}, &unstructured.UnstructuredList{},
		&metav1.PartialObjectMetadata{}, &metav1.PartialObjectMetadataList{}, &metav1.Status{}, &metav1.List{}, &metav1.Table{}, &runtime.Unknown{},
	}
	for name, scheme := range attackedSchemes() {
		t.Run(name, func(t *testing.T) {
			r := newRecognition(scheme)
			for _, text := range texts {
				for _, into := range objects {
					r.check(t, []byte(text), into, 3)
				}
			}
		})
	}
}

// TestRecognizedShapes checks fields of all types.
func TestRecognizedShapes(t *testing.T) {
	for name, c := range oddShapes() {
		t.Run(name, func(t *testing.T) {
			scheme := newScheme()
			scheme.AddKnownTypeWithName(group.WithKind("Odd"), c.obj)
			r := newRecognition(scheme)
			for _, value := range oddValues {
				r.check(t, []byte(`{"apiVersion":"widgets.example.com/v1","kind":"Odd","metadata":{"name":"a"},"value":`+value+`}`), c.obj, 64)
			}
		})
	}
}

// TestRecognizeKeepsUp checks types that are added to a scheme after its serializer was recognized.
func TestRecognizeKeepsUp(t *testing.T) {
	scheme := runtime.NewScheme()
	r := newRecognition(scheme)
	text := []byte(widgetHead + `,"metadata":{"name":"a"}}`)
	r.check(t, text, &Widget{}, 5)
	r.check(t, text, nil, 5)
	scheme.AddKnownTypes(group, &Widget{})
	r.check(t, text, &Widget{}, 5)
	r.check(t, text, nil, 5)
	scheme.AddKnownTypes(schema.GroupVersion{Group: group.Group, Version: "v3"}, &Widget{})
	r.check(t, text, &Widget{}, 5)
	r.check(t, text, nil, 5)
}

// lying is a serializer whose parts come and go.
type lying struct {
	serializer.WithoutConversionCodecFactory
	infos []runtime.SerializerInfo
}

func (l *lying) SupportedMediaTypes() []runtime.SerializerInfo { return l.infos }

// TestRecognizeNothing checks what is not a serializer, or not wholly.
func TestRecognizeNothing(t *testing.T) {
	without := serializer.NewCodecFactory(newScheme()).WithoutConversion().(serializer.WithoutConversionCodecFactory)
	var none *serializer.WithoutConversionCodecFactory
	for name, given := range map[string]runtime.NegotiatedSerializer{
		"nil":                           nil,
		"a nil pointer":                 none,
		"a nil pointer of another type": (*lying)(nil),
		"wrapped nil":                   serializerWithTargetZeroingDecode{},
		"no media types":                &lying{WithoutConversionCodecFactory: without},
		"media types of its own":        &lying{without, without.SupportedMediaTypes()[:1]},
		"codecs without a scheme":       serializer.WithoutConversionCodecFactory{CodecFactory: serializer.CodecFactory{}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := codec.Recognize(given); !reflect.DeepEqual(got, given) || reflect.TypeOf(got) != reflect.TypeOf(given) {
				t.Errorf("recognized as %T", got)
			}
		})
	}
	// A decoder that is not from the serializer's list is decoded with as it is, and so is none.
	got := codec.Recognize(without)
	for _, d := range []runtime.Decoder{nil, renamer{without.SupportedMediaTypes()[0].Serializer}, uncomparable{}} {
		want := without.DecoderToVersion(d, group)
		if decoder := got.DecoderToVersion(d, group); !reflect.DeepEqual(decoder, want) {
			t.Errorf("decoder %T, want %T", decoder, want)
		}
	}
}

// uncomparable is a decoder of a type that cannot be compared.
type uncomparable []string

func (uncomparable) Decode([]byte, *schema.GroupVersionKind, runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	return nil, nil, nil
}
