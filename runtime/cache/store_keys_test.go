package cache_test

import (
	"errors"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/cache"
)

func named(namespace, name string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
}

func TestSplitMetaNamespaceKey(t *testing.T) {
	for _, tt := range []struct {
		key, namespace, name, err string
	}{
		{key: "", name: ""},
		{key: "name", name: "name"},
		{key: "space/name", namespace: "space", name: "name"},
		{key: "/name", name: "name"},
		{key: "space/", namespace: "space"},
		{key: "a/b/c", err: `unexpected key format: "a/b/c"`},
		{key: "//", err: `unexpected key format: "//"`},
	} {
		namespace, name, err := cache.SplitMetaNamespaceKey(tt.key)
		if namespace != tt.namespace || name != tt.name || (err == nil) != (tt.err == "") || err != nil && err.Error() != tt.err {
			t.Errorf("%q: got %q, %q, %v", tt.key, namespace, name, err)
		}
		parsed, parseErr := cache.ParseObjectName(tt.key)
		if parsed != cache.NewObjectName(namespace, name) || (parseErr == nil) != (err == nil) {
			t.Errorf("%q parsed: got %v, %v", tt.key, parsed, parseErr)
		}
	}
}

func TestObjectName(t *testing.T) {
	for _, tt := range []struct{ namespace, name, key string }{
		{"", "name", "name"},
		{"space", "name", "space/name"},
		{"space", "", "space/"},
	} {
		n := cache.NewObjectName(tt.namespace, tt.name)
		if got := n.String(); got != tt.key {
			t.Errorf("got key %q, want %q", got, tt.key)
		}
		if namespace, name := n.Parts(); namespace != tt.namespace || name != tt.name {
			t.Errorf("%s: got parts %q, %q", tt.key, namespace, name)
		}
		nn := n.AsNamespacedName()
		if nn.Namespace != tt.namespace || nn.Name != tt.name || cache.NamespacedNameAsObjectName(nn) != n {
			t.Errorf("%s: got %v", tt.key, nn)
		}
	}
}

func TestKeyFuncs(t *testing.T) {
	tombstone := cache.DeletedFinalStateUnknown{Key: "space/gone", Obj: named("space", "gone")}
	for _, tt := range []struct {
		name     string
		obj      any
		key      string // of MetaNamespaceKeyFunc, empty for an error
		deletion string // of DeletionHandlingMetaNamespaceKeyFunc
	}{
		{"namespaced", named("space", "name"), "space/name", "space/name"},
		{"cluster scope", named("", "name"), "name", "name"},
		{"explicit", cache.ExplicitKey("a/b"), "a/b", "a/b"},
		{"tombstone", tombstone, "", "space/gone"},
		{"no object", 1, "", ""},
		{"nil", nil, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if key, err := cache.MetaNamespaceKeyFunc(tt.obj); key != tt.key || (err == nil) != (tt.key != "") {
				t.Errorf("got %q, %v", key, err)
			}
			if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(tt.obj); key != tt.deletion || (err == nil) != (tt.deletion != "") {
				t.Errorf("got %q, %v for deletions", key, err)
			}
			if _, explicit := tt.obj.(cache.ExplicitKey); explicit {
				return
			}
			if name, err := cache.ObjectToName(tt.obj); name.String() != tt.key || (err == nil) != (tt.key != "") {
				t.Errorf("got name %v, %v", name, err)
			}
			if name, err := cache.DeletionHandlingObjectToName(tt.obj); name.String() != tt.deletion || (err == nil) != (tt.deletion != "") {
				t.Errorf("got name %v, %v for deletions", name, err)
			}
		})
	}
}

func TestKeyError(t *testing.T) {
	cause := errors.New("no key today")
	store := cache.NewStore(func(any) (string, error) { return "", cause })
	_, _, getErr := store.Get(1)
	for name, err := range map[string]error{
		"Add": store.Add(1), "Update": store.Update(1), "Delete": store.Delete(1),
		"Replace": store.Replace([]any{1}, ""), "Get": getErr,
	} {
		var keyErr cache.KeyError
		if !errors.As(err, &keyErr) || keyErr.Obj != 1 || !errors.Is(err, cause) {
			t.Errorf("%s: got %v", name, err)
		}
		if want := "couldn't create key for object 1: no key today"; err.Error() != want {
			t.Errorf("%s: got %q", name, err)
		}
	}
}

func FuzzKeys(f *testing.F) {
	for _, key := range []string{"", "a", "a/b", "/a", "a/", "a/b/c", "//", "/a/b"} {
		f.Add(key)
	}
	f.Fuzz(func(t *testing.T, key string) {
		if name, err := cache.ParseObjectName(key); err == nil && key != "/"+name.Name && name.String() != key {
			t.Errorf("%q is parsed as %#v", key, name)
		}
		// Whatever a key looks like, an object added under it is found by it.
		store := cache.NewStore(cache.MetaNamespaceKeyFunc)
		if err := store.Add(cache.ExplicitKey(key)); err != nil {
			t.Fatal(err)
		}
		if got := store.ListKeys(); len(got) != 1 || got[0] != key {
			t.Errorf("%q is listed as %q", key, got)
		}
		if _, exists, _ := store.GetByKey(key); !exists {
			t.Errorf("%q is not found", key)
		}
		if err := store.Delete(cache.ExplicitKey(key)); err != nil || len(store.List()) != 0 {
			t.Errorf("%q is not deleted: %v", key, err)
		}
	})
}
