package codec_test

import (
	"errors"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/codec"
)

// cutWidget returns a Widget of which only spec.image is left.
func cutWidget(t *testing.T) *Widget {
	f, err := codec.ParseFields("spec.image")
	if err != nil {
		t.Fatal(err)
	}
	w := &Widget{ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: "a"}, Spec: WidgetSpec{Image: "i", Paused: true}}
	if err := f.Prune(w); err != nil {
		t.Fatal(err)
	}
	return w
}

// TestCheckWhole holds which objects count as cut, and that copies do, too.
func TestCheckWhole(t *testing.T) {
	w := cutWidget(t)
	untyped := &unstructured.Unstructured{Object: map[string]any{}}
	untyped.SetSelfLink(w.GetSelfLink())
	for _, obj := range []any{w, w.DeepCopyObject(), untyped.DeepCopy()} {
		if err := codec.CheckWhole(obj); !codec.IsCut(obj) || !errors.Is(err, codec.ErrCut) {
			t.Errorf("%T: %v", obj, err)
		}
	}
	if err := codec.CheckWhole(w); !strings.HasPrefix(err.Error(), "cannot write *codec_test.Widget n/a: object has only the fields") {
		t.Error(err)
	}
	linked := &Widget{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
	linked.SetSelfLink("/apis/widgets/a")
	for _, obj := range []any{nil, (*Widget)(nil), &Widget{}, linked, &unstructured.Unstructured{}, &metav1.Status{}, "text"} {
		if err := codec.CheckWhole(obj); codec.IsCut(obj) || err != nil {
			t.Errorf("%T: %v", obj, err)
		}
	}
}

// TestCheckPatch holds which patches of cut objects are refused.
func TestCheckPatch(t *testing.T) {
	for _, c := range []struct {
		pt      types.PatchType
		patch   string
		refused bool
	}{
		{types.MergePatchType, `{"spec":{"paused":false}}`, false},
		{types.MergePatchType, `{"spec":{"args":["a"]}}`, true},
		{types.StrategicMergePatchType, `{"status":{"conditions":[{"type":"t"}]}}`, true},
		{types.JSONPatchType, `[{"op":"add","path":"/spec/args","value":["a"]}]`, false},
		{types.ApplyYAMLPatchType, `{"spec":{"image":"j"}}`, true},
	} {
		if err := codec.CheckPatch(cutWidget(t), c.pt, []byte(c.patch)); errors.Is(err, codec.ErrCut) != c.refused {
			t.Errorf("%s %s: %v", c.pt, c.patch, err)
		}
		if err := codec.CheckPatch(&Widget{}, c.pt, []byte(c.patch)); err != nil {
			t.Errorf("%s %s of a whole object: %v", c.pt, c.patch, err)
		}
	}
}

// TestDecodeIntoCut holds that an object that was cut counts as whole after a response was decoded into it.
func TestDecodeIntoCut(t *testing.T) {
	ours, _ := decoders(newScheme())
	w := cutWidget(t)
	if _, _, err := ours.Decode([]byte(widgetHead+`,"spec":7}`), nil, w); err == nil || !codec.IsCut(w) {
		t.Errorf("after an error: %v, %+v", err, w)
	}
	if _, err := ours.DecodeFrom(strings.NewReader(widgetHead+`,"metadata":{"name":"a"},"spec":{"image":"j"}}`), w); err != nil || codec.IsCut(w) || w.Spec.Image != "j" {
		t.Errorf("%v, %+v", err, w)
	}
}
