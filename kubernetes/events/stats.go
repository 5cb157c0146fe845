package events

import "github.com/listwatch/listwatch/kubernetes/internal/broadcast"

// Stats counts the events of a broadcaster, and those that it dropped.
type Stats = broadcast.Stats

// StatsOf returns the counters of a broadcaster of this package. For another implementation it returns those of
// its method Stats, or zeros if it has none.
func StatsOf(broadcaster EventBroadcaster) Stats {
	if b, ok := broadcaster.(interface{ Stats() Stats }); ok {
		return b.Stats()
	}
	return Stats{}
}
