// Package apitest runs Kubernetes API servers for tests.
//
// A server needs no cluster, starts in milliseconds, and runs Kubernetes' own handlers (k8s.io/apiserver and
// k8s.io/apiextensions-apiserver) on an in-memory store; a suite of scripts compares its responses with those of a real
// kube-apiserver. The servers are in a program that a test binary starts once, so that a test links next to nothing of
// them. A test of a controller takes a few lines:
//
//	func TestShelve(t *testing.T) {
//		srv := apitest.Start(t, apitest.WithCRDs("../config/crd"))
//		clients := versioned.NewForConfigOrDie(srv.Config())
//		go shelve(t.Context(), clients) // the controller
//
//		books := clients.LibraryV1().Books("default")
//		book, err := books.Create(t.Context(), emma, metav1.CreateOptions{})
//		...
//		changes, err := books.Watch(t.Context(), metav1.SingleObject(book.ObjectMeta))
//		...
//		for event := range changes.ResultChan() {
//			... // until the status is as expected
//		}
//	}
//
// # The program
//
// The program is the tool cmd/apitest of the module in the working directory:
//
//	go get -tool github.com/listwatch/listwatch/apitest/cmd/apitest
//
// The go command builds it at its first use, which takes minutes, and has it in its cache then. The package prints to
// the standard error how long that has taken so far; start a server before a context with a deadline. Tests of several
// packages that begin at once would all build it; "go tool apitest --help" before them does that once. If the
// environment variable APITEST is the path of a file, that is the program, and no go command is called: releases have it
// for common platforms.
//
// The test controls the program over its standard input and output. It ends when these are closed, so that nothing is
// left of a test that is killed. What it logs is printed only if it fails.
//
// # In the process of the test
//
// A file of the test that imports package inprocess makes all servers of this package run in the process of the test:
//
//	import _ "github.com/listwatch/listwatch/apitest/inprocess"
//
// Package embedded has this API for servers in the process alone, and the options and methods whose values cannot leave
// it: WithScheme serves Go types without CRDs, WithAuthorizer and WithControllers take implementations,
// WithWebhookTransport wraps the requests to webhooks, WithoutNetwork is for bubbles of testing/synctest, and RESTConfig is
// of client-go.
//
// # Terms
//
// A [Server] listens on its own port of 127.0.0.1, by default with TLS and HTTP/2. Servers share nothing except the
// authority that signs their certificates, so tests may run in parallel. A server stores all objects under one
// resource version, which increases with each write, and the history of writes from which watches start.
//
// Resources come from two sources: CustomResourceDefinitions (CRDs), and Go types in a scheme. CRDs are read from
// manifests ([WithCRDs]), passed as objects ([WithCRDObjects], [Server.Apply]), or created by any client while the
// server runs. The scheme contains Kubernetes' own kinds. If both have a resource, the CRD is served.
//
// Requests are sent by users. [Server.Config] is for an admin with all permissions, [Server.ConfigFor] for any other
// user; both have a token, and [Server.Certificate] returns a certificate instead. As in a cluster, roles and
// bindings determine the permissions of users, so a controller can be tested with the roles with which it is
// deployed. The roles and bindings that every cluster has exist. A user can only grant permissions that they have, and
// only write admission policies whose parameters they may read.
//
// # Operations
//
// [Start] is for tests, [New] for programs. Both return when the server responds and serves everything in the options.
// Clients of listwatch use [Server.Config]; those of client-go and controller-runtime, and programs such as kubectl,
// use [Server.Kubeconfig] or [Server.WriteKubeconfig].
//
// [WithManifests] creates objects of any kinds from files, [WithManifestText] from the output of kustomize. A test
// that serves webhooks gets a certificate from [NewCertificate], and [WithWebhooks] sends their requests to it.
//
// Suites that use controller-runtime's envtest run on the program unchanged:
//
//	KUBEBUILDER_ASSETS=$(go tool apitest assets bin/apitest) go test ./...
//
// "go tool apitest check" reports what a server refuses of CRDs, admission policies, configurations of webhooks and other
// objects in files.
//
// [WithObjects] creates objects from the start, through the same handlers as clients' requests, but without the
// network. [Server.Snapshot] and [Server.Restore] return to earlier objects in less than a millisecond, so that tests
// can share a server. [Server.Record] records the requests of clients, to assert on: a reconciliation has written
// nothing, or patched one status. [Server.Advance] moves the server's clock, by which events, tokens and history
// expire.
//
// [Server.Restart] closes all connections and watches, and keeps the objects; watches cannot resume from before it.
// [Server.Faults] breaks connections, expires history, and delays or rejects requests. [Server.Stop] ends everything:
// when it returns, no request is in progress, and the server's port is closed.
//
// # Time
//
// Nothing needs to be waited for. When the request that creates a CRD returns, the CRD is established and its
// resources are served. Permissions are active as soon as roles and bindings are written, and webhooks are called as
// soon as they are configured, as are admission policies, LimitRanges, ResourceQuotas and what other admission
// plugins read; docs/admission.md lists them. With [WithControllers], the response to a write arrives when its
// consequences are done: owned objects are deleted with their owners, and deployments rolled out. Roles with an
// aggregation rule have the rules of the roles that they select. The namespaces default, kube-system, kube-public and
// kube-node-lease exist from the start, and so do priority classes, flow schemas, and the service kubernetes, which is
// the server itself. A resource costs nothing before its first request, which takes a few additional milliseconds.
//
// # Limits
//
// There is an API server, but no cluster around it. By default no controllers run; [WithControllers] runs stand-ins.
// Without them pods do not start, deployments have no replica sets, objects are not deleted with their owners, service
// accounts get no tokens, a deleted namespace terminates until its finalizers are removed, and a ResourceQuota rejects
// what it concerns until somebody sets its status, as on a server without controllers. Priority and fairness, and
// nodes are missing, and so is aggregation of other API servers. Custom resources are validated completely;
// docs/validation.md lists what is validated of Kubernetes' own kinds. Webhooks, both for admission and for conversion
// of custom resources, are reached at their URLs, or at the names of their services as the system resolves them.
// OpenAPI documents describe the resources that are served.
//
// Everything is in memory and is lost when the server stops. An object takes its encoded state and some hundred bytes,
// and what it takes as a Go object after it was read or while it is watched: a ConfigMap with 500 bytes of data 1.0 KB
// and 2.2 KB. A watch takes 45 KB, with its client. The history of a resource retains what writes have replaced, for
// five minutes and up to 256 MiB, or as [WithHistory] sets. A watch whose reader is slow retains its position in the
// history and up to 32 events. When the history no longer contains the next one, the watch ends with the error 410
// Gone, after all earlier events. The real server closes such a watch, and the error is the response to the next one.
// With 100,000 such objects, 10,000 watches and 50 slow readers of a resource with a full history, a server takes 1.1
// GB; "make load" measures and checks this.
//
// Tokens that the server issues to service accounts (TokenRequests) are JWTs; they are valid for their audiences,
// until they expire or their service account is deleted. Tokens of [Server.ConfigFor] do not expire. Without a token,
// a client may only request health and version; [WithPlainHTTP] is the exception.
//
// The first use of a resource takes a few milliseconds more than later ones. The connection to the program is not closed
// before the test binary ends, which detectors of leaking goroutines report.
package apitest
