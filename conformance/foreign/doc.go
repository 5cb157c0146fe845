// Package foreign runs tests that others wrote for the real API server on apitest: the
// suites of controller-runtime, which start a kube-apiserver and etcd, or take a server that
// is there.
//
// Each package of controller-runtime whose tests need a server gets one of its own. Its tests
// are compiled as they are, from the module cache, and told of the server by the environment
// that envtest reads. testdata/skipped.txt lists the tests that are left out, and why: all
// others pass.
//
// Besides, it compares controller-runtime's queue with priorities with ours.
//
// # Limits
//
// The packages pkg/envtest, pkg/internal/testing and pkg/certwatcher are about starting
// programs and files, not about servers. A test may wait long, but fails in the end if what
// it waits for does not come. Some of them look how long things take all the same: a spec that
// fails is tried three times, and so is a package.
package foreign
