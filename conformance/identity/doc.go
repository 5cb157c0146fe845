// Package identity proves that the generators, in the client-go flavour, emit
// what code-generator emits: the same files, and in every package the same API.
//
// # Terms
//
// An input is a set of API packages with the command lines that generate from
// it: k8s.io/api with the options that make client-go's own clients, each case
// under testdata/apis that code-generator accepts, and the API modules of real
// projects, each required by a module of its own under conformance/projects.
// Both peers get the same command lines but for the folder to write to, see
// package peers. What they leave is type-checked (package source), described
// symbol by symbol (package goapi), and compared. Each difference is one line:
//
//	PACKAGE.SYMBOL: upstream DESCRIPTION / ours DESCRIPTION
//
// A difference is an error unless the table of exceptions gives a reason for
// it; an exception that nothing needs any more is an error too.
//
// For k8s.io/api the output must also equal the released packages
// k8s.io/client-go/{kubernetes,informers,listers}, and all packages of client-go that
// import these must type-check with it in their place.
//
// # Limits
//
// Output goes below conformance/.work/identity, where it stays until the next
// run, to be looked at. Contents of files are not compared beyond their API:
// what the code does is shown by package requests.
package identity
