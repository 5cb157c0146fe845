// Package envtest starts an API server for the tests of a controller, with the API of controller-runtime's
// package of the same name. A suite that uses that one changes its import:
//
//   - "sigs.k8s.io/controller-runtime/pkg/envtest"
//   - "github.com/listwatch/listwatch/controllerruntime/envtest"
//
// The server is apitest's: it runs in the process of the test, needs no binaries, and starts in milliseconds.
//
// # Terms
//
// An [Environment] has the fields and methods of controller-runtime's. All other types and functions of this
// package are controller-runtime's own by another name, so that values pass between both packages: options that
// install CRDs and webhooks, users, the parts of a control plane.
//
// # Operations
//
// [Environment.Start] starts the server, creates a serving certificate for webhooks under test, and installs the
// CRDs and the webhooks with their URLs rewritten to it. [Environment.AddUser] returns the configuration of a user with a client
// certificate. [Environment.Stop] ends everything. An environment can be started again, and is empty then. With
// [Environment.UseExistingCluster], or USE_EXISTING_CLUSTER=true in the environment, no server is started.
//
// Flags that a suite has configured for kube-apiserver
// (Environment.ControlPlane.GetAPIServer().Configure()) apply as apitest.FlagOptions documents; others are logged
// and ignored.
//
// # Limits
//
// What concerns programs has no effect, since there are none: the paths of binaries and their download, the
// timeouts to start and stop them, their output and their etcd. [Environment] says so at each field. Tests that
// connect to etcd do not run. Limits of package apitest/embedded hold.
package envtest
