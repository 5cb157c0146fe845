// Package server contains the tests that compare apitest with the real API server: what passes on the one passes on the
// other.
//
//   - suite: scripts of requests and responses; generated clients, fakes and informers run them too
//   - kubectl: kubectl's commands, and OpenAPI documents
//   - lifetime: a controller's test, from the start of its server to the end
//   - programs: the programs of examples/tour
//   - foreign: controller-runtime's own suites; a module of its own, as it has other requirements
//   - operators: suites of real operators
//   - shards: replicas that share objects, as processes that are disturbed
//
// The target conformance-kube runs the tests of both servers, conformance-peers and conformance-foreign those of apitest
// alone, and the target operators the suites of operators, which come from the Go module proxy.
package server
