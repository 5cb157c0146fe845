package deltaqueue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// nameOf returns the name in an object's metadata.
func nameOf(obj any) (delta.Name, error) {
	m := delta.MetadataOf(obj)
	if m == nil {
		return delta.Name{}, fmt.Errorf("no name for %T", obj)
	}
	return delta.NameOf(m), nil
}

// tombstone is a deleted object of which only the key is known.
type tombstone struct{ key string }

func tombstoneKey(obj any) (string, bool) {
	t, ok := obj.(tombstone)
	return t.key, ok
}

// boat is an object with a UID and a resource version.
func boat(namespace, name, uid, rv string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
		Namespace: namespace, Name: name, UID: types.UID(uid), ResourceVersion: rv,
	}}
}

func TestQueueKeepsOrderAcrossChunks(t *testing.T) {
	q := New(Options{Name: nameOf, TombstoneKey: tombstoneKey})
	s := q.Source(0, delta.Scope{})
	const count = 3*ChunkSize + 7
	for i := range count {
		if err := s.Update(boat("", fmt.Sprint(i), "", fmt.Sprint(i+1))); err != nil {
			t.Fatal(err)
		}
	}
	if got := q.Len(); got != count {
		t.Errorf("len = %d, want %d", got, count)
	}
	q.Close(false)
	next := 0
	for {
		changes, ok := q.Pop(context.Background())
		if !ok {
			break
		}
		if len(changes) == 0 || len(changes) > ChunkSize {
			t.Errorf("%d deltas at once", len(changes))
		}
		for _, c := range changes {
			if c.Kind != delta.Set || c.Name.Name != fmt.Sprint(next) || c.RV != fmt.Sprint(next+1) {
				t.Fatalf("change %d is %v at %s", next, c.Name, c.RV)
			}
			next++
		}
		if got := q.Len(); got != count-next {
			t.Errorf("len = %d after %d of %d", got, next, count)
		}
	}
	if next != count {
		t.Errorf("%d changes, want %d", next, count)
	}
}

func TestQueueGivesAwayItsSlices(t *testing.T) {
	q := New(Options{Name: nameOf, TombstoneKey: tombstoneKey})
	s := q.Source(0, delta.Scope{})
	put := func(name string) []delta.Delta {
		if err := s.Add(boat("", name, "", "1")); err != nil {
			t.Fatal(err)
		}
		changes, _ := q.Pop(context.Background())
		return changes
	}
	first := put("a")
	put("b")
	if len(first) != 1 || first[0].Name.Name != "a" {
		t.Errorf("the chunk taken out first is now %v", first)
	}
}

func TestQueueTells(t *testing.T) {
	q := New(Options{Name: nameOf, TombstoneKey: tombstoneKey, Sources: 2})
	obj := boat("north", "a", "", "5")
	gone := tombstone{key: "north/b"}
	s := q.Source(1, delta.Scope{Namespace: "north"})
	if err := errors.Join(s.Add(obj), s.Update(obj), s.Delete(obj), s.Delete(gone), s.Bookmark("9"), s.Resync()); err != nil {
		t.Fatal(err)
	}
	name := delta.Name{Namespace: "north", Name: "a"}
	want := []delta.Delta{
		{Kind: delta.Set, Added: true, Source: 1, Name: name, RV: "5", Object: obj},
		{Kind: delta.Set, Source: 1, Name: name, RV: "5", Object: obj},
		{Kind: delta.Delete, Source: 1, Name: name, RV: "5", Object: obj},
		{Kind: delta.Delete, Source: 1, Name: delta.Name{Namespace: "north", Name: "b"}, Object: gone},
		{Kind: delta.Bookmark, Source: 1, RV: "9"},
	}
	got, _ := q.Pop(context.Background())
	if len(got) != len(want) {
		t.Fatalf("%d changes, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("change %d = %+v, want %+v", i, got[i], want[i])
		}
	}
}

func TestQueueWaits(t *testing.T) {
	pop := func(t *testing.T, q *Queue, ctx context.Context) <-chan bool {
		popped := make(chan bool, 1)
		go func() {
			_, ok := q.Pop(ctx)
			popped <- ok
		}()
		synctest.Wait()
		select {
		case <-popped:
			t.Fatal("Pop did not wait")
		default:
		}
		return popped
	}
	cases := map[string]struct {
		then func(q *Queue, cancel func())
		want bool
	}{
		"for a change":   {func(q *Queue, _ func()) { _ = q.Source(0, delta.Scope{}).Bookmark("1") }, true},
		"until closed":   {func(q *Queue, _ func()) { q.Close(false) }, false},
		"until dropped":  {func(q *Queue, _ func()) { q.Close(true) }, false},
		"until the end":  {func(_ *Queue, cancel func()) { cancel() }, false},
		"not for a lock": {func(q *Queue, _ func()) { q.Len(); q.Close(false) }, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				q := New(Options{Name: nameOf, TombstoneKey: tombstoneKey})
				popped := pop(t, q, ctx)
				c.then(q, cancel)
				if got := <-popped; got != c.want {
					t.Errorf("Pop = %t, want %t", got, c.want)
				}
			})
		})
	}
	t.Run("also after an early change", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			q := New(Options{Name: nameOf, TombstoneKey: tombstoneKey})
			s := q.Source(0, delta.Scope{})
			for range 3 {
				if err := s.Bookmark("1"); err != nil {
					t.Fatal(err)
				}
			}
			q.Pop(context.Background())
			popped := pop(t, q, t.Context())
			q.Close(false)
			<-popped
		})
	})
}

