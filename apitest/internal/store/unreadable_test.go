package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/apis/example"
	"k8s.io/apiserver/pkg/storage"

	"github.com/listwatch/listwatch/apitest/internal/store"
)

// failing is a codec that cannot decode objects with a text in them.
type failing struct {
	runtime.Codec
	text     string
	repaired *atomic.Bool // it can
}

var errUnreadable = errors.New("unreadable")

func (f failing) Decode(data []byte, kind *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	if !f.repaired.Load() && bytes.Contains(data, []byte(f.text)) {
		return nil, nil, errUnreadable
	}
	return f.Codec.Decode(data, kind, into)
}

// openFailing opens the pods of a backend once more.
func openFailing(t *testing.T, b *store.Backend, text string) (s storage.Interface, repaired *atomic.Bool) {
	t.Helper()
	repaired = &atomic.Bool{}
	return open(t, b, pods, failing{podCodec(), text, repaired}), repaired
}

// isUnready reports whether an error is that of a server whose watch cache is not filled.
func isUnready(err error) bool {
	return apierrors.IsTooManyRequests(err) && strings.HasPrefix(err.Error(), "storage is (re)initializing: failed to list <unspecified>: failed to read one or more pods")
}

func TestUnreadable(t *testing.T) {
	s, b := newPods(t)
	created := add(t, s, "a")
	add(t, s, "bad")
	bad, repaired := openFailing(t, b, `"bad"`)
	expect(t, begin(t, bad, 0), "ADDED a", "end")
	if err := bad.Get(t.Context(), podKey("bad"), storage.GetOptions{}, &example.Pod{}); !storage.IsCorruptObject(err) {
		t.Errorf("get: %v", err)
	}
	update := func(runtime.Object, storage.ResponseMeta) (runtime.Object, *uint64, error) { return nil, nil, nil }
	err := bad.GuaranteedUpdate(t.Context(), podKey("bad"), &example.Pod{}, false, nil, update, nil)
	if err == nil || !strings.HasPrefix(err.Error(), "object not decodable revision=") || !errors.Is(err, errUnreadable) {
		t.Errorf("update: %v", err)
	}

	// The watch cache cannot be filled.
	if err = bad.GetList(t.Context(), "/pods", everything, &example.PodList{}); !isUnready(err) {
		t.Errorf("list: %v", err)
	}
	future := everything
	future.ResourceVersion = "99999"
	if err = bad.GetList(t.Context(), "/pods", future, &example.PodList{}); !isUnready(err) {
		t.Errorf("list of the future: %v", err)
	}
	if _, err = bad.Watch(t.Context(), "/pods", everything); !isUnready(err) {
		t.Errorf("watch: %v", err)
	}

	// A page is read from the storage, up to its limit.
	page := everything
	page.Predicate.Limit = 1
	list := &example.PodList{}
	if err = bad.GetList(t.Context(), "/pods", page, list); err != nil || len(list.Items) != 1 || list.Items[0].ResourceVersion != created.ResourceVersion {
		t.Errorf("page: %v, %v", list.Items, err)
	}
	page.Predicate.Limit = 2
	err = bad.GetList(t.Context(), "/pods", page, list)
	if !apierrors.IsStoreReadError(err) {
		t.Fatalf("longer page: %v", err)
	}
	cause := err.(apierrors.APIStatus).Status().Details.Causes
	if len(cause) != 1 || cause[0].Field != "/registry"+podKey("bad") {
		t.Errorf("causes %v", cause)
	}
	selected := page
	selected.Predicate.Label = labels.SelectorFromSet(labels.Set{"x": "y"})
	if err := bad.GetList(t.Context(), "/pods", selected, list); !isUnready(err) {
		t.Errorf("page with a selector: %v", err)
	}

	// Everything can be read again without a write.
	repaired.Store(true)
	if err := bad.GetList(t.Context(), "/pods", everything, list); err != nil || len(list.Items) != 2 {
		t.Errorf("after the repair: %v, %v", list.Items, err)
	}
}

