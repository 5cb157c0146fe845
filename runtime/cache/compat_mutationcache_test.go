package cache_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/cache"
)

// revision returns an object "x" with a UID and a resource version, written "uid@2".
func revision(uid, rv string) *metav1.PartialObjectMetadata {
	obj := versioned("", "x", rv)
	obj.UID = types.UID(uid)
	return obj
}

func TestMutationCache(t *testing.T) {
	type stepper struct {
		cache.MutationCache
		store cache.Indexer
	}
	held := func(uid, rv string) func(stepper) {
		return func(s stepper) { _ = s.store.Add(revision(uid, rv)) }
	}
	gone := func(s stepper) { _ = s.store.Delete(revision("", "")) }
	wrote := func(uid, rv string) func(stepper) {
		return func(s stepper) { s.Mutation(revision(uid, rv)) }
	}
	seen := func(uid, rv string) func(stepper) {
		return func(s stepper) { s.OnAddOrUpdate(revision(uid, rv)) }
	}
	deleted := func(uid, rv string) func(stepper) {
		return func(s stepper) { s.OnDelete(revision(uid, rv)) }
	}
	type steps []func(stepper)
	for _, tt := range []struct {
		name    string
		steps   steps
		want    string // the resource version that is returned, empty for nothing
		addOnly string // the same with IncludeAdds, if it differs
	}{
		{name: "nothing"},
		{name: "held only", steps: steps{held("u", "1")}, want: "1"},
		{name: "written later", steps: steps{held("u", "1"), wrote("u", "2")}, want: "2"},
		{name: "written earlier", steps: steps{held("u", "3"), wrote("u", "2")}, want: "3"},
		{name: "numbers, not strings", steps: steps{held("u", "9"), wrote("u", "10")}, want: "10"},
		{name: "late news of an older write", steps: steps{held("u", "1"), wrote("u", "3"), wrote("u", "2")}, want: "3"},
		{name: "cannot be compared", steps: steps{held("u", "1"), wrote("u", "two")}, want: "1"},
		{name: "held without a version", steps: steps{held("u", ""), wrote("u", "1")}, want: "1"},
		{name: "held with version 0", steps: steps{held("u", "0"), wrote("u", "1")}, want: "1"},
		{name: "held without a version, cannot be compared", steps: steps{held("u", "0"), wrote("u", "two")}, want: "0"},
		{name: "written without a version", steps: steps{held("u", "1"), wrote("u", "")}, want: "1"},
		{name: "written without a version after another", steps: steps{held("u", ""), wrote("u", "1"), wrote("u", "")}, want: "1"},
		{name: "both without a version", steps: steps{held("u", "0"), wrote("u", "")}, want: "0"},
		{name: "not caught up without a version", steps: steps{wrote("u", "1"), seen("u", "")}, addOnly: "1"},
		{name: "not stored yet", steps: steps{wrote("u", "2")}, addOnly: "2"},
		{name: "caught up", steps: steps{wrote("u", "2"), seen("u", "2")}},
		{name: "overtaken", steps: steps{wrote("u", "2"), seen("u", "3")}},
		{name: "not caught up", steps: steps{wrote("u", "2"), seen("u", "1")}, addOnly: "2"},
		{name: "stored but not caught up", steps: steps{wrote("u", "2"), seen("u", "1"), held("u", "1")}, want: "2"},
		{name: "stored and caught up", steps: steps{wrote("u", "2"), seen("u", "2"), held("u", "1")}, want: "1"},
		{name: "deleted", steps: steps{held("u", "2"), wrote("u", "3"), gone, deleted("u", "1")}},
		{name: "another was deleted before", steps: steps{held("u", "2"), wrote("u", "3"), gone, deleted("other", "1")}, addOnly: "3"},
		{name: "another was deleted after", steps: steps{held("u", "2"), wrote("u", "3"), gone, deleted("other", "4")}},
		{name: "news of the write after the deletion", steps: steps{seen("u", "2"), deleted("u", "2"), wrote("u", "2")}},
		{name: "news of a later write after the deletion", steps: steps{deleted("u", "2"), wrote("u", "3")}},
		{name: "created again", steps: steps{deleted("u", "2"), wrote("new", "3")}, addOnly: "3"},
		{name: "news of the write after another was created", steps: steps{deleted("u", "2"), held("new", "3"), seen("new", "3"), wrote("u", "2")}, want: "3"},
		{name: "stored although deleted later", steps: steps{held("u", "2"), deleted("u", "3")}, want: "2"},
	} {
		for _, adds := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%v", tt.name, adds), func(t *testing.T) {
				want := tt.want
				if adds && tt.addOnly != "" {
					want = tt.addOnly
				}
				store := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
				mutations := cache.NewIntegerResourceVersionMutationCache(klog.Background(), store, store, time.Hour, adds)
				for _, step := range tt.steps {
					step(stepper{mutations, store})
				}
				indexed, err := mutations.ByIndex(cache.NamespaceIndex, "")
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, obj := range indexed {
					got = append(got, obj.(*metav1.PartialObjectMetadata).ResourceVersion)
				}
				if want == "" && len(got) != 0 || want != "" && !slices.Equal(got, []string{want}) {
					t.Errorf("by index: %v, want %s", got, want)
				}
				obj, exists, err := mutations.GetByKey("x")
				if err != nil || exists != (want != "") {
					t.Fatalf("got %v, %v, %v, want %s", obj, exists, err, want)
				}
				if exists && obj.(*metav1.PartialObjectMetadata).ResourceVersion != want {
					t.Errorf("got %v, want %s", obj, want)
				}
			})
		}
	}
}

func TestMutationCacheForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := cache.NewStore(cache.MetaNamespaceKeyFunc)
		mutations := cache.NewIntegerResourceVersionMutationCacheWithOptions(klog.Background(), store, cache.MutationCacheOptions{
			IncludeAdds:  true,
			MaxCacheSize: 2,
		})
		shown := func() (keys []string) {
			for _, key := range []string{"a", "b", "c"} {
				if _, exists, _ := mutations.GetByKey(key); exists {
					keys = append(keys, key)
				}
			}
			return keys
		}
		for _, name := range []string{"a", "b", "c"} {
			mutations.Mutation(versioned("", name, "1"))
		}
		if got := shown(); !slices.Equal(got, []string{"b", "c"}) {
			t.Errorf("beyond the size: %v", got)
		}
		time.Sleep(5*time.Minute + time.Second)
		if got := shown(); got != nil {
			t.Errorf("beyond the time: %v", got)
		}
		if _, err := mutations.ByIndex(cache.NamespaceIndex, ""); err == nil {
			t.Error("no error without an indexer")
		}
	})
}
