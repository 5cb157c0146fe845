package shards

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func count(owners []string) map[string]int {
	counts := map[string]int{}
	for _, owner := range owners {
		counts[owner]++
	}
	return counts
}

// Whatever the slots' owners were, shares differ by one at most, and no balanced distribution moves fewer slots.
func TestBalance(t *testing.T) {
	for seed := range uint64(2000) {
		random := rand.New(rand.NewPCG(seed, 0))
		slots := 1 << random.IntN(8)
		var members []string
		for i := range 1 + random.IntN(12) {
			members = append(members, fmt.Sprintf("m%02d", i))
		}
		owners := make([]string, slots)
		for i := range owners {
			if n := random.IntN(len(members) + 3); n < len(members) {
				owners[i] = members[n*n/len(members)]
			} else if n > len(members) {
				owners[i] = "former"
			}
		}
		balanced := balance(owners, members)

		counts, moves := count(balanced), 0
		for i := range owners {
			if owners[i] != balanced[i] {
				moves++
			}
		}
		least, larger := slots/len(members), slots%len(members)
		before := count(owners)
		kept, large := 0, 0
		for _, m := range members {
			if counts[m] < least || counts[m] > least+1 {
				t.Fatalf("seed %d: %s has %d of %d slots, there are %d members", seed, m, counts[m], slots, len(members))
			}
			kept += min(before[m], least)
			if before[m] > least && large < larger {
				large++
				kept++
			}
		}
		if want := slots - kept; moves != want {
			t.Fatalf("seed %d: %d moves, want %d", seed, moves, want)
		}
		if !slices.Equal(balance(balanced, members), balanced) {
			t.Fatalf("seed %d: what is balanced is changed", seed)
		}
	}
}

// A slot of a live owner is moved in two steps; the move ends early if either is over.
func TestNext(t *testing.T) {
	before := assignment{ID: "a", Epoch: 4, Slots: 4, Key: ByUID, Owners: map[string]slotSet{"a_1": {0, 1, 2, 3}}}
	var over, released bool
	f := facts{
		live: []string{"a_1", "b_1"}, settled: true,
		over:      func(term string) bool { return over && term == "a_1" },
		released:  func(string, move) bool { return released },
		successor: func(string) string { return "" },
	}
	moving := before.next(f)
	want := &assignment{
		ID: "a", Epoch: 5, Slots: 4, Key: ByUID, Owners: before.Owners,
		Moves: []move{{Slot: 2, To: "b_1", Epoch: 5}, {Slot: 3, To: "b_1", Epoch: 5}},
	}
	if diff := cmp.Diff(want, moving); diff != "" {
		t.Fatalf("-want +got:\n%s", diff)
	}
	if next := moving.next(f); next != nil {
		t.Errorf("next is %v although nothing has happened", next)
	}
	if got := moving.of("a_1"); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("the owner may work on %v", got)
	}

	released = true
	want = &assignment{ID: "a", Epoch: 6, Slots: 4, Key: ByUID, Owners: map[string]slotSet{"a_1": {0, 1}, "b_1": {2, 3}}}
	if diff := cmp.Diff(want, moving.next(f)); diff != "" {
		t.Errorf("after the release, -want +got:\n%s", diff)
	}

	released, f.live = false, []string{"a_1"}
	want = &assignment{ID: "a", Epoch: 6, Slots: 4, Key: ByUID, Owners: before.Owners}
	if diff := cmp.Diff(want, moving.next(f)); diff != "" {
		t.Errorf("without the member that gains, -want +got:\n%s", diff)
	}

	over, f.live, f.settled = true, []string{"b_1"}, false
	want = &assignment{ID: "a", Epoch: 6, Slots: 4, Key: ByUID, Owners: map[string]slotSet{"b_1": {2, 3}}}
	if diff := cmp.Diff(want, moving.next(f)); diff != "" {
		t.Errorf("without the owner, -want +got:\n%s", diff)
	}

	f.live, f.successor = []string{"a_2", "b_1"}, func(string) string { return "a_2" }
	want.Owners = map[string]slotSet{"a_2": {0, 1}, "b_1": {2, 3}}
	if diff := cmp.Diff(want, moving.next(f)); diff != "" {
		t.Errorf("with the owner's next term, -want +got:\n%s", diff)
	}
}

