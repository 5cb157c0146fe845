// Package process makes API servers for tests, of which a test links next to nothing.
//
// The servers are package apitest's, in a program that a test binary starts once. A server in it starts in
// milliseconds. The functions, options and methods have the names of package apitest:
//
//	func TestShelve(t *testing.T) {
//		srv := process.Start(t, process.WithCRDs("../config/crd"))
//		clients := versioned.NewForConfigOrDie(srv.Config())
//		...
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
// # Limits
//
// Some options take Go values, so only package apitest has them: WithScheme, WithAuthorizer, WithControllers with your own
// controllers, and WithoutNetwork, which tests in a bubble of testing/synctest need. Clients of client-go read
// [Server.Kubeconfig].
// The first use of a resource in a program takes a few milliseconds more than later ones. The connection to the program
// is not closed before the test binary ends, which detectors of leaking goroutines report.
package process
