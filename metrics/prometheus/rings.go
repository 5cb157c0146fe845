package prometheus

import "github.com/prometheus/client_golang/prometheus"

// RingCounts are the counts of a ring. Counts in kubernetes/shards is an alias of the same type, which has its
// documentation: this module does not require that one.
type RingCounts = struct {
	Ring                      string
	InTerm, Coordinates       bool
	Epoch, Members            int
	Owned, Releasing, Waiting int
	Gained, Lost, Lapsed      int64
	Dropped, Refused          int64
}

// Ring is a ring of replicas that share work, as *shards.Ring is.
type Ring interface{ Counts() RingCounts }

// Rings collects the counts of rings at the time of collection:
//
//	registry.MustRegister(prometheus.NewRings(ring))
//
// Each series has the label ring, the name of the ring.
type Rings struct {
	rings   []Ring
	numbers []ringNumber
}

// ringNumber is a metric of rings.
type ringNumber struct {
	desc *prometheus.Desc
	as   prometheus.ValueType
	of   func(RingCounts) float64
}

var _ prometheus.Collector = (*Rings)(nil)

// NewRings returns a collector, which is not registered. The rings must have different names.
func NewRings(rings ...Ring) *Rings {
	r := &Rings{rings: rings}
	number := func(name, help string, as prometheus.ValueType, of func(RingCounts) float64) {
		r.numbers = append(r.numbers, ringNumber{prometheus.NewDesc("shards_"+name, help, []string{"ring"}, nil), as, of})
	}
	gauge := func(name, help string, of func(RingCounts) int) {
		number(name, help, prometheus.GaugeValue, func(c RingCounts) float64 { return float64(of(c)) })
	}
	flag := func(name, help string, of func(RingCounts) bool) {
		gauge(name, help, func(c RingCounts) int {
			if of(c) {
				return 1
			}
			return 0
		})
	}
	total := func(name, help string, of func(RingCounts) int64) {
		number(name+"_total", help, prometheus.CounterValue, func(c RingCounts) float64 { return float64(of(c)) })
	}
	flag("in_term", "Whether the replica may work: 1 or 0.", func(c RingCounts) bool { return c.InTerm })
	flag("coordinator", "Whether the replica assigns slots: 1 or 0.", func(c RingCounts) bool { return c.Coordinates })
	gauge("epoch", "Number of the assignment of slots that the replica follows.", func(c RingCounts) int { return c.Epoch })
	gauge("members", "Number of replicas that own slots or will.", func(c RingCounts) int { return c.Members })
	gauge("owned_slots", "Number of slots on which the replica may begin work.", func(c RingCounts) int { return c.Owned })
	gauge("releasing_slots", "Number of slots on which the replica's work has to end.", func(c RingCounts) int { return c.Releasing })
	gauge("waiting_slots", "Number of slots that the replica gets when others have released them.", func(c RingCounts) int { return c.Waiting })
	total("gained_slots", "Number of slots that the replica was given.", func(c RingCounts) int64 { return c.Gained })
	total("lost_slots", "Number of slots that the replica has released.", func(c RingCounts) int64 { return c.Lost })
	total("lapsed_terms", "Number of times that the replica could not renew its Lease, or lost it.", func(c RingCounts) int64 { return c.Lapsed })
	total("dropped_keys", "Number of keys that were not worked on because their slots are others'.", func(c RingCounts) int64 { return c.Dropped })
	total("refused_writes", "Number of writes that were not sent because their slots were lost.", func(c RingCounts) int64 { return c.Refused })
	return r
}

// Describe is part of [prometheus.Collector].
func (r *Rings) Describe(descs chan<- *prometheus.Desc) {
	for _, n := range r.numbers {
		descs <- n.desc
	}
}

// Collect is part of [prometheus.Collector].
func (r *Rings) Collect(metrics chan<- prometheus.Metric) {
	for _, ring := range r.rings {
		counts := ring.Counts()
		for _, n := range r.numbers {
			metric, err := prometheus.NewConstMetric(n.desc, n.as, n.of(counts), counts.Ring)
			if err != nil { // the name is not UTF-8
				metric = prometheus.NewInvalidMetric(n.desc, err)
			}
			metrics <- metric
		}
	}
}
