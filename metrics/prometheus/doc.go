// Package prometheus exports the metrics of clients, work queues, reflectors and informers to Prometheus.
//
// Call [Register] once, before creating any of them:
//
//	if err := prometheus.Register(registry); err != nil {
//		return err
//	}
//
// In a registry that has client-go's metrics of clients and queues already, call [RegisterInformers] instead.
//
// To report only parts of a process to a registry, create [Metrics] and pass their providers to single queues
// and informers.
//
// # Metrics
//
// The names, labels and buckets are those of Kubernetes' own components (k8s.io/component-base), so dashboards
// and alerts for these work unchanged:
//
//   - rest_client_*, by verb or method, host and code;
//   - workqueue_*, by the name of the queue; a queue without a name has no metrics;
//   - reflector_*, by the name of the reflector;
//   - informer_*, by the informer's name, group, version and resource; an informer without its own name has no
//     metrics.
//
// [States], which Register registers too, reports the remaining state of informers, including those without a
// name: informer_phase, informer_objects, informer_bytes, informer_unindexed_objects, informer_handler_lag and
// informer_handler_lag_seconds. Informers whose objects are packed also have informer_decoded_objects_total and
// informer_unpacked_objects_total. Register does not register [LeaderElection], which has leader_election_* by the
// name of the elector, and [Rings], which has shards_* by the name of a ring of replicas that share work.
//
// # Lifetime
//
// A series exists as long as the object that it measures: it is removed when the queue, reflector or informer
// is collected, or when the informer's name is released. Series of short-lived informers therefore do not
// accumulate.
package prometheus
