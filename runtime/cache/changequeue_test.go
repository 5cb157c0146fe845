package cache

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// boat is an object with a UID and a resource version.
func boat(namespace, name, uid, rv string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
		Namespace: namespace, Name: name, UID: types.UID(uid), ResourceVersion: rv,
	}}
}

func TestChangeQueueKeepsOrderAcrossChunks(t *testing.T) {
	q := newChangeQueue(changeQueueOptions{})
	s := q.source(0, "")
	const count = 3*changesPerChunk + 7
	for i := range count {
		if err := s.Update(boat("", fmt.Sprint(i), "", fmt.Sprint(i+1))); err != nil {
			t.Fatal(err)
		}
	}
	if got := q.len(); got != count {
		t.Errorf("len = %d, want %d", got, count)
	}
	q.close(false)
	next := 0
	for {
		changes, ok := q.popChanges()
		if !ok {
			break
		}
		if len(changes) == 0 || len(changes) > changesPerChunk {
			t.Errorf("%d changes at once", len(changes))
		}
		for _, c := range changes {
			if c.kind != changeSet || c.name.Name != fmt.Sprint(next) || c.rv != fmt.Sprint(next+1) {
				t.Fatalf("change %d is %v at %s", next, c.name, c.rv)
			}
			next++
		}
		if got := q.len(); got != count-next {
			t.Errorf("len = %d after %d of %d", got, next, count)
		}
	}
	if next != count {
		t.Errorf("%d changes, want %d", next, count)
	}
}

func TestChangeQueueGivesAwayItsSlices(t *testing.T) {
	q := newChangeQueue(changeQueueOptions{})
	s := q.source(0, "")
	put := func(name string) []change {
		if err := s.Add(boat("", name, "", "1")); err != nil {
			t.Fatal(err)
		}
		changes, _ := q.popChanges()
		return changes
	}
	first := put("a")
	put("b")
	if len(first) != 1 || first[0].name.Name != "a" {
		t.Errorf("what was taken out first is now %v", first)
	}
}

func TestChangeQueueTells(t *testing.T) {
	q := newChangeQueue(changeQueueOptions{sources: 2})
	obj := boat("north", "a", "", "5")
	tombstone := DeletedFinalStateUnknown{Key: "north/b", Obj: obj}
	s := q.source(1, "north")
	if err := errors.Join(s.Add(obj), s.Update(obj), s.Delete(obj), s.Delete(tombstone), s.Bookmark("9"), s.Resync()); err != nil {
		t.Fatal(err)
	}
	name := ObjectName{Namespace: "north", Name: "a"}
	want := []change{
		{kind: changeSet, added: true, source: 1, name: name, rv: "5", object: obj},
		{kind: changeSet, source: 1, name: name, rv: "5", object: obj},
		{kind: changeDelete, source: 1, name: name, rv: "5", object: obj},
		{kind: changeDelete, source: 1, name: ObjectName{Namespace: "north", Name: "b"}, object: tombstone},
		{kind: changeBookmark, source: 1, rv: "9"},
	}
	got, _ := q.popChanges()
	if len(got) != len(want) {
		t.Fatalf("%d changes, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("change %d = %+v, want %+v", i, got[i], want[i])
		}
	}
}

func TestChangeQueueWaits(t *testing.T) {
	pop := func(t *testing.T, q *changeQueue, ctx context.Context) <-chan bool {
		popped := make(chan bool, 1)
		go func() {
			_, ok := q.popChangesUntil(ctx)
			popped <- ok
		}()
		synctest.Wait()
		select {
		case <-popped:
			t.Fatal("popChanges did not wait")
		default:
		}
		return popped
	}
	cases := map[string]struct {
		then func(q *changeQueue, cancel func())
		want bool
	}{
		"for a change":   {func(q *changeQueue, _ func()) { _ = q.source(0, "").Bookmark("1") }, true},
		"until closed":   {func(q *changeQueue, _ func()) { q.close(false) }, false},
		"until dropped":  {func(q *changeQueue, _ func()) { q.close(true) }, false},
		"until the end":  {func(_ *changeQueue, cancel func()) { cancel() }, false},
		"not for a lock": {func(q *changeQueue, _ func()) { q.len(); q.close(false) }, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				q := newChangeQueue(changeQueueOptions{})
				popped := pop(t, q, ctx)
				c.then(q, cancel)
				if got := <-popped; got != c.want {
					t.Errorf("popChanges = %t, want %t", got, c.want)
				}
			})
		})
	}
	t.Run("also after an early change", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			q := newChangeQueue(changeQueueOptions{})
			s := q.source(0, "")
			for range 3 {
				if err := s.Bookmark("1"); err != nil {
					t.Fatal(err)
				}
			}
			q.popChanges()
			popped := pop(t, q, t.Context())
			q.close(false)
			<-popped
		})
	})
}

