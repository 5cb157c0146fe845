// Package prometheus gives Prometheus what clients, work queues, reflectors and informers measure.
//
// A program calls [Register] once, before it makes any of them:
//
//	if err := prometheus.Register(registry); err != nil {
//		return err
//	}
//
// or, where it does not want the whole process to report to one registry, it makes [Metrics] and gives their
// providers to single queues and informers.
//
// # Metrics
//
// The names, labels and buckets are those of Kubernetes' own components (k8s.io/component-base), so that
// dashboards and alerts for these fit:
//
//   - rest_client_*, by verb or method, host and code;
//   - workqueue_*, by the name of the queue; one without a name has no metrics;
//   - reflector_*, by the name of the reflector;
//   - informer_*, by the informer's name, group, version and resource; an informer without a name of
//     its own has no metrics.
//
// [States], which Register registers too, tells of informers what these have no metrics for: informer_phase,
// informer_objects, informer_unindexed_objects, informer_handler_lag and informer_handler_lag_seconds, also of those
// without a name.
//
// # Life
//
// A series is there as long as what it measures: it goes when the queue, reflector or informer is collected,
// or when the informer's name is released. So the series of informers that come and go do not add up.
package prometheus
