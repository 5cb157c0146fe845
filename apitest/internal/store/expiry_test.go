package store

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// Objects that expire and are written repeatedly, as events are, have little more than one deadline
// each.
func TestDeadlinesOfRewrittenObjects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const objects, writes = 10, 1000
		table := newTable(NewBackend(Options{}), false)
		left := func() (live, deadlines int) {
			table.mu.Lock()
			defer table.mu.Unlock()
			return table.live, len(table.expiry.due)
		}
		last := map[string]*record{}
		for n := range writes {
			for i := range objects {
				key := fmt.Sprint("/a/", i)
				r, ok := table.commit(change{key: key, old: last[key], value: []byte(fmt.Sprint(n)), expires: time.Now().Add(time.Hour)})
				if !ok {
					t.Fatal("the object is another")
				}
				last[key] = r
			}
			time.Sleep(time.Second)
		}
		if _, got := left(); got > 100 {
			t.Errorf("%d deadlines for %d objects", got, objects)
		}
		time.Sleep(time.Hour - 2*time.Second)
		if n, _ := left(); n != objects {
			t.Errorf("%d objects are left before their time is over", n)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if n, _ := left(); n != 0 {
			t.Errorf("%d objects are left after their time", n)
		}
	})
}
