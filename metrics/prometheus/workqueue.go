package prometheus

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/listwatch/listwatch/runtime/workqueue"
)

// queues are the metrics of work queues, by their names.
type queues struct {
	depth          *family[prometheus.Gauge]
	adds           *family[prometheus.Counter]
	latency        *family[prometheus.Observer]
	workDuration   *family[prometheus.Observer]
	unfinishedWork *family[prometheus.Gauge]
	longestRunning *family[prometheus.Gauge]
	retries        *family[prometheus.Counter]
}

func newQueues() *queues {
	const subsystem = "workqueue"
	labels := []string{"name"}
	buckets := prometheus.ExponentialBuckets(1e-8, 10, 10) // 10 ns to 10 s
	return &queues{
		depth: newFamily(prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Subsystem: subsystem, Name: "depth",
			Help: "Items that wait in the queue, or will when the worker that has them is done.",
		}, labels)),
		adds: newFamily(prometheus.NewCounterVec(prometheus.CounterOpts{
			Subsystem: subsystem, Name: "adds_total",
			Help: "Items added to the queue. Adding one that waits already does not count.",
		}, labels)),
		latency: newFamily(prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Subsystem: subsystem, Name: "queue_duration_seconds", Buckets: buckets,
			Help: "For how long items wait from when they are added until a worker gets them.",
		}, labels)),
		workDuration: newFamily(prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Subsystem: subsystem, Name: "work_duration_seconds", Buckets: buckets,
			Help: "For how long workers have items until they are done.",
		}, labels)),
		unfinishedWork: newFamily(prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Subsystem: subsystem, Name: "unfinished_work_seconds",
			Help: "For how long workers have had the items they have now, all together. " +
				"It grows by one a second for each worker that is stuck.",
		}, labels)),
		longestRunning: newFamily(prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Subsystem: subsystem, Name: "longest_running_processor_seconds",
			Help: "For how long a worker has had the item it has now: the longest of these times.",
		}, labels)),
		retries: newFamily(prometheus.NewCounterVec(prometheus.CounterOpts{
			Subsystem: subsystem, Name: "retries_total",
			Help: "Items added for later.",
		}, labels)),
	}
}

func (q *queues) collectors() []prometheus.Collector {
	return []prometheus.Collector{
		q.depth, q.adds, q.latency, q.workDuration, q.unfinishedWork, q.longestRunning, q.retries,
	}
}

func (q *queues) NewDepthMetric(name string) workqueue.GaugeMetric { return newGauge(q.depth, name) }

func (q *queues) NewAddsMetric(name string) workqueue.CounterMetric { return newCounter(q.adds, name) }

func (q *queues) NewLatencyMetric(name string) workqueue.HistogramMetric {
	return newObserver(q.latency, name)
}

func (q *queues) NewWorkDurationMetric(name string) workqueue.HistogramMetric {
	return newObserver(q.workDuration, name)
}

func (q *queues) NewUnfinishedWorkSecondsMetric(name string) workqueue.SettableGaugeMetric {
	return newGauge(q.unfinishedWork, name)
}

func (q *queues) NewLongestRunningProcessorSecondsMetric(name string) workqueue.SettableGaugeMetric {
	return newGauge(q.longestRunning, name)
}

func (q *queues) NewRetriesMetric(name string) workqueue.CounterMetric {
	return newCounter(q.retries, name)
}
