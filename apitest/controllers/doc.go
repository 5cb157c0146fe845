// Package controllers does the work of Kubernetes' controllers on a server of package embedded, synchronously: when
// the response to a write arrives, what follows from it has been done, so tests need not wait.
//
//	srv := embedded.Start(t, embedded.WithControllers(controllers.All()...))
//
// [GarbageCollector], [Namespaces] and [ServiceAccounts] maintain objects of all kinds, [ResourceQuotas] counts what
// is used, and [PolicyTypes] checks the expressions of admission policies. [Deployments], [ReplicaSets], [StatefulSets]
// and [Jobs] create pods, [Scheduler] assigns them to nodes, and [Kubelet] gives them the status that the test wants. Each
// is independent of the others: without the kubelet, a test sets the status of pods itself. A test can add controllers of
// its own, which implement [embedded.Controller].
//
// # Limits
//
// The controllers follow the documented behaviour of those in a cluster, except for what takes time there: nothing is
// retried later, no deadline passes, and pods are ready, or gone, at once. They record no events. Each write costs
// lists of the kinds that concern it, so thousands of pods are slow.
package controllers