func TestQueueDropsWhenTold(t *testing.T) {
	for _, late := range []bool{false, true} {
		q := New(Options{Name: nameOf, TombstoneKey: tombstoneKey})
		if err := q.Source(0, delta.Scope{}).Bookmark("1"); err != nil {
			t.Fatal(err)
		}
		if late {
			q.Close(false)
		}
		q.Close(true)
		if changes, ok := q.Pop(context.Background()); ok {
			t.Errorf("Pop = %v after dropping", changes)
		}
		if got := q.Len(); got != 0 {
			t.Errorf("len = %d after dropping", got)
		}
	}
}

func TestListIsQueuedAsOne(t *testing.T) {
	q := New(Options{Name: nameOf, TombstoneKey: tombstoneKey})
	s := q.Source(0, delta.Scope{})
	r := s.StartList(2)
	for _, obj := range []any{boat("n", "a", "1", "3"), boat("n", "b", "2", "4")} {
		if err := r.Add(obj); err != nil {
			t.Fatal(err)
		}
	}
	r.Keep(delta.Name{Namespace: "n", Name: "c"})
	if got := q.Len(); got != 0 {
		t.Errorf("len = %d before commit", got)
	}
	if err := r.Commit("7"); err != nil {
		t.Fatal(err)
	}
	if got := q.Len(); got != 3 {
		t.Errorf("len = %d, want 3", got)
	}
	changes, _ := q.Pop(context.Background())
	if len(changes) != 1 || changes[0].Kind != delta.ReplaceAll || changes[0].RV != "7" {
		t.Fatalf("changes = %+v", changes)
	}
	items := slices.Concat(changes[0].List.Items...)
	if len(items) != 3 || items[0].RV != "3" || items[1].Name.Name != "b" || !items[2].Keep || items[2].Object != nil {
		t.Errorf("items = %+v", items)
	}
	if got := q.Len(); got != 0 {
		t.Errorf("len = %d after Pop", got)
	}
}

func TestListCountsTheLastOfEachObject(t *testing.T) {
	add := func(name, rv string) func(r *List) error {
		return func(r *List) error { return r.Add(boat("n", name, "u", rv)) }
	}
	does := func(do func(r *List)) func(r *List) error {
		return func(r *List) error { do(r); return nil }
	}
	drop := does(func(r *List) { r.Drop(delta.Name{Namespace: "n", Name: "a"}) })
	keep := does(func(r *List) { r.Keep(delta.Name{Namespace: "n", Name: "a"}) })
	cases := map[string]struct {
		steps []func(r *List) error
		want  []string
	}{
		"in order":            {[]func(r *List) error{add("a", "1"), add("b", "1"), add("c", "1")}, []string{"a1", "b1", "c1"}},
		"out of order":        {[]func(r *List) error{add("c", "1"), add("a", "1"), add("b", "1")}, []string{"c1", "a1", "b1"}},
		"again":               {[]func(r *List) error{add("a", "1"), add("b", "1"), add("a", "2")}, []string{"b1", "a2"}},
		"again immediately":   {[]func(r *List) error{add("a", "1"), add("a", "2")}, []string{"a2"}},
		"dropped":             {[]func(r *List) error{add("a", "1"), add("b", "1"), drop}, []string{"b1"}},
		"dropped at the end":  {[]func(r *List) error{drop}, nil},
		"dropped and again":   {[]func(r *List) error{add("a", "1"), drop, add("a", "2")}, []string{"a2"}},
		"cannot be read then": {[]func(r *List) error{add("a", "1"), keep}, []string{"a kept"}},
		"can be read then":    {[]func(r *List) error{keep, add("a", "2")}, []string{"a2"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			q := New(Options{Name: nameOf, TombstoneKey: tombstoneKey})
			r := q.Source(0, delta.Scope{}).StartList(0)
			for _, step := range c.steps {
				if err := step(r); err != nil {
					t.Fatal(err)
				}
			}
			if err := r.Commit("9"); err != nil {
				t.Fatal(err)
			}
			changes, _ := q.Pop(context.Background())
			var got []string
			for _, item := range changes[0].List.Items.All() {
				if item.Keep {
					item.RV = " kept"
				}
				got = append(got, item.Name.Name+item.RV)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("items = %q, want %q", got, c.want)
			}
		})
	}
}

// held is a store that a queue only reads.
type held map[delta.Name]any

func (h held) Held(name delta.Name) (any, bool) { obj, ok := h[name]; return obj, ok }