func TestSlotSet(t *testing.T) {
	for text, want := range map[string]slotSet{"": nil, "3": {3}, "0-2,5,7-8": {0, 1, 2, 5, 7, 8}} {
		var got slotSet
		if err := got.UnmarshalText([]byte(text)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q is %v, %v", text, got, err)
		}
		if back, _ := want.MarshalText(); string(back) != text {
			t.Errorf("%v is %q", want, back)
		}
	}
	for _, text := range []string{"x", "1-", "2-1", "-1", "1,1", "3,2", "0-4096", ","} {
		var got slotSet
		if err := got.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}

// An annotation that was edited by hand counts as lost if it is invalid.
func TestAssignmentOf(t *testing.T) {
	for text, valid := range map[string]bool{
		`{"id":"a","epoch":1,"slots":4,"owners":{"a_1":"0-1","b_1":"2"},"moves":[{"slot":1,"to":"b_1","epoch":1}]}`: true,
		``: false, `{}`: false,
		`{"id":"a","slots":3}`:                                        false,
		`{"id":"a","slots":4,"owners":{"a_1":"4"}}`:                   false,
		`{"id":"a","slots":4,"owners":{"a_1":"0","b_1":"0"}}`:         false,
		`{"id":"a","slots":4,"owners":{"":"0"}}`:                      false,
		`{"id":"a","slots":4,"moves":[{"slot":4,"to":"a_1"}]}`:        false,
		`{"id":"a","slots":4,"moves":[{"slot":0,"to":"","epoch":1}]}`: false,
	} {
		lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{assignmentAnnotation: text}}}
		if got := assignmentOf(lease); (got != nil) != valid {
			t.Errorf("%s is %v", text, got)
		}
	}
}

// The ranges of slots are those of Kubernetes' shard selectors.
func TestSelector(t *testing.T) {
	for _, test := range []struct {
		slots []int
		of    int
		want  string
	}{
		{[]int{0, 1, 2, 3}, 4, ""},
		{[]int{0}, 1, ""},
		{[]int{0, 1}, 4, "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')"},
		{[]int{0, 63}, 64, "shardRange(object.metadata.uid, '0x0000000000000000', '0x0400000000000000') || " +
			"shardRange(object.metadata.uid, '0xfc00000000000000', '0x10000000000000000')"},
	} {
		if got := selector(ByUID, test.slots, test.of); got != test.want {
			t.Errorf("selector of %v is %s", test.slots, got)
		}
	}
	// The hashes are 96bcca83b55aa4bb and f8974f5e9b637065.
	for _, test := range []struct {
		value       string
		slots, want int
	}{{"anna", 64, 0x96 >> 2}, {"berta", 64, 0xf8 >> 2}, {"anna", 1, 0}, {"anna", 16, 9}} {
		if got := slotOf(test.value, test.slots); got != test.want {
			t.Errorf("slot of %s of %d is %d, want %d", test.value, test.slots, got, test.want)
		}
	}
}

// TestSlotsOfNames checks what ByNamespace says of names with numbers.
func TestSlotsOfNames(t *testing.T) {
	for _, test := range []struct {
		format string
		want   int
	}{{"team-%d", 10}, {"%d-team", 64}} {
		used := map[int]bool{}
		for i := range 1000 {
			used[slotOf(fmt.Sprintf(test.format, i), 64)] = true
		}
		if len(used) != test.want {
			t.Errorf("%s: 1,000 names are in %d of 64 slots, want %d", test.format, len(used), test.want)
		}
	}
}
