package prometheus_test

import (
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"

	adapter "github.com/listwatch/listwatch/metrics/prometheus"
)

type ring adapter.RingCounts

func (r ring) Counts() adapter.RingCounts { return adapter.RingCounts(r) }

func TestRings(t *testing.T) {
	collector := adapter.NewRings(
		ring{
			Ring: "sites", InTerm: true, Coordinates: true, Epoch: 7, Members: 3, Owned: 20, Releasing: 1, Waiting: 2,
			Gained: 30, Lost: 9, Lapsed: 4, Dropped: 5, Refused: 6,
		},
		ring{Ring: "other", Epoch: 1},
	)
	const want = `# HELP shards_coordinator Whether the replica assigns slots: 1 or 0.
# TYPE shards_coordinator gauge
shards_coordinator{ring="other"} 0
shards_coordinator{ring="sites"} 1
# HELP shards_dropped_keys_total Number of keys that were not worked on because their slots are others'.
# TYPE shards_dropped_keys_total counter
shards_dropped_keys_total{ring="other"} 0
shards_dropped_keys_total{ring="sites"} 5
# HELP shards_epoch Number of the assignment of slots that the replica follows.
# TYPE shards_epoch gauge
shards_epoch{ring="other"} 1
shards_epoch{ring="sites"} 7
# HELP shards_gained_slots_total Number of slots that the replica was given.
# TYPE shards_gained_slots_total counter
shards_gained_slots_total{ring="other"} 0
shards_gained_slots_total{ring="sites"} 30
# HELP shards_in_term Whether the replica may work: 1 or 0.
# TYPE shards_in_term gauge
shards_in_term{ring="other"} 0
shards_in_term{ring="sites"} 1
# HELP shards_lapsed_terms_total Number of times that the replica could not renew its Lease, or lost it.
# TYPE shards_lapsed_terms_total counter
shards_lapsed_terms_total{ring="other"} 0
shards_lapsed_terms_total{ring="sites"} 4
# HELP shards_lost_slots_total Number of slots that the replica has released.
# TYPE shards_lost_slots_total counter
shards_lost_slots_total{ring="other"} 0
shards_lost_slots_total{ring="sites"} 9
# HELP shards_members Number of replicas that own slots or will.
# TYPE shards_members gauge
shards_members{ring="other"} 0
shards_members{ring="sites"} 3
# HELP shards_owned_slots Number of slots on which the replica may begin work.
# TYPE shards_owned_slots gauge
shards_owned_slots{ring="other"} 0
shards_owned_slots{ring="sites"} 20
# HELP shards_refused_writes_total Number of writes that were not sent because their slots were lost.
# TYPE shards_refused_writes_total counter
shards_refused_writes_total{ring="other"} 0
shards_refused_writes_total{ring="sites"} 6
# HELP shards_releasing_slots Number of slots on which the replica's work has to end.
# TYPE shards_releasing_slots gauge
shards_releasing_slots{ring="other"} 0
shards_releasing_slots{ring="sites"} 1
# HELP shards_waiting_slots Number of slots that the replica gets when others have released them.
# TYPE shards_waiting_slots gauge
shards_waiting_slots{ring="other"} 0
shards_waiting_slots{ring="sites"} 2
`
	if err := testutil.CollectAndCompare(collector, strings.NewReader(want)); err != nil {
		t.Error(err)
	}
	if problems, err := testutil.CollectAndLint(collector); err != nil || len(problems) > 0 {
		t.Errorf("linting finds %v, error %v", problems, err)
	}
}
