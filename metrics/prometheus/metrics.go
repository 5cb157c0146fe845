package prometheus

import (
	"fmt"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/metrics"
	"github.com/listwatch/listwatch/runtime/workqueue"
)

// Metrics are the metrics of a process, or of a part of it. They are a collector, to be registered as a whole,
// and have providers for the measured objects. They are safe for concurrent use.
type Metrics struct {
	client    *client
	queues    *queues
	reflector *reflectors
	informers *informers
}

var _ prometheus.Collector = (*Metrics)(nil)

// New returns unregistered metrics to which nothing reports yet.
func New() *Metrics {
	return &Metrics{client: newClient(), queues: newQueues(), reflector: newReflectors(), informers: newInformers()}
}

// Register registers new metrics and the states of informers, and makes all clients, queues, reflectors and
// informers that are created from now on report to the metrics. Call it once, at the beginning of main. It
// returns the errors of the registerer, and changes nothing then.
func Register(registerer prometheus.Registerer) error {
	m := New()
	if err := registerer.Register(m); err != nil {
		return fmt.Errorf("register the metrics of clients and informers: %w", err)
	}
	if err := registerer.Register(NewStates()); err != nil {
		registerer.Unregister(m)
		return fmt.Errorf("register the states of informers: %w", err)
	}
	m.Install()
	return nil
}

// RegisterInformers is [Register] without the metrics of clients and work queues, for a registry that has those of client-go
// by the same names, such as controller-runtime's.
func RegisterInformers(registerer prometheus.Registerer) error {
	m := New()
	if err := registerer.Register(ofInformers{m}); err != nil {
		return fmt.Errorf("register the metrics of informers: %w", err)
	}
	if err := registerer.Register(NewStates()); err != nil {
		registerer.Unregister(ofInformers{m})
		return fmt.Errorf("register the states of informers: %w", err)
	}
	m.installInformers()
	return nil
}

// Install makes the whole process report to the metrics, unless it already reports to others.
func (m *Metrics) Install() {
	metrics.Register(m.Client())
	workqueue.SetProvider(m.Workqueue())
	m.installInformers()
}

func (m *Metrics) installInformers() {
	cache.SetReflectorMetricsProvider(m.Reflector())
	cache.SetInformerMetricsProvider(m.Informer())
}

// Client returns the options for [metrics.Register].
func (m *Metrics) Client() metrics.RegisterOpts { return m.client.opts() }

// Workqueue returns the provider for the configurations of queues, and for [workqueue.SetProvider].
func (m *Metrics) Workqueue() workqueue.MetricsProvider { return m.queues }

// Reflector returns the provider for [cache.SetReflectorMetricsProvider].
func (m *Metrics) Reflector() cache.MetricsProvider { return m.reflector }

// Informer returns the provider for the options of informers, and for [cache.SetInformerMetricsProvider].
func (m *Metrics) Informer() cache.InformerMetricsProvider { return m.informers }

// Describe is part of [prometheus.Collector].
func (m *Metrics) Describe(descs chan<- *prometheus.Desc) {
	for _, c := range append(m.ofClients(), ofInformers{m}) {
		c.Describe(descs)
	}
}

// Collect is part of [prometheus.Collector].
func (m *Metrics) Collect(metrics chan<- prometheus.Metric) {
	for _, c := range append(m.ofClients(), ofInformers{m}) {
		c.Collect(metrics)
	}
}

func (m *Metrics) ofClients() []prometheus.Collector {
	return append(m.client.collectors(), m.queues.collectors()...)
}

// ofInformers are the metrics of reflectors and informers.
type ofInformers struct{ *Metrics }

// Describe is part of [prometheus.Collector].
func (m ofInformers) Describe(descs chan<- *prometheus.Desc) {
	for _, c := range m.collectors() {
		c.Describe(descs)
	}
}

// Collect is part of [prometheus.Collector].
func (m ofInformers) Collect(metrics chan<- prometheus.Metric) {
	m.informers.releaseOld()
	for _, c := range m.collectors() {
		c.Collect(metrics)
	}
}

func (m ofInformers) collectors() []prometheus.Collector {
	return append(m.reflector.collectors(), m.informers.collectors()...)
}
