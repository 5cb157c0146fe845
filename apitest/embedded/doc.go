// Package embedded runs the API servers of package apitest in the process of a test or a program.
//
// The functions, options and methods have the names of package apitest, which describes what a server is and does. A test
// that uses this package links the server, and takes longer to build; it needs no program.
//
//	srv := embedded.Start(t, embedded.WithScheme(scheme))
//	clients := kubernetes.NewForConfigOrDie(srv.RESTConfig())
//
// # What only this package has
//
// [WithScheme] serves the kinds of Go types, without CRDs. [WithAuthorizer] replaces RBAC, and [WithControllers] takes
// implementations of [Controller] beside those of package controllers. [WithWebhookTransport] takes the place of webhooks, or
// disturbs them. With [WithoutNetwork], clients connect in memory,
// so that server and clients can run in a bubble of testing/synctest. [Server.RESTConfig] and [Server.RESTConfigFor] return
// configurations of client-go. [Check] reports what a server refuses of CRDs, admission policies, configurations of
// webhooks and other objects in files. [FlagOptions] returns the options for flags of
// kube-apiserver.
//
// [WithObjects] sends objects through the same handlers as clients' requests, but without the network.
//
// # Limits
//
// Those of package apitest hold. Kubernetes' code logs with klog, which the whole process shares. It also logs to stderr
// what a test causes on purpose, such as a wrong token or a closed connection; klog.SetLogger redirects it.
//
// Errors that are reported to k8s.io/apimachinery/pkg/util/runtime do not pause the process that links this package: the
// pause is until a millisecond after the last error, of which a bubble does not know the time.
package embedded
