package prometheus

import "github.com/prometheus/client_golang/prometheus"

// LeaderMetric has the methods of LeaderMetric in kubernetes/leaderelection, which is an alias of the same
// interface: this module does not require that one.
type LeaderMetric = interface {
	On(name string)
	Off(name string)
	SlowpathExercised(name string)
}

// LeaderElection are the metrics of leader election, by the names of the electors. It is a collector, and a
// provider for SetProvider of kubernetes/leaderelection:
//
//	election := prometheus.NewLeaderElection()
//	registry.MustRegister(election)
//	leaderelection.SetProvider(election)
//
// Series remain when an elector is gone: they show that it does not lead. It is safe for concurrent use.
type LeaderElection struct {
	status   *prometheus.GaugeVec
	slowPath *prometheus.CounterVec
}

var _ prometheus.Collector = (*LeaderElection)(nil)

// NewLeaderElection returns unregistered metrics.
func NewLeaderElection() *LeaderElection {
	const subsystem = "leader_election"
	labels := []string{"name"}
	return &LeaderElection{
		status: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Subsystem: subsystem, Name: "master_status",
			Help: "Whether the process leads: 1 or 0.",
		}, labels),
		slowPath: prometheus.NewCounterVec(prometheus.CounterOpts{
			Subsystem: subsystem, Name: "slowpath_total",
			Help: "Renewals of the lease for which the leader had to read it first.",
		}, labels),
	}
}

// NewLeaderMetric is part of MetricsProvider in kubernetes/leaderelection.
func (l *LeaderElection) NewLeaderMetric() LeaderMetric { return leader{l} }

// Describe is part of [prometheus.Collector].
func (l *LeaderElection) Describe(descs chan<- *prometheus.Desc) {
	l.status.Describe(descs)
	l.slowPath.Describe(descs)
}

// Collect is part of [prometheus.Collector].
func (l *LeaderElection) Collect(metrics chan<- prometheus.Metric) {
	l.status.Collect(metrics)
	l.slowPath.Collect(metrics)
}

// leader is the metric of all electors.
type leader struct{ of *LeaderElection }

func (m leader) On(name string)                { m.of.status.WithLabelValues(name).Set(1) }
func (m leader) Off(name string)               { m.of.status.WithLabelValues(name).Set(0) }
func (m leader) SlowpathExercised(name string) { m.of.slowPath.WithLabelValues(name).Inc() }