// An object that cannot be read does not matter when it is deleted, or replaced by another.
func TestUnreadableEnds(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, s storage.Interface){
		"deleted": func(t *testing.T, s storage.Interface) {
			t.Helper()
			if err := s.Delete(t.Context(), podKey("bad"), &example.Pod{}, nil, storage.ValidateAllObjectFunc, nil, storage.DeleteOptions{}); err != nil {
				t.Fatal(err)
			}
		},
		"replaced": func(t *testing.T, s storage.Interface) {
			t.Helper()
			update := func(obj runtime.Object, _ storage.ResponseMeta) (runtime.Object, *uint64, error) {
				obj.(*example.Pod).Labels = nil
				return obj, nil, nil
			}
			if err := s.GuaranteedUpdate(t.Context(), podKey("bad"), &example.Pod{}, false, nil, update, nil); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, b := newPods(t)
			pod := &example.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "bad", Labels: map[string]string{"un": "readable"}}}
			if err := s.Create(t.Context(), podKey("bad"), pod, nil, 0); err != nil {
				t.Fatal(err)
			}
			bad, _ := openFailing(t, b, `"readable"`)
			if err := bad.GetList(t.Context(), "/pods", everything, &example.PodList{}); err == nil {
				t.Fatal("the object can be read")
			}
			end(t, s)
			if err := bad.GetList(t.Context(), "/pods", everything, &example.PodList{}); err != nil {
				t.Error(err)
			}
		})
	}
}

// A list names at most a hundred objects that it cannot read.
func TestManyUnreadable(t *testing.T) {
	s, b := newPods(t)
	for i := range 101 {
		add(t, s, fmt.Sprintf("p%03d", i))
	}
	bad, _ := openFailing(t, b, "p")
	page := everything
	page.Predicate.Limit = 500
	err := bad.GetList(t.Context(), "/pods", page, &example.PodList{})
	if !apierrors.IsStoreReadError(err) || !strings.HasSuffix(err.Error(), "(and 99 more)") {
		t.Fatal(err)
	}
	causes := err.(apierrors.APIStatus).Status().Details.Causes
	if n := len(causes); n != 101 || causes[100].Type != metav1.CauseTypeTooMany {
		t.Errorf("%d causes, the last %v", n, causes[n-1])
	}
}

// Custom resources that are stored in another version are examined before the first list or watch, also of others.
func TestUnreadableElsewhere(t *testing.T) {
	b := store.NewBackend(store.Options{})
	openThings := func(version string, codec runtime.Codec) storage.Interface {
		opts, err := b.RESTOptions(codec).GetRESTOptions(schema.GroupResource{Group: "example.com", Resource: "things"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, destroy, err := opts.Decorator(opts.StorageConfig, opts.ResourcePrefix, nil, func() runtime.Object {
			return &unstructured.Unstructured{Object: map[string]any{"apiVersion": "example.com/" + version, "kind": "Thing"}}
		}, func() runtime.Object { return &unstructured.UnstructuredList{} },
			func(runtime.Object) (labels.Set, fields.Set, error) { return nil, nil, nil }, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(destroy)
		return s
	}
	old := openThings("v1", unstructured.UnstructuredJSONScheme)
	for _, key := range []string{"/example.com/things/a/one", "/example.com/things/b/two"} {
		object := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Thing", "metadata": map[string]any{"name": "x"}}}
		if err := old.Create(t.Context(), key, object, nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	newer := openThings("v2", failing{unstructured.UnstructuredJSONScheme, "v1", &atomic.Bool{}})
	from := storage.ListOptions{Predicate: storage.Everything, Recursive: true, ResourceVersion: fmt.Sprint(b.ResourceVersion())}
	if _, err := newer.Watch(t.Context(), "/example.com/things/c", from); !apierrors.IsTooManyRequests(err) {
		t.Errorf("watch: %v", err)
	}
	list := &unstructured.UnstructuredList{}
	if err := newer.GetList(t.Context(), "/example.com/things/c", everything, list); !apierrors.IsTooManyRequests(err) {
		t.Errorf("list: %v", err)
	}
	if err := old.GetList(t.Context(), "/example.com/things/a", everything, list); err != nil || len(list.Items) != 1 {
		t.Errorf("list in the other version: %v, %v", list.Items, err)
	}
}
