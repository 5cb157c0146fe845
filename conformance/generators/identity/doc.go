// Package identity checks that the generators, in the client-go flavour, print the same as
// code-generator: the same files, and in every package the same API.
//
// # Terms
//
// An input is a set of API packages with the command lines that generate from it: k8s.io/api with
// the options for client-go's own clients, each case below testdata/apis that code-generator
// accepts, and the API modules of real projects. Each project is required by a module of its own, whose files are
// testdata/projects/NAME.go, NAME.mod and NAME.sum: the test writes it to a directory of its own. Both peers get the same
// command lines, except for the output directory; see package peers. Their output is type-checked (package source), described symbol by symbol (package
// goapi), and compared. Each difference is one line:
//
//	PACKAGE.SYMBOL: upstream DESCRIPTION / ours DESCRIPTION
//
// A difference is an error unless the table of exceptions contains a reason for it; an unused
// exception is an error too.
//
// For k8s.io/api the output must also equal the released packages
// k8s.io/client-go/{kubernetes,informers,listers}, and all packages of client-go that import these
// must type-check with it in their place.
//
// # Limits
//
// The output is in conformance/.work/identity, where it stays until the next run for inspection.
// The contents of files are not compared beyond their API: package requests tests the behaviour of
// the code.
package identity