func TestChangeQueueDropsWhenTold(t *testing.T) {
	for _, late := range []bool{false, true} {
		q := newChangeQueue(changeQueueOptions{})
		if err := q.source(0, "").Bookmark("1"); err != nil {
			t.Fatal(err)
		}
		if late {
			q.close(false)
		}
		q.close(true)
		if changes, ok := q.popChanges(); ok {
			t.Errorf("popChanges = %v after dropping", changes)
		}
		if got := q.len(); got != 0 {
			t.Errorf("len = %d after dropping", got)
		}
	}
}

func TestReplacementIsQueuedAsOne(t *testing.T) {
	q := newChangeQueue(changeQueueOptions{})
	s := q.source(0, "")
	r := s.startReplace(2)
	for _, obj := range []any{boat("n", "a", "1", "3"), boat("n", "b", "2", "4")} {
		if err := r.add(obj); err != nil {
			t.Fatal(err)
		}
	}
	r.keep(ObjectName{Namespace: "n", Name: "c"})
	if got := q.len(); got != 0 {
		t.Errorf("len = %d before commit", got)
	}
	if err := r.commit("7"); err != nil {
		t.Fatal(err)
	}
	if got := q.len(); got != 3 {
		t.Errorf("len = %d, want 3", got)
	}
	changes, _ := q.popChanges()
	if len(changes) != 1 || changes[0].kind != changeReplace || changes[0].rv != "7" {
		t.Fatalf("changes = %+v", changes)
	}
	items := changes[0].replacement.items
	if len(items) != 3 || items[0].rv != "3" || items[1].name.Name != "b" || !items[2].keep || items[2].object != nil {
		t.Errorf("items = %+v", items)
	}
	if got := q.len(); got != 0 {
		t.Errorf("len = %d after popChanges", got)
	}
}

func TestReplacementCountsTheLastOfEachObject(t *testing.T) {
	add := func(name, rv string) func(r *replacement) error {
		return func(r *replacement) error { return r.add(boat("n", name, "u", rv)) }
	}
	does := func(do func(r *replacement)) func(r *replacement) error {
		return func(r *replacement) error { do(r); return nil }
	}
	drop := does(func(r *replacement) { r.drop(ObjectName{"n", "a"}) })
	keep := does(func(r *replacement) { r.keep(ObjectName{"n", "a"}) })
	cases := map[string]struct {
		steps []func(r *replacement) error
		want  []string
	}{
		"in order":            {[]func(r *replacement) error{add("a", "1"), add("b", "1"), add("c", "1")}, []string{"a1", "b1", "c1"}},
		"out of order":        {[]func(r *replacement) error{add("c", "1"), add("a", "1"), add("b", "1")}, []string{"c1", "a1", "b1"}},
		"again":               {[]func(r *replacement) error{add("a", "1"), add("b", "1"), add("a", "2")}, []string{"b1", "a2"}},
		"again at once":       {[]func(r *replacement) error{add("a", "1"), add("a", "2")}, []string{"a2"}},
		"dropped":             {[]func(r *replacement) error{add("a", "1"), add("b", "1"), drop}, []string{"b1"}},
		"dropped at the end":  {[]func(r *replacement) error{drop}, nil},
		"dropped and again":   {[]func(r *replacement) error{add("a", "1"), drop, add("a", "2")}, []string{"a2"}},
		"cannot be read then": {[]func(r *replacement) error{add("a", "1"), keep}, []string{"a kept"}},
		"can be read then":    {[]func(r *replacement) error{keep, add("a", "2")}, []string{"a2"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			q := newChangeQueue(changeQueueOptions{})
			r := q.source(0, "").startReplace(0)
			for _, step := range c.steps {
				if err := step(r); err != nil {
					t.Fatal(err)
				}
			}
			if err := r.commit("9"); err != nil {
				t.Fatal(err)
			}
			changes, _ := q.popChanges()
			var got []string
			for _, item := range changes[0].replacement.items {
				if item.keep {
					item.rv = " kept"
				}
				got = append(got, item.name.Name+item.rv)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("items = %q, want %q", got, c.want)
			}
		})
	}
}

