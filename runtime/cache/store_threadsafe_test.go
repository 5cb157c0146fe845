package cache_test

import (
	"slices"
	"testing"

	"github.com/listwatch/listwatch/runtime/cache"
)

func TestThreadSafeStore(t *testing.T) {
	store := cache.NewThreadSafeStore(cache.Indexers{"value": func(obj any) ([]string, error) { return []string{obj.(string)}, nil }}, cache.Indices{})
	expect := func(what string, keys, values []string) {
		t.Helper()
		if got := slices.Sorted(slices.Values(store.ListKeys())); !slices.Equal(got, keys) {
			t.Errorf("%s: keys %q, want %q", what, got, keys)
		}
		if got := slices.Sorted(slices.Values(store.ListIndexFuncValues("value"))); !slices.Equal(got, values) {
			t.Errorf("%s: values %q, want %q", what, got, values)
		}
	}
	store.Add("a/b/c", "x")
	store.Update("", "y")
	store.Add("nil", nil)
	expect("added", []string{"", "a/b/c", "nil"}, []string{"x", "y"})
	if got, exists := store.Get("a/b/c"); got != "x" || !exists {
		t.Errorf("got %v, %v", got, exists)
	}
	if keys, err := store.IndexKeys("value", "x"); !slices.Equal(keys, []string{"a/b/c"}) || err != nil {
		t.Errorf("got %v, %v", keys, err)
	}
	store.Bookmark("1")
	store.Delete("a/b/c")
	store.Delete("not there")
	expect("deleted", []string{"", "nil"}, []string{"y"})
	store.DeleteWithObject("", versioned("", "", "2"))
	expect("deleted with object", []string{"nil"}, []string{})
	if got := store.LastStoreSyncResourceVersion(); got != "2" {
		t.Errorf("as of %q", got)
	}
	store.Replace(map[string]any{"k": "v", "l": "v"}, "3")
	expect("replaced", []string{"k", "l"}, []string{"v"})
	store.(cache.ThreadSafeStoreWithTransaction).Transaction(
		cache.ThreadSafeStoreTransaction{Key: "k", Transaction: cache.Transaction{Type: cache.TransactionTypeDelete}},
		cache.ThreadSafeStoreTransaction{Key: "l", Transaction: cache.Transaction{Type: cache.TransactionTypeUpdate, Object: "w"}},
		cache.ThreadSafeStoreTransaction{Key: "m", Transaction: cache.Transaction{Type: cache.TransactionTypeAdd, Object: "z"}},
		cache.ThreadSafeStoreTransaction{Key: "l", Transaction: cache.Transaction{Type: "Explode"}},
	)
	expect("transaction", []string{"l", "m"}, []string{"w", "z"})
	if err := store.AddIndexers(cache.Indexers{"value": nil}); err == nil {
		t.Error("no error for an index that exists")
	}
}
