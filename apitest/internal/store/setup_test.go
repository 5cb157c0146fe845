package store_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/listwatch/listwatch/apitest/internal/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/rand"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apiserver/pkg/apis/example"
	examplev1 "k8s.io/apiserver/pkg/apis/example/v1"
	"k8s.io/apiserver/pkg/storage"
	storagetesting "k8s.io/apiserver/pkg/storage/testing"
	"k8s.io/apiserver/pkg/storage/value"
)

var (
	scheme = runtime.NewScheme()
	codecs = serializer.NewCodecFactory(scheme)
)

func init() {
	metav1.AddToGroupVersion(scheme, metav1.SchemeGroupVersion)
	utilruntime.Must(example.AddToScheme(scheme))
	utilruntime.Must(examplev1.AddToScheme(scheme))
}

var pods = schema.GroupResource{Resource: "pods"}

// open opens a resource whose objects are example pods.
func open(t testing.TB, b *store.Backend, resource schema.GroupResource, codec runtime.Codec) storage.Interface {
	t.Helper()
	opts, err := b.RESTOptions(codec).GetRESTOptions(resource, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, destroy, err := opts.Decorator(opts.StorageConfig, opts.ResourcePrefix, nil,
		func() runtime.Object { return &example.Pod{} }, func() runtime.Object { return &example.PodList{} },
		podAttrs, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(destroy)
	return s
}

func podAttrs(obj runtime.Object) (labels.Set, fields.Set, error) {
	pod := obj.(*example.Pod)
	return pod.Labels, fields.Set{
		"metadata.name":      pod.Name,
		"metadata.namespace": pod.Namespace,
		"spec.nodeName":      pod.Spec.NodeName,
	}, nil
}

func podCodec() runtime.Codec { return codecs.LegacyCodec(examplev1.SchemeGroupVersion) }

// newPods opens the pods of a new backend.
func newPods(t testing.TB) (storage.Interface, *store.Backend) {
	t.Helper()
	b := store.NewBackend(store.Options{})
	return open(t, b, pods, podCodec()), b
}

// compact discards everything before a version, and writes, like compaction in etcd.
func compact(t testing.TB, b *store.Backend) storagetesting.Compaction {
	write := increaseRV(t, b)
	return func(ctx context.Context, t *testing.T, resourceVersion string) {
		t.Helper()
		version, err := strconv.ParseUint(resourceVersion, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		store.ExpireHistoryUpTo(b, version)
		write(ctx, t)
	}
}

// increaseRV writes to another resource of the backend.
func increaseRV(t testing.TB, b *store.Backend) storagetesting.IncreaseRVFunc {
	prefix := rand.String(8)
	others := open(t, b, schema.GroupResource{Group: "example.com", Resource: "others"}, podCodec())
	n := 0
	return func(ctx context.Context, t *testing.T) int64 {
		t.Helper()
		n++
		name := fmt.Sprintf("%s-%d", prefix, n)
		if err := others.Create(ctx, "/example.com/others/"+name, &example.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}}, nil, 0); err != nil {
			t.Fatal(err)
		}
		return int64(b.ResourceVersion())
	}
}

// transformed is a codec whose encoded form is changed by a transformer, like encryption in a
// server.
type transformed struct {
	runtime.Codec
	transformer atomic.Pointer[value.Transformer]
}

func newTransformed() *transformed {
	c := &transformed{Codec: podCodec()}
	var tr value.Transformer = storagetesting.NewPrefixTransformer([]byte("test!"), false)
	c.transformer.Store(&tr)
	return c
}

func (c *transformed) Encode(obj runtime.Object, w io.Writer) error {
	var plain bytes.Buffer
	if err := c.Codec.Encode(obj, &plain); err != nil {
		return err
	}
	data, err := (*c.transformer.Load()).TransformToStorage(context.Background(), plain.Bytes(), value.DefaultContext{})
	if err != nil {
		return storage.NewInternalError(err)
	}
	_, err = w.Write(data)
	return err
}

func (c *transformed) Decode(data []byte, defaults *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	plain, _, err := (*c.transformer.Load()).TransformFromStorage(context.Background(), data, value.DefaultContext{})
	if err != nil {
		return nil, nil, storage.NewInternalError(err)
	}
	return c.Codec.Decode(plain, defaults, into)
}

// withTransformer is a storage whose transformer is changed by tests.
type withTransformer struct {
	storage.Interface
	codec *transformed
}

func newPodsWithTransformer(t testing.TB) withTransformer {
	c := newTransformed()
	return withTransformer{open(t, store.NewBackend(store.Options{}), pods, c), c}
}

func (s withTransformer) UpdatePrefixTransformer(modify storagetesting.PrefixTransformerModifier) func() {
	was := s.codec.transformer.Load()
	is := modify(storagetesting.NewPrefixTransformer([]byte("test!"), false))
	s.codec.transformer.Store(&is)
	return func() { s.codec.transformer.Store(was) }
}
