package cache_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/sets"
	testingclock "k8s.io/utils/clock/testing"

	"github.com/listwatch/listwatch/runtime/cache"
)

func TestTTLStore(t *testing.T) {
	clock := testingclock.NewFakeClock(time.Unix(1000, 0))
	deleted := make(chan string, 10)
	store := cache.NewFakeExpirationStore(cache.MetaNamespaceKeyFunc, deleted, &cache.TTLPolicy{TTL: 10 * time.Second, Clock: clock}, clock)
	check := func(step string, want string, wantDeleted ...string) {
		t.Helper()
		var got []string
		for _, obj := range store.List() {
			key, _ := cache.MetaNamespaceKeyFunc(obj)
			got = append(got, key+" "+obj.(*ship).Labels["color"])
		}
		slices.Sort(got)
		if g := strings.Join(got, ", "); g != want {
			t.Errorf("%s: list %q, want %q", step, g, want)
		}
		var gone []string
		for len(deleted) > 0 {
			gone = append(gone, <-deleted)
		}
		slices.Sort(gone)
		if !slices.Equal(gone, wantDeleted) {
			t.Errorf("%s: expired %q, want %q", step, gone, wantDeleted)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(store.Add(newShip("bay/a", "red")))
	clock.Step(5 * time.Second)
	must(store.Add(newShip("bay/b", "red")))
	check("young", "bay/a red, bay/b red")
	clock.Step(5 * time.Second)
	check("as old as the TTL", "bay/a red, bay/b red")
	must(store.Update(newShip("bay/b", "blue")))
	clock.Step(time.Second)
	if keys := store.ListKeys(); len(keys) != 2 {
		t.Errorf("keys %q, want both", keys)
	}
	if _, exists, err := store.Get(newShip("bay/a", "red")); exists || err != nil {
		t.Errorf("an expired object exists: %v, %v", exists, err)
	}
	if obj, exists, err := store.GetByKey("bay/b"); !exists || err != nil || obj.(*ship).Labels["color"] != "blue" {
		t.Errorf("got %v, %v, %v", obj, exists, err)
	}
	check("one has expired", "bay/b blue", "bay/a")
	must(store.Delete(newShip("bay/b", "blue")))
	check("deleted", "")
	must(store.Replace([]any{newShip("bay/c", "red"), newShip("bay/d", "red")}, "7"))
	if rv := store.LastStoreSyncResourceVersion(); rv != "7" {
		t.Errorf("resource version %q", rv)
	}
	store.Bookmark("8")
	if rv := store.LastStoreSyncResourceVersion(); rv != "8" {
		t.Errorf("resource version %q", rv)
	}
	check("replaced", "bay/c red, bay/d red")
	clock.Step(time.Hour)
	must(store.Resync())
	check("all have expired", "", "bay/c", "bay/d")

	var keyError cache.KeyError
	_, _, getError := store.Get("no object")
	for name, err := range map[string]error{
		"Add": store.Add("no object"), "Update": store.Update("no object"), "Delete": store.Delete("no object"),
		"Replace": store.Replace([]any{"no object"}, "9"), "Get": getError,
	} {
		if !errors.As(err, &keyError) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if rv := store.LastStoreSyncResourceVersion(); rv != "8" {
		t.Errorf("a failed Replace left the resource version %q", rv)
	}
}

func TestExpirationPolicies(t *testing.T) {
	keyOf := func(obj any) (string, error) {
		return cache.MetaNamespaceKeyFunc(obj.(*cache.TimestampedEntry).Obj)
	}
	for _, test := range []struct {
		name  string
		store cache.Store
		want  int
	}{
		{"no TTL", cache.NewTTLStore(cache.MetaNamespaceKeyFunc, 0), 2},
		{"a long TTL", cache.NewTTLStore(cache.MetaNamespaceKeyFunc, time.Hour), 2},
		{"all but one key", cache.NewExpirationStore(cache.MetaNamespaceKeyFunc, &cache.FakeExpirationPolicy{NeverExpire: sets.New("bay/b"), RetrieveKeyFunc: keyOf}), 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, key := range []string{"bay/a", "bay/b"} {
				if err := test.store.Add(newShip(key, "red")); err != nil {
					t.Fatal(err)
				}
			}
			if got := len(test.store.List()); got != test.want {
				t.Errorf("%d objects, want %d", got, test.want)
			}
		})
	}
}

func TestFakeCustomStore(t *testing.T) {
	use := func(s cache.Store) (results string) {
		item, exists, err := s.Get(1)
		byKey, existsByKey, errByKey := s.GetByKey("k")
		s.Bookmark("3")
		return fmt.Sprintln(s.Add(1), s.Update(1), s.Delete(1), s.List(), s.ListKeys(), item, exists, err, byKey, existsByKey, errByKey,
			s.Replace(nil, "1"), s.Resync(), s.LastStoreSyncResourceVersion())
	}
	if got, want := use(&cache.FakeCustomStore{}), "<nil> <nil> <nil> [] [] <nil> false <nil> <nil> false <nil> <nil> <nil>"; strings.TrimSpace(got) != want {
		t.Errorf("without functions: %q, want %q", got, want)
	}
	fail := func(name string) func(any) error { return func(any) error { return errors.New(name) } }
	bookmark := ""
	got := use(&cache.FakeCustomStore{
		AddFunc: fail("add"), UpdateFunc: fail("update"), DeleteFunc: fail("delete"),
		ListFunc: func() []any { return []any{"list"} }, ListKeysFunc: func() []string { return []string{"keys"} },
		GetFunc:                          func(any) (any, bool, error) { return "get", true, nil },
		GetByKeyFunc:                     func(string) (any, bool, error) { return "byKey", true, nil },
		ReplaceFunc:                      func([]any, string) error { return errors.New("replace") },
		ResyncFunc:                       func() error { return errors.New("resync") },
		BookmarkFunc:                     func(rv string) { bookmark = rv },
		LastStoreSyncResourceVersionFunc: func() string { return "version" },
	})
	if want := "add update delete [list] [keys] get true <nil> byKey true <nil> replace resync version"; strings.Join(strings.Fields(got), " ") != want || bookmark != "3" {
		t.Errorf("with functions: %q and bookmark %q, want %q", got, bookmark, want)
	}
}
