package shards_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/listwatch/listwatch/kubernetes/fake"
	"github.com/listwatch/listwatch/kubernetes/shards"
)

// page returns a ring's page.
func page(ring *shards.Ring, query string) string {
	w := httptest.NewRecorder()
	ring.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/debug/ring"+query, nil))
	return w.Body.String()
}

// The page and the counts show what a ring does, from its first step to the last: members, slots, moves, and why one waits.
func TestPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		leases := fake.NewClientset().CoordinationV1()
		a := join(t, leases, "a")
		check := func(ring *shards.Ring, want ...string) {
			t.Helper()
			got := page(ring, "")
			for _, w := range want {
				if !strings.Contains(got, w) {
					t.Errorf("%q is not on the page:\n%s", w, got)
				}
			}
		}
		c := direct(newServer(), "c")
		c.send = func(context.Context, func()) error { return errFailed }
		alone := join(t, c, "c")
		time.Sleep(10 * time.Second)
		check(alone, "ring default/sites, 64 slots by object.metadata.uid, epoch 0, no coordinator", "member c, may not work",
			"owns no slots", "waits: it cannot take its Lease: ", "error: ")
		check(a, "coordinator a", "may work for another", "waits: the ring is new")
		time.Sleep(time.Minute)
		check(a, "owns 64 slots: 0-63", "a       64 slots: 0-63")
		if got := page(a, ""); strings.Contains(got, "waits") {
			t.Errorf("a member that owns everything waits:\n%s", got)
		}
		uid := "b2a5a8d6-9f5c-4a5e-8a51-0d3c6f5f9c1e"
		for i := 0; a.Slot(uid) < 32; i++ { // the upper half moves
			uid = fmt.Sprint(i, "-9f5c-4a5e-8a51-0d3c6f5f9c1e")
		}
		lost := a.Slot(uid)
		_, done, err := a.Begin(context.Background(), uid)
		if err != nil {
			t.Fatal(err)
		}

		b := join(t, leases, "b")
		time.Sleep(2 * time.Second)
		check(b, "waits: a assigns slots when members have not come or gone for 5s")
		time.Sleep(8 * time.Second)
		if a.Owns(uid) {
			t.Fatalf("slot %d does not move", lost)
		}
		check(a, "releases 1 slot: ", "SLOT  FROM  TO  SINCE EPOCH")
		check(b, "owns 31 slots: ", "waits: a has to release slots ", "a     b   ")
		counts := b.Counts()
		want := shards.Counts{Ring: "sites", InTerm: true, Epoch: counts.Epoch, Members: 2, Owned: 31, Waiting: 1, Gained: 31}
		if counts != want || counts.Epoch == 0 {
			t.Errorf("counts are %+v, want %+v", counts, want)
		}
		if err = a.Do(context.Background(), uid, func(context.Context) error { return errFailed }); err != nil {
			t.Error(err)
		}
		counts = a.Counts()
		if want = (shards.Counts{Ring: "sites", InTerm: true, Coordinates: true, Epoch: counts.Epoch, Members: 2, Owned: 32, Releasing: 1, Gained: 64, Lost: 31, Dropped: 1}); counts != want {
			t.Errorf("counts are %+v, want %+v", counts, want)
		}
		var state struct {
			Owned, Releasing string
			Moves            []struct{ Slot int }
			Members          []struct{ Identity, Slots string }
			LeftSeconds      float64
		}
		if err = json.Unmarshal([]byte(page(a, "?format=json")), &state); err != nil {
			t.Fatal(err)
		}
		if len(state.Moves) != 1 || state.Moves[0].Slot != lost || len(state.Members) != 2 || state.Members[0].Identity != "a" || state.Releasing == "" || state.LeftSeconds <= 0 {
			t.Errorf("the state is %+v", state)
		}
		done()
		leave(t, a, b, alone)
		check(b, "owns no slots", "may work") // until its Lease expires, but there is nothing to do
	})
}
