// Package foreign runs third-party tests for the real API server on apitest: the suites of
// controller-runtime, which start a kube-apiserver and etcd, or use an existing server.
//
// Each package of controller-runtime whose tests need a server gets its own. Its tests are compiled
// unchanged from the module cache, and get the server's address from the environment variables of
// envtest. testdata/skipped.txt lists the omitted tests with the reasons: all others pass.
//
// TestProgram runs the tests of envtest itself, on copies of cmd/apitest in the place of kube-apiserver
// and etcd. TestEnvtest runs them with the import of controllerruntime/envtest.
//
// It also runs the suite of controller-runtime's cache with our informers in place of client-go's,
// and compares controller-runtime's priority queue with ours.
//
// # Limits
//
// The packages pkg/internal/testing/process and pkg/certwatcher test programs and files, not servers. A test may wait long, but fails eventually if the expected event does not occur. Some
// tests still measure time: a spec that fails is tried three times, and so is a package.
package foreign
