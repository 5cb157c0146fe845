// Package operators runs suites of real operators, from the Go module proxy, that use controller-runtime's envtest.
//
// Each suite runs unchanged on three servers: the real kube-apiserver and etcd, cmd/apitest in their place
// (KUBEBUILDER_ASSETS), and an apitest server as existing cluster. Then the operator is moved to the
// controller-runtime of module controllerruntime and runs twice, with controller-runtime's cache and with NewCache,
// which is the only change between both; and once more with controllerruntime/envtest as well.
//
// More operators are compiled once: their managers have options that the environment chooses. They run with
// controller-runtime's cache on the real server and on apitest, and on apitest with NewCache, and with NewClient too.
//
// The tests have the tag programs, since they download and compile the operators; "make operators" runs them and
// writes docs/operators.md.
package operators
