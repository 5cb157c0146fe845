package shards

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/kubernetes/fake"
)

func leaseOf(term, version string, r report) *coordinationv1.Lease {
	seconds := int32(30)
	return &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Name: "sites." + identityOf(term), ResourceVersion: version, Annotations: map[string]string{memberAnnotation: encode(r)}},
		Spec:       coordinationv1.LeaseSpec{HolderIdentity: &term, LeaseDurationSeconds: &seconds},
	}
}

// What a coordinator acts on must be certain.
func TestFacts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		options, err := Options{Name: "sites", Namespace: "default", Identity: "a"}.withDefaults()
		if err != nil {
			t.Fatal(err)
		}
		r := &Ring{options: options, birth: options.Clock.Now(), coordinator: coordinator{seen: newSightings()}}
		a := &assignment{
			ID: "id", Epoch: 7, Slots: 64, Key: ByUID,
			Owners: map[string]slotSet{"a_1": {0}, "b_1": {1}, "gone_1": {2}},
			Moves:  []move{{Slot: 1, To: "a_1", Epoch: 6}},
		}
		sure := report{Follows: "id", Epoch: 6, Slots: 64, Key: ByUID}
		replacing := sure
		replacing.Replaces = "b_1"
		with := func(edit func(*report)) *coordinationv1.Lease {
			rep := sure
			edit(&rep)
			return leaseOf("b_1", "1", rep)
		}
		look := func(b *coordinationv1.Lease) facts {
			f, _ := r.facts(a, map[string]*coordinationv1.Lease{"a": leaseOf("a_1", "1", sure), "b": b}, r.now())
			return f
		}
		for name, test := range map[string]struct {
			b                    *coordinationv1.Lease
			released, over, live bool
		}{
			"a release":                 {with(func(*report) {}), true, false, true},
			"a later epoch":             {with(func(r *report) { r.Epoch = 9 }), true, false, true},
			"an older epoch":            {with(func(r *report) { r.Epoch = 5 }), false, false, true},
			"another assignment":        {with(func(r *report) { r.Follows = "other" }), false, false, false},
			"no assignment":             {with(func(r *report) { r.Follows = "" }), false, false, true},
			"work that goes on":         {with(func(r *report) { r.Holds = slotSet{1} }), false, false, true},
			"a member that leaves":      {with(func(r *report) { r.Leaving = true }), true, false, false},
			"a member with other slots": {with(func(r *report) { r.Slots = 32 }), true, false, false},
			"the next term":             {leaseOf("b_2", "1", replacing), false, true, true},
			"a term after a deletion":   {leaseOf("b_2", "1", sure), false, false, true},
			"a released Lease":          {leaseOf("", "1", replacing), false, true, false},
		} {
			f := look(test.b)
			live := slices.ContainsFunc(f.live, func(term string) bool { return identityOf(term) == "b" })
			if f.released("b_1", a.Moves[0]) != test.released || f.over("b_1") != test.over || live != test.live {
				t.Errorf("%s: released is %t, over is %t, live is %t", name, f.released("b_1", a.Moves[0]), f.over("b_1"), live)
			}
		}

		time.Sleep(30*time.Second - 1)
		if f := look(leaseOf("b_1", "1", sure)); f.over("a_1") || f.over("gone_1") {
			t.Error("terms are over before their Leases have expired")
		}
		time.Sleep(time.Nanosecond)
		f := look(leaseOf("b_1", "2", sure))
		if !f.over("a_1") || !f.over("gone_1") || f.over("b_1") || slices.Contains(f.live, "a_1") {
			t.Errorf("terms that are over: %t, %t, %t", f.over("a_1"), f.over("gone_1"), f.over("b_1"))
		}
	})
}

// Of two coordinators that have read the same assignment, one writes the next: what the other does not know, it does not
// overwrite.
func TestCoordinators(t *testing.T) {
	ctx := t.Context()
	options, err := Options{Name: "sites", Namespace: "default", Identity: "a"}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	leases := fake.NewClientset().CoordinationV1().Leases("default")
	coordinatorOf := func(identity string) (*Ring, *term) {
		o := options
		o.Identity = identity
		r := &Ring{options: o, leases: leases, birth: o.Clock.Now(), seen: newSightings(), coordinator: coordinator{seen: newSightings(), wrote: -o.RenewPeriod}, changed: make(chan struct{})}
		return r, r.newTerm()
	}
	a, termOfA := coordinatorOf("a")
	b, termOfB := coordinatorOf("b")
	read, _, err := a.coordinate(ctx, termOfA, nil)
	if err != nil {
		t.Fatal(err)
	}
	written, _, err := b.coordinate(ctx, termOfB, read)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err = a.coordinate(ctx, termOfA, read); !apierrors.IsConflict(err) {
		t.Errorf("got error %v, want a conflict", err)
	}
	if _, _, err = a.coordinate(ctx, termOfA, nil); !apierrors.IsAlreadyExists(err) {
		t.Errorf("got error %v, want that the Lease exists", err)
	}
	got, err := leases.Get(ctx, "sites", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if versionOf(got) != versionOf(written) {
		t.Error("the Lease was overwritten")
	}
}
