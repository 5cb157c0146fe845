// Package apitest runs a Kubernetes API server inside a test or a program.
//
// It starts in milliseconds and needs no binaries and no cluster. Requests are handled by the
// code of Kubernetes itself (k8s.io/apiserver and k8s.io/apiextensions-apiserver) over a store
// in memory, and a suite of scripts compares the answers with those of a real kube-apiserver.
// A test of a controller is a few lines:
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
// A [Server] listens on its own port of 127.0.0.1, by default with TLS and HTTP/2. It shares
// nothing with other servers in the process but its certificate, so tests may run in parallel.
// It keeps all objects under one resource version, which grows with each change, and the history
// of changes that watches start from.
//
// Resources come from two places: CustomResourceDefinitions, and Go types in a scheme.
// Definitions are read from manifests ([WithCRDs]), given as objects ([WithCRDObjects],
// [Server.Apply]), or created by any client while the server runs. The scheme has Kubernetes' own
// kinds, unless [WithScheme] gives another. If both have a resource, the definition is served.
//
// A user is who sends a request. [Server.Config] is for an admin with all rights,
// [Server.ConfigFor] for any other user. As in a cluster, users have the rights that roles and
// bindings give them, so a controller can be tested with the roles that it is deployed with.
// [WithAuthorizer] replaces this.
//
// # Operations
//
// [Start] is for tests, [New] for programs. Both return when the server answers and serves all
// that the options ask for. Clients of listwatch use [Server.Config]; others, such as kubectl and
// those of client-go, use [Server.Kubeconfig] or [Server.WriteKubeconfig].
//
// [Server.Restart] ends all connections and watches, and keeps the objects; watches cannot resume
// from before it. [Server.Faults] breaks
// connections, expires history, and delays or refuses requests. [Server.Stop] ends everything:
// when it returns, no request is being served, and the server's port is closed.
//
// # Time
//
// Nothing has to be waited for. When the request that creates a definition is answered, the
// definition is established and its resources are served. Rights hold as soon as roles and
// bindings are written, and webhooks are asked as soon as they are configured. The namespaces
// default, kube-system, kube-public and kube-node-lease exist from the start, and so does the service
// kubernetes, which is the server itself. A resource costs nothing before its first request, and then
// a few milliseconds once.
//
// # Limits
//
// There is an API server, but no cluster around it. None of Kubernetes' controllers run: pods do
// not start, deployments have no replica sets, objects stay when their owners are deleted, service
// accounts get no tokens by themselves, and a deleted namespace terminates until somebody finalizes
// it. There is no aggregation of other API servers, no admission by policies, no quota, and no
// priority and fairness. Webhooks, both those that admit requests and those that convert custom
// resources, are reached by their URLs, or by the names of their services as the system resolves
// them. OpenAPI documents (v3 only) have schemas for custom
// resources, and for Kubernetes' own kinds only the operations. Of the roles that every cluster has,
// cluster-admin, system:discovery, system:basic-user and system:public-info-viewer are in force,
// without being objects. Whoever may write roles may write any role, also one with more rights than
// their own. Access reviews answer whether a user may do one thing; there are no
// SelfSubjectRulesReviews, which would list everything.
//
// Kubernetes' code logs with klog, which is shared by the whole process. It prints to stderr also
// what a test causes on purpose, such as a wrong token or a cut connection; klog.SetLogger
// redirects it.
//
// Everything is in memory and is gone when the server stops. Tokens do not expire. Without a token,
// a client may only ask for health and version; see [WithPlainHTTP] for the exception.
package apitest
