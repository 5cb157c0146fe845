package cache_test

import (
	"context"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	apiwatch "k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/codec"
)

// TestDropManagedFields calls the transform alone.
func TestDropManagedFields(t *testing.T) {
	untyped := func(managed bool) *unstructured.Unstructured {
		m := map[string]any{"name": "a"}
		if managed {
			m["managedFields"] = []any{map[string]any{"manager": "m"}}
		}
		return &unstructured.Unstructured{Object: map[string]any{"metadata": m}}
	}
	typed := func(managed bool) *metav1.PartialObjectMetadata {
		m := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
		if managed {
			m.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "m"}}
		}
		return m
	}
	for _, c := range []struct{ obj, want any }{
		{untyped(true), untyped(false)},
		{untyped(false), untyped(false)},
		{&unstructured.Unstructured{}, &unstructured.Unstructured{}},
		{typed(true), typed(false)},
		{"no object", "no object"},
	} {
		if got, err := cache.DropManagedFields(c.obj); err != nil || !equality.Semantic.DeepEqual(got, c.want) {
			t.Errorf("%+v, %v, want %+v", got, err, c.want)
		}
	}
}

// TestInformerDropsManagedFields holds that requests of an informer with this transform are without managedFields,
// and that their objects share equal parts.
func TestInformerDropsManagedFields(t *testing.T) {
	serializer := codec.ForMetadata()
	info, _ := runtime.SerializerInfoForMediaType(serializer.SupportedMediaTypes(), runtime.ContentTypeJSON)
	decoder := serializer.DecoderToVersion(info.Serializer, nil).(codec.StreamDecoder)
	const item = `{"metadata":{"name":"%","labels":{"x":"y"},"managedFields":[{"manager":"m"}]}}`
	text := `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"1"},"items":[` +
		strings.Replace(item, "%", "a", 1) + `,` + strings.Replace(item, "%", "b", 1) + `]}`
	for _, c := range []struct {
		name                    string
		transform               cache.TransformFunc
		without, shared, remain bool
	}{
		{"itself", cache.DropManagedFields, true, true, false},
		{"within another", func(obj any) (any, error) { return cache.DropManagedFields(obj) }, false, false, false},
		{"none", nil, false, true, true},
	} {
		for _, private := range []bool{false, true} {
			t.Run(c.name, func(t *testing.T) {
				source := &cache.ListWatch{
					ListWithContextFunc: func(ctx context.Context, _ metav1.ListOptions) (runtime.Object, error) {
						if codec.LacksManagedFields(ctx) != c.without {
							t.Errorf("the request lacks managedFields: %v", !c.without)
						}
						return codec.ForContext(ctx, decoder).DecodeFrom(strings.NewReader(text), &metav1.PartialObjectMetadataList{})
					},
					WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (apiwatch.Interface, error) {
						if o.SendInitialEvents != nil {
							return nil, context.DeadlineExceeded
						}
						return newShortStream(ctx), nil
					},
				}
				var store cache.Store
				var informer interface {
					RunWithContext(ctx context.Context)
					HasSynced() bool
				}
				if private {
					store, informer = cache.NewInformerWithOptions(cache.InformerOptions{
						ListerWatcher: source, ObjectType: &metav1.PartialObjectMetadata{}, Transform: c.transform,
						Handler: cache.ResourceEventHandlerFuncs{},
					})
				} else {
					s := cache.NewSharedIndexInformerWithOptions(source, &metav1.PartialObjectMetadata{}, cache.SharedIndexInformerOptions{Share: true})
					if err := s.SetTransform(c.transform); err != nil {
						t.Fatal(err)
					}
					store, informer = s.GetStore(), s
				}
				runUntilSynced(t, informer)
				var labels []map[string]string
				for _, obj := range store.List() {
					o := obj.(metav1.Object)
					labels = append(labels, o.GetLabels())
					if remain := o.GetManagedFields() != nil; remain != c.remain {
						t.Errorf("managedFields %v", o.GetManagedFields())
					}
				}
				if len(labels) != 2 {
					t.Fatalf("labels %v", labels)
				}
				labels[0]["x"] = "z"
				if shared := labels[1]["x"] == "z"; shared != (c.shared && !private) {
					t.Errorf("the labels are one map: %v", shared)
				}
			})
		}
	}
}
