// Package apitest runs a Kubernetes API server inside a test or a program.
//
// It starts in milliseconds and needs no binaries, no cluster and no network but loopback.
// What it does with requests is done by the code of Kubernetes itself (k8s.io/apiserver and
// k8s.io/apiextensions-apiserver, over a storage in memory), and a suite of scripts holds
// its answers against those of a real kube-apiserver. A test of a controller is a few lines:
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
//		for event := range changes.ResultChan() { // ... until the status is what it should be
//	}
//
// # Terms
//
// A [Server] listens on a port of its own on 127.0.0.1, with HTTP/2 over TLS, under a
// certificate that is made once in a process. It is independent of all other servers in the
// process; tests may run in parallel. Its backend holds all objects, under one resource
// version that grows with each change, and the history of changes that watches start from.
//
// Resources come from two places. Definitions are CustomResourceDefinitions: from manifests
// (WithCRDs), from objects (WithCRDObjects, [Server.Apply]), or created by any client while
// the server runs. The scheme has kinds as Go types: Kubernetes' own, unless WithScheme gives
// another. A definition goes before a kind of the scheme of the same name.
//
// A user is who asks: [Server.Config] is for an admin who may do everything,
// [Server.ConfigFor] for anyone else. Roles and bindings give users their rights, as they do
// in a cluster, so that a controller can be tested with the rights that its manifests give
// it; WithAuthorizer decides otherwise.
//
// # Operations
//
// [Start] is for tests, [New] for programs. Both return when the server answers and serves
// all that the options ask for. [Server.Config] is for clients of listwatch,
// [Server.Kubeconfig] and [Server.WriteKubeconfig] for all others, such as kubectl and those
// of client-go.
//
// [Server.Restart] is what a server does that is replaced: all connections and watches end,
// the objects stay, and no watch goes on from before. [Server.Faults] makes the server
// misbehave: connections break, history expires, requests are delayed or refused.
// [Server.Stop] ends all: when it returns nothing is served any more, and no goroutine of the
// server is left.
//
// # Time
//
// Nothing is polled or waited for. A definition is established and its resources are served
// when the request that creates it is answered; the namespaces default, kube-system,
// kube-public and kube-node-lease are there from the start, as is the service that the server
// itself is, kubernetes; rights hold as soon as roles and bindings are written, and webhooks
// are asked as soon as they are configured. A resource costs nothing before somebody asks for
// it, and then a few milliseconds once.
//
// # Limits
//
// There is the API server, and no cluster around it. Nothing runs the controllers of
// Kubernetes: pods do not start, deployments have no replica sets, owners do not take their
// dependents with them, service accounts have no tokens of their own accord, and a namespace
// that is deleted terminates until somebody finalizes it. There is no aggregation of other
// API servers, no admission by policies, and no quota, priority and fairness. Webhooks, those
// that admit requests and those that convert custom resources, are reached by their URLs, or
// by their services' names as the system resolves them. The OpenAPI documents are those of
// the definitions; of Kubernetes' own kinds they say only what can be asked for. Of the roles
// that a cluster is born with there are, without being objects, cluster-admin,
// system:discovery, system:basic-user and system:public-info-viewer; whoever may write roles
// may write any. Reviews tell whether a user may do one thing, not all that it may do: there
// are no SelfSubjectRulesReviews.
//
// Kubernetes' code logs with klog, for the whole process, and so says on stderr what a test may
// have wanted: a token that is wrong, a connection that was cut. klog.SetLogger changes that.
//
// All is kept in memory: a server that stops takes its objects with it. Tokens do not
// expire, and the server trusts whoever runs on the same machine no more than any: without
// a token a client may ask for health and version only.
package apitest
