package dynamicinformer_test

import (
	"testing"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"k8s.io/client-go/dynamic/dynamicinformer"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/metadata/fake"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/tools/cache"
)

// factory is what both factories are: a program may declare this, as client-go's have it.
type factory interface {
	Start(stopCh <-chan struct{})
	ForResource(gvr schema.GroupVersionResource) informers.GenericInformer
	WaitForCacheSync(stopCh <-chan struct{}) map[schema.GroupVersionResource]bool
	Shutdown()
}

var pods = corev1.SchemeGroupVersion.WithResource("pods")

func objects() []runtime.Object {
	var all []runtime.Object
	for _, namespace := range []string{"m", "n"} {
		all = append(all, &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: namespace}})
	}
	return all
}

// No goroutine is left after Shutdown: otherwise synctest fails.
func TestFactories(t *testing.T) {
	tweak := func(*metav1.ListOptions) {}
	for _, tt := range []struct {
		name string
		new  func() factory
		want int
	}{
		{"dynamic", func() factory {
			return dynamicinformer.NewDynamicSharedInformerFactory(dynamicfake.NewSimpleDynamicClient(scheme.Scheme, objects()...), 0)
		}, 2},
		{"dynamic, of a namespace", func() factory {
			return dynamicinformer.NewFilteredDynamicSharedInformerFactory(dynamicfake.NewSimpleDynamicClient(scheme.Scheme, objects()...), 0, "n", tweak)
		}, 1},
		{"metadata", func() factory {
			return metadatainformer.NewSharedInformerFactory(newMetadata(t), 0)
		}, 2},
		{"metadata, of a namespace", func() factory {
			return metadatainformer.NewFilteredSharedInformerFactory(newMetadata(t), 0, "n", tweak)
		}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := tt.new()
				informer := f.ForResource(pods)
				if f.ForResource(pods).Informer() != informer.Informer() {
					t.Error("two informers of a resource")
				}
				stop := make(chan struct{})
				f.Start(stop)
				if synced := f.WaitForCacheSync(stop); !synced[pods] {
					t.Errorf("synced %v", synced)
				}
				if list, err := informer.Lister().List(labels.Everything()); err != nil || len(list) != tt.want {
					t.Errorf("%d objects, %v", len(list), err)
				}
				if _, err := informer.Lister().ByNamespace("n").Get("a"); err != nil {
					t.Error(err)
				}
				close(stop)
				f.Shutdown()
			})
		})
	}
}

func newMetadata(t *testing.T) *fake.FakeMetadataClient {
	t.Helper()
	s := fake.NewTestScheme()
	if err := metav1.AddMetaToScheme(s); err != nil {
		t.Fatal(err)
	}
	var all []runtime.Object
	for _, object := range objects() {
		pod := object.(*corev1.Pod)
		all = append(all, &metav1.PartialObjectMetadata{TypeMeta: pod.TypeMeta, ObjectMeta: pod.ObjectMeta})
	}
	return fake.NewSimpleMetadataClient(s, all...)
}

func TestInformers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, informer := range map[string]informers.GenericInformer{
			"dynamic": dynamicinformer.NewFilteredDynamicInformer(dynamicfake.NewSimpleDynamicClient(scheme.Scheme, objects()...), pods, "n", 0,
				cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}, nil),
			"metadata": metadatainformer.NewFilteredMetadataInformer(newMetadata(t), pods, "n", 0,
				cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}, nil),
		} {
			stop := make(chan struct{})
			done := make(chan struct{})
			go func() {
				defer close(done)
				informer.Informer().Run(stop)
			}()
			cache.WaitForCacheSync(stop, informer.Informer().HasSynced)
			if list, err := informer.Informer().GetIndexer().ByIndex(cache.NamespaceIndex, "n"); err != nil || len(list) != 1 {
				t.Errorf("%s: %v, %v", name, list, err)
			}
			close(stop)
			<-done
		}
	})
}
