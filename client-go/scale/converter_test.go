package scale_test

import (
	"reflect"
	"slices"
	"testing"

	appsv1beta1 "k8s.io/api/apps/v1beta1"
	appsv1beta2 "k8s.io/api/apps/v1beta2"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	extensionsv1beta1 "k8s.io/api/extensions/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"k8s.io/client-go/scale"
	"k8s.io/client-go/scale/scheme"
	"k8s.io/client-go/scale/scheme/appsint"
	"k8s.io/client-go/scale/scheme/extensionsint"
)

// scales returns a scale in every version.
func scales(labels map[string]string, text string) []runtime.Object {
	object := metav1.ObjectMeta{Name: "a", Namespace: "n", ResourceVersion: "7"}
	meta := func(gv schema.GroupVersion) metav1.TypeMeta {
		return metav1.TypeMeta{APIVersion: gv.String(), Kind: "Scale"}
	}
	return []runtime.Object{
		&autoscalingv1.Scale{
			TypeMeta: meta(autoscalingv1.SchemeGroupVersion), ObjectMeta: object,
			Spec:   autoscalingv1.ScaleSpec{Replicas: 3},
			Status: autoscalingv1.ScaleStatus{Replicas: 2, Selector: text},
		},
		&extensionsv1beta1.Scale{
			TypeMeta: meta(extensionsv1beta1.SchemeGroupVersion), ObjectMeta: object,
			Spec:   extensionsv1beta1.ScaleSpec{Replicas: 3},
			Status: extensionsv1beta1.ScaleStatus{Replicas: 2, Selector: labels, TargetSelector: text},
		},
		&appsv1beta1.Scale{
			TypeMeta: meta(appsv1beta1.SchemeGroupVersion), ObjectMeta: object,
			Spec:   appsv1beta1.ScaleSpec{Replicas: 3},
			Status: appsv1beta1.ScaleStatus{Replicas: 2, Selector: labels, TargetSelector: text},
		},
		&appsv1beta2.Scale{
			TypeMeta: meta(appsv1beta2.SchemeGroupVersion), ObjectMeta: object,
			Spec:   appsv1beta2.ScaleSpec{Replicas: 3},
			Status: appsv1beta2.ScaleStatus{Replicas: 2, Selector: labels, TargetSelector: text},
		},
	}
}

func TestScaleConverter(t *testing.T) {
	c := scale.NewScaleConverter()
	for _, tt := range []struct {
		name   string
		labels map[string]string
		text   string
	}{
		{"no selector", nil, ""},
		{"labels", map[string]string{"a": "b"}, "a=b"},
		{"more than labels", nil, "a in (b,c)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			all := scales(tt.labels, tt.text)
			for _, from := range all {
				before := from.DeepCopyObject()
				for _, want := range all {
					gv := want.GetObjectKind().GroupVersionKind().GroupVersion()
					got, err := c.ConvertToVersion(from, gv)
					if err != nil {
						t.Fatalf("%T to %s: %v", from, gv, err)
					}
					if !reflect.DeepEqual(got, want) {
						t.Errorf("%T to %s:\n%+v, want\n%+v", from, gv, got, want)
					}
				}
				if !reflect.DeepEqual(from, before) {
					t.Errorf("%T was modified", from)
				}
			}
		})
	}
}

// Servers may set only the labels.
func TestScaleConverterLabels(t *testing.T) {
	in := &appsv1beta1.Scale{
		TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1beta1", Kind: "Scale"},
		Status:   appsv1beta1.ScaleStatus{Selector: map[string]string{"a": "b"}},
	}
	got, err := scale.NewScaleConverter().ConvertToVersion(in, autoscalingv1.SchemeGroupVersion)
	if err != nil {
		t.Fatal(err)
	}
	if selector := got.(*autoscalingv1.Scale).Status.Selector; selector != "a=b" {
		t.Errorf("selector is %q", selector)
	}
}

func TestScaleConverterErrors(t *testing.T) {
	kind := metav1.TypeMeta{APIVersion: "autoscaling/v1", Kind: "Scale"}
	for _, tt := range []struct {
		name string
		in   runtime.Object
		to   schema.GroupVersion
	}{
		{"not a scale", &corev1.Pod{}, autoscalingv1.SchemeGroupVersion},
		{"unknown version", &autoscalingv1.Scale{TypeMeta: kind}, schema.GroupVersion{Group: "apps", Version: "v9"}},
		{"invalid selector", &autoscalingv1.Scale{TypeMeta: kind, Status: autoscalingv1.ScaleStatus{Selector: "=="}}, appsv1beta1.SchemeGroupVersion},
		{"invalid internal selector", &scheme.Scale{Status: scheme.ScaleStatus{Selector: &metav1.LabelSelector{
			MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Near"}},
		}}}, autoscalingv1.SchemeGroupVersion},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := scale.NewScaleConverter().ConvertToVersion(tt.in, tt.to); err == nil {
				t.Errorf("converted to %+v", got)
			}
		})
	}
}

func TestScaleVersions(t *testing.T) {
	c := scale.NewScaleConverter()
	for _, gv := range c.ScaleVersions() {
		if !c.Scheme().Recognizes(gv.WithKind("Scale")) {
			t.Errorf("%s has no Scale", gv)
		}
	}
	for _, gv := range []schema.GroupVersion{scheme.SchemeGroupVersion, appsint.SchemeGroupVersion, extensionsint.SchemeGroupVersion} {
		if !slices.Contains(c.ScaleVersions(), gv) {
			t.Errorf("%s is missing", gv)
		}
	}
	text := []byte(`{"kind":"Scale","apiVersion":"autoscaling/v1","spec":{"replicas":3}}`)
	obj, err := runtime.Decode(c.Codecs().UniversalDeserializer(), text)
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := obj.(*autoscalingv1.Scale); !ok || got.Spec.Replicas != 3 {
		t.Errorf("decoded %+v", obj)
	}
}

func TestDeepCopy(t *testing.T) {
	in := &scheme.Scale{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"a": "b"}},
		Spec:       scheme.ScaleSpec{Replicas: 3},
		Status:     scheme.ScaleStatus{Replicas: 2, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"c": "d"}}},
	}
	out := in.DeepCopyObject().(*scheme.Scale)
	if !reflect.DeepEqual(in, out) {
		t.Fatalf("copied %+v", out)
	}
	out.Labels["a"], out.Status.Selector.MatchLabels["c"] = "x", "x"
	if in.Labels["a"] != "b" || in.Status.Selector.MatchLabels["c"] != "d" {
		t.Error("the copy shares data")
	}
	var none *scheme.Scale
	if none.DeepCopyObject() != nil || none.DeepCopy() != nil {
		t.Error("nil was copied")
	}
}
