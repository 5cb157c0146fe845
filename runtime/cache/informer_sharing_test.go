package cache_test

import (
	"context"
	"strings"
	"testing"
	"unsafe"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiwatch "k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/codec"
)

// TestInformerSharesEqualMaps holds that objects share maps only if the option Share says so, except if a transform may change
// parts of objects, and strings in any case.
func TestInformerSharesEqualMaps(t *testing.T) {
	serializer := codec.ForMetadata()
	info, _ := runtime.SerializerInfoForMediaType(serializer.SupportedMediaTypes(), runtime.ContentTypeJSON)
	decoder := serializer.DecoderToVersion(info.Serializer, nil).(codec.StreamDecoder)
	const text = `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"1"},"items":[` +
		`{"metadata":{"name":"0","labels":{"x":"yy"}}},{"metadata":{"name":"a","labels":{"x":"yy"}}},{"metadata":{"name":"b","labels":{"x":"yy"}}}]}`
	source := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, _ metav1.ListOptions) (runtime.Object, error) {
			return codec.ForContext(ctx, decoder).DecodeFrom(strings.NewReader(text), &metav1.PartialObjectMetadataList{})
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (apiwatch.Interface, error) {
			if o.SendInitialEvents != nil {
				return nil, context.DeadlineExceeded
			}
			return newShortStream(ctx), nil
		},
	}
	one := func(obj any) (any, error) { return obj, nil }
	for name, c := range map[string]struct {
		transform, own cache.TransformFunc // of the informer, of its source
		keeps          bool
		share          bool // the option
		shared         bool
	}{
		"by default":                  {},
		"none":                        {share: true, shared: true},
		"one":                         {share: true, transform: one},
		"of the source":               {share: true, own: one},
		"that keeps parts":            {share: true, own: one, keeps: true, shared: true},
		"that drops managedFields":    {share: true, transform: cache.DropManagedFields, shared: true},
		"of another that keeps parts": {share: true, transform: one, keeps: true},
	} {
		t.Run(name, func(t *testing.T) {
			informer := cache.NewSharedIndexInformerWithOptions(nil, &metav1.PartialObjectMetadata{}, cache.SharedIndexInformerOptions{
				Sources: []cache.Source{{ListerWatcher: source, Transform: c.own, KeepsParts: c.keeps}},
				Share:   c.share,
			})
			if c.transform != nil {
				if err := informer.SetTransform(c.transform); err != nil {
					t.Fatal(err)
				}
			}
			runUntilSynced(t, informer)
			var labels []map[string]string
			for _, name := range []string{"a", "b"} { // strings are one from the second time on
				obj, _, _ := informer.GetStore().GetByKey(name)
				labels = append(labels, obj.(metav1.Object).GetLabels())
			}
			if len(labels) != 2 {
				t.Fatalf("labels %v", labels)
			}
			if unsafe.StringData(labels[0]["x"]) != unsafe.StringData(labels[1]["x"]) {
				t.Error("the values of labels are not one string")
			}
			labels[0]["x"] = "z"
			if shared := labels[1]["x"] == "z"; shared != c.shared {
				t.Errorf("the labels are one map: %v", shared)
			}
		})
	}
}

// runUntilSynced runs an informer until it has synced, and waits until it has stopped.
func runUntilSynced(t *testing.T, informer interface {
	RunWithContext(ctx context.Context)
	HasSynced() bool
},
) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		informer.RunWithContext(ctx)
	}()
	cache.WaitForCacheSync(ctx.Done(), informer.HasSynced)
	cancel()
	<-done
}
