// Package sites is a controller to copy: it runs web sites.
//
// A [Site] is a page and a number of web servers. For each, the controller keeps a ConfigMap with the page and a
// Deployment of web servers, which the site owns, and an entry in the directory of all sites, which it cannot own:
// owner references do not reach into other namespaces, so a finalizer removes the entry.
//
// # Reading
//
//   - apis/web/v1: the types; config: the CRD, the rights, the deployment of the controller.
//   - controller.go: the parts of the controller, and how they start and stop.
//   - handlers.go: which site a change concerns, and how urgent it is.
//   - worker.go: the loop around the work queue.
//   - reconcile.go: what is done for a site: finalizer.go, owned.go, status.go.
//   - program.go: events, health, metrics; leader.go: leader election; share.go: replicas that share the sites in
//     place of it; cmd/sites: flags and signals.
//
// # Testing
//
//   - sites_test.go: the controller on an API server in the test's process.
//   - rights_test.go: its rights suffice, and it needs each of them.
//   - share_test.go: replicas that share the sites, of which one is lost.
//   - faults_test.go: it survives a server that fails, and crashes between any two writes.
//
// `make demo` runs cmd/demo.
//
// [Site]: https://github.com/listwatch/listwatch/tree/main/examples/sites/apis/web/v1/types.go
package sites

//go:generate go tool gen-all --output-dir generated --output-pkg github.com/listwatch/listwatch/examples/sites/generated --crd-dir config/crd ./apis/...
