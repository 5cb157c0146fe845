package codec_test

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"github.com/listwatch/listwatch/runtime/codec"
)

// Widget is a typical custom resource.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              WidgetSpec   `json:"spec,omitempty"`
	Status            WidgetStatus `json:"status,omitempty"`
}

type WidgetSpec struct {
	Replicas *int32                `json:"replicas,omitempty"`
	Image    string                `json:"image"`
	Paused   bool                  `json:"paused,omitempty"`
	Ratio    float64               `json:"ratio,omitempty"`
	Args     []string              `json:"args,omitempty"`
	Env      []EnvVar              `json:"env,omitempty"`
	Selector *metav1.LabelSelector `json:"selector,omitempty"`
	Settings map[string]string     `json:"settings,omitempty"`
	Ports    []Port                `json:"ports,omitempty"`
}

type EnvVar struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
}

type Port struct {
	Name string `json:"name,omitempty"`
	Port int32  `json:"port"`
}

type WidgetStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Ready              int32              `json:"ready,omitempty"`
	Phase              string             `json:"phase,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
	Timeout            metav1.Duration    `json:"timeout,omitempty"`
	Grace              *metav1.Duration   `json:"grace,omitempty"`
}

type WidgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Widget `json:"items"`
}

// PointerList is a list of pointers.
type PointerList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []*Widget `json:"items"`
}

// RawList is a list whose items are raw.
type RawList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []runtime.RawExtension `json:"items"`
}

func (w *Widget) DeepCopyObject() runtime.Object      { c := *w; return &c }
func (l *WidgetList) DeepCopyObject() runtime.Object  { c := *l; return &c }
func (l *PointerList) DeepCopyObject() runtime.Object { c := *l; return &c }
func (l *RawList) DeepCopyObject() runtime.Object     { c := *l; return &c }

var group = schema.GroupVersion{Group: "widgets.example.com", Version: "v1"}

// newScheme returns a scheme with the types of the tests.
func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(group, &Widget{}, &WidgetList{}, &PointerList{}, &RawList{})
	metav1.AddToGroupVersion(scheme, group)
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	utilruntime.Must(metav1.AddMetaToScheme(scheme))
	return scheme
}

// decoders returns our JSON decoder for the scheme and apimachinery's.
func decoders(scheme *runtime.Scheme) (ours codec.StreamDecoder, exact runtime.Decoder) {
	codecs := serializer.NewCodecFactory(scheme)
	info, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	ours = codec.ForScheme(scheme, codecs).DecoderToVersion(info.Serializer, group).(codec.StreamDecoder)
	return ours, codecs.WithoutConversion().DecoderToVersion(info.Serializer, group)
}
