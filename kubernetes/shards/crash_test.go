package shards_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
)

// In a ring whose members come and go, one write of a Lease that says something new fails: the process crashes after it, or
// the server refuses it or does not answer. The model checks the rest of the run. Each such write has its turn.
func TestEachWrite(t *testing.T) {
	for _, test := range []struct {
		kind    string
		watches bool
	}{{"crash", true}, {"crash", false}, {"crash, start again", true}, {"refuse", true}, {"do not answer", true}} {
		t.Run(fmt.Sprintf("%s,watches=%t", test.kind, test.watches), func(t *testing.T) {
			writes, _ := runEachWrite(t, "", -1, test.watches)
			if writes < 20 {
				t.Fatalf("%d writes: nothing happens", writes)
			}
			for n := range writes {
				if _, failures := runEachWrite(t, test.kind, n, test.watches); len(failures) > 0 {
					t.Fatalf("write %d of %d: %s", n, writes, strings.Join(failures[:min(3, len(failures))], "\n"))
				}
			}
		})
	}
}

// runEachWrite lets members come and go, and disturbs one write. It returns how many writes said something new.
func runEachWrite(t *testing.T, kind string, at int, watches bool) (writes int, failures []string) {
	t.Helper()
	synctest.Test(t, func(*testing.T) {
		m := emptyModel(1)
		m.options.HandOver, m.options.Settle = time.Second, 2*time.Second
		if watches {
			m.server.watches = map[*watching]bool{}
		}
		m.server.disturb = func(process string, lease *coordinationv1.Lease) fault {
			if m.isOver() || !saysNews(m.server.leases[lease.Name], lease) {
				return none
			}
			if writes++; writes != at+1 {
				return none
			}
			switch kind {
			case "refuse":
				return refused
			case "do not answer":
				return unanswered
			}
			m.locked(func() { m.crashProcess(process, kind == "crash, start again") })
			return none
		}
		for range 3 {
			m.start("")
			time.Sleep(time.Second)
		}
		time.Sleep(40 * time.Second) // a new ring waits
		m.start("")
		time.Sleep(15 * time.Second)
		m.mu.Lock()
		p := m.members[0]
		m.forget(p)
		m.mu.Unlock()
		m.running.Go(func() { _ = p.ring.Leave(context.Background()) }) // which it may not survive
		time.Sleep(15 * time.Second)
		failures = m.settle()
		for _, p := range m.everybody {
			if lapsed := p.ring.Counts().Lapsed; lapsed > 0 && !strings.HasPrefix(kind, "crash") {
				failures = append(failures, fmt.Sprintf("a term of %s has lapsed", p.name))
			}
		}
	})
	return writes, failures
}

// crashProcess ends a process, and starts another one a second later: with the same identity if again is set. It is called
// with mu.
func (m *model) crashProcess(process string, again bool) {
	for _, p := range m.everybody {
		if p.process != process {
			continue
		}
		m.crash(p)
		m.running.Go(func() {
			time.Sleep(time.Second)
			if again {
				m.start(p.name)
			} else {
				m.start("")
			}
		})
	}
}

// saysNews reports whether a Lease differs from the stored one by more than a renewal.
func saysNews(stored, lease *coordinationv1.Lease) bool {
	return stored == nil || *stored.Spec.HolderIdentity != *lease.Spec.HolderIdentity || !maps.Equal(stored.Annotations, lease.Annotations)
}