func TestPrecedesIsTheOrderOfKeys(t *testing.T) {
	for _, keys := range [][]string{{"a", "a-b", "a.b", "ab", "b"}, {"a-b/x", "a-b/y", "a/x", "a0/a", "ab/a", "b/a", "b/b"}} {
		for _, a := range keys {
			for _, b := range keys {
				if got, want := precedes(nameOfKey(a), nameOfKey(b)), a < b; got != want {
					t.Errorf("precedes(%s, %s) = %t, want %t", a, b, got, want)
				}
			}
		}
	}
}

// held is a store of which a queue reads only.
type held map[ObjectName]any

func (h held) get(name ObjectName) (any, bool) { obj, ok := h[name]; return obj, ok }

func TestReplacementReusesWhatIsHeld(t *testing.T) {
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
		"the same state":            {known, boat("n", "a", "u1", "3"), true},
		"the same, with TypeMeta":   {known, fromList, true},
		"other content":             {known, repainted, false},
		"another version":           {known, boat("n", "a", "u1", "4"), false},
		"another object":            {known, boat("n", "a", "u2", "3"), false},
		"another name":              {known, boat("n", "b", "u1", "3"), false},
		"no UID":                    {boat("n", "a", "", "3"), boat("n", "a", "", "3"), false},
		"no version":                {boat("n", "a", "u1", ""), boat("n", "a", "u1", ""), false},
		"nothing held of that name": {nil, boat("n", "a", "u1", "3"), false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			store := held{}
			if c.held != nil {
				store[ObjectName{Namespace: c.held.Namespace, Name: c.held.Name}] = c.held
			}
			q := newChangeQueue(changeQueueOptions{known: store, transform: func() TransformFunc {
				return func(obj any) (any, error) {
					obj.(*metav1.PartialObjectMetadata).Labels = map[string]string{"transformed": "yes"}
					return obj, nil
				}
			}})
			r := q.source(0, "").startReplace(0)
			if err := r.add(c.listed); err != nil {
				t.Fatal(err)
			}
			want := any(c.listed)
			if c.reused {
				want = c.held
			}
			if r.items[0].object != want {
				t.Errorf("the known one is taken: %t", r.items[0].object == any(c.held))
			}
			if r.items[0].rv != c.listed.ResourceVersion || r.items[0].name.Name != c.listed.Name {
				t.Errorf("item = %+v", r.items[0])
			}
		})
	}
}

func TestReplacementRefuses(t *testing.T) {
	torn := errors.New("torn")
	q := newChangeQueue(changeQueueOptions{transform: func() TransformFunc {
		return func(obj any) (any, error) {
			m, ok := obj.(*metav1.PartialObjectMetadata)
			switch {
			case !ok || m.Name == "torn":
				return nil, torn
			case m.Name == "lost":
				return nil, nil
			case m.Name == "void":
				return (*metav1.PartialObjectMetadata)(nil), nil
			}
			return obj, nil
		}
	}})
	r := q.source(0, "").startReplace(0)
	const with = " with github.com/listwatch/listwatch/runtime/cache.TestReplacementRefuses.func1.1: "
	for _, c := range []struct {
		obj  any
		want string
		is   error
	}{
		{boat("n", "torn", "", "1"), "transform *v1.PartialObjectMetadata n/torn" + with + "torn", torn},
		{"letter", "transform string" + with + "torn", torn},
		{boat("n", "lost", "", "1"), "transform *v1.PartialObjectMetadata n/lost" + with + "returned nil in place of the object", errNoObject},
		{boat("n", "void", "", "1"), "transform *v1.PartialObjectMetadata n/void" + with + "returned nil in place of the object", errNoObject},
	} {
		if err := r.add(c.obj); !errors.Is(err, c.is) || err.Error() != c.want {
			t.Errorf("add: %v, want %s", err, c.want)
		}
	}
	if len(r.items) != 0 {
		t.Errorf("items = %v", r.items)
	}
}

func TestTransformMayDropTheVersion(t *testing.T) {
	q := newChangeQueue(changeQueueOptions{transform: func() TransformFunc {
		return func(obj any) (any, error) {
			m := obj.(*metav1.PartialObjectMetadata)
			m.ResourceVersion = ""
			return m, nil
		}
	}})
	s := q.source(0, "")
	if err := s.Update(boat("n", "a", "", "8")); err != nil {
		t.Fatal(err)
	}
	changes, _ := q.popChanges()
	if changes[0].rv != "8" {
		t.Errorf("rv = %q, want 8", changes[0].rv)
	}
	r := s.startReplace(0)
	if err := r.add(boat("n", "a", "", "8")); err != nil {
		t.Fatal(err)
	}
	if r.items[0].rv != "8" {
		t.Errorf("rv = %q, want 8", r.items[0].rv)
	}
}
