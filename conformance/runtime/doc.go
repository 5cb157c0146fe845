// Package runtime contains the tests that compare the packages of the runtime, and generated clients on them, with
// client-go's.
//
// The same calls on both, whose requests, results, errors and events are compared:
//
//   - requests: generated clients
//   - untyped, fakes: dynamic and metadata clients; fake clientsets
//   - discovery, mapping: discovery; REST mappers, short names and scales
//   - kubeconfig: kubeconfigs
//   - events: recorders of events
//   - goaway, streaming: HTTP/2 connections that end; exec, attach and port forwarding
//   - decoding, printing: decoding, also beside apimachinery's; configurations as text
//   - relist: informers whose watches miss changes
//   - replicas: what replicas that share objects cost, beside leader election
//   - election, soak: leader election, and informers, while their server is disturbed
//
// Programs of others, before and after they move:
//
//   - upstream: client-go's own tests on the runtime
//   - migration: a controller, and real programs, moved by listwatch-migrate
//   - behaviour, replace: a script, and real programs, with the line in go.mod that replaces client-go
//
// The target conformance-peers runs them. What needs the real API server, the target conformance-kube runs, and real
// programs, the targets programs, replace and replace-cluster.
package runtime
