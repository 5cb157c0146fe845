// Package controllers does the work of Kubernetes' controllers on a server of package apitest, synchronously: when
// the response to a write arrives, what follows from it has been done, so tests need not wait.
//
//	srv := apitest.Start(t, apitest.WithControllers(controllers.GarbageCollector(), controllers.Namespaces()))
//
// The controllers follow the documented behaviour of those in a cluster. A test can add its own, which implement
// [apitest.Controller].
package controllers