func TestListReusesWhatIsHeld(t *testing.T) {
	known := boat("n", "a", "u1", "3")
	known.Labels = map[string]string{"transformed": "yes"}
	repainted := boat("n", "a", "u1", "3")
	repainted.Annotations = map[string]string{"color": "red"}
	fromList := boat("n", "a", "u1", "3")
	fromList.TypeMeta = metav1.TypeMeta{Kind: "Boat", APIVersion: "v1"}
	cases := map[string]struct {
		held, listed *metav1.PartialObjectMetadata
		reused       bool
	}{
		"the same state":                {known, boat("n", "a", "u1", "3"), true},
		"the same, with TypeMeta":       {known, fromList, true},
		"other content":                 {known, repainted, false},
		"another version":               {known, boat("n", "a", "u1", "4"), false},
		"another object":                {known, boat("n", "a", "u2", "3"), false},
		"another name":                  {known, boat("n", "b", "u1", "3"), false},
		"no UID":                        {boat("n", "a", "", "3"), boat("n", "a", "", "3"), false},
		"no version":                    {boat("n", "a", "u1", ""), boat("n", "a", "u1", ""), false},
		"nothing stored with that name": {nil, boat("n", "a", "u1", "3"), false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			store := held{}
			if c.held != nil {
				store[delta.Name{Namespace: c.held.Namespace, Name: c.held.Name}] = c.held
			}
			q := New(Options{Name: nameOf, TombstoneKey: tombstoneKey, Known: store, Transform: func(int) func(any) (any, error) {
				return func(obj any) (any, error) {
					obj.(*metav1.PartialObjectMetadata).Labels = map[string]string{"transformed": "yes"}
					return obj, nil
				}
			}})
			r := q.Source(0, delta.Scope{}).StartList(0)
			if err := r.Add(c.listed); err != nil {
				t.Fatal(err)
			}
			want := any(c.listed)
			if c.reused {
				want = c.held
			}
			if r.Items[0][0].Object != want {
				t.Errorf("the known one is taken: %t", r.Items[0][0].Object == any(c.held))
			}
			if r.Items[0][0].RV != c.listed.ResourceVersion || r.Items[0][0].Name.Name != c.listed.Name {
				t.Errorf("item = %+v", r.Items[0][0])
			}
		})
	}
}

func TestListRefuses(t *testing.T) {
	torn := errors.New("torn")
	l := New(Options{Name: nameOf, Transform: func(int) func(any) (any, error) {
		return func(any) (any, error) { return nil, torn }
	}}).Source(0, delta.Scope{}).StartList(0)
	if err := l.Add(boat("n", "a", "", "1")); !errors.Is(err, torn) || l.Len() != 0 {
		t.Errorf("Add = %v, and %d items", err, l.Len())
	}
}

func TestTransformMayDropTheVersion(t *testing.T) {
	q := New(Options{Name: nameOf, TombstoneKey: tombstoneKey, Transform: func(int) func(any) (any, error) {
		return func(obj any) (any, error) {
			m := obj.(*metav1.PartialObjectMetadata)
			m.ResourceVersion = ""
			return m, nil
		}
	}})
	s := q.Source(0, delta.Scope{})
	if err := s.Update(boat("n", "a", "", "8")); err != nil {
		t.Fatal(err)
	}
	changes, _ := q.Pop(context.Background())
	if changes[0].RV != "8" {
		t.Errorf("rv = %q, want 8", changes[0].RV)
	}
	r := s.StartList(0)
	if err := r.Add(boat("n", "a", "", "8")); err != nil {
		t.Fatal(err)
	}
	if r.Items[0][0].RV != "8" {
		t.Errorf("rv = %q, want 8", r.Items[0][0].RV)
	}
}

// TestLongList has more items than one piece: of each object only the last counts, also in another piece.
func TestLongList(t *testing.T) {
	const objects = 3*most + 10
	for name, again := range map[string]int{"each once": 0, "some again": most + 5} {
		t.Run(name, func(t *testing.T) {
			q := New(Options{Name: nameOf, TombstoneKey: tombstoneKey})
			l := q.Source(0, delta.Scope{}).StartList(10)
			for i := range objects + again {
				if err := l.Add(boat("n", fmt.Sprintf("%06d", i%objects), "u", fmt.Sprint(i))); err != nil {
					t.Fatal(err)
				}
			}
			if l.Len() != objects+again {
				t.Errorf("%d items before Commit", l.Len())
			}
			if err := l.Commit("9"); err != nil {
				t.Fatal(err)
			}
			changes, _ := q.Pop(context.Background())
			n := 0
			for i, item := range changes[0].List.Items.All() {
				if want := again + i; item.RV != fmt.Sprint(want) || i != n {
					t.Fatalf("item %d, the number %d, is of version %s, want %d", i, n, item.RV, want)
				}
				n++
			}
			if n != objects {
				t.Errorf("%d items, want %d", n, objects)
			}
			for i := range changes[0].List.Items.All() {
				if i == 1 {
					break
				}
			}
		})
	}
}
