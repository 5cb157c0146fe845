// Package requests checks by execution that generated code behaves like code-generator's, and our
// own runtime like client-go: the same calls send the same HTTP requests, return the same results
// for the same responses, record the same actions on the fakes, and deliver the same events to
// handlers.
//
// # Method
//
// An [Input] is a set of API packages: a selection of k8s.io/api, or a case below testdata/apis.
// For each, a [Side] generates its tree into a scratch module, builds the driver program with it,
// and compares the program's output, call by call. Both sides' modules have the same path and
// contain the same driver, byte for byte; only the generated trees differ. Package drive is the
// driver, package transcript is its output.
//
// Equal transcripts could be equally empty, or equally wrong: therefore the test also contains the
// expected effects of some calls.
//
// # Flavours
//
// Upstream's tree is driven once, and ours in each flavour. For the input of [Builtin], nothing is
// generated: client-go's own packages are driven beside those of the module kubernetes. The driver is written for client-go.
// For a tree with another runtime, a [Flavour] maps packages to their replacements; the driver's
// imports are rewritten when it is copied.
//
// # Exceptions
//
// If ours differs intentionally, an [Exception] describes which calls of which input differ, why,
// and how: it either turns upstream's behaviour into ours, or removes unpredictable parts. Those in
// generated.go concern generated code, those in answered.go requests and responses, those in
// faked.go fakes. Actions of fakes are never removed. An unused exception is an error.
//
// # Limits
//
// Scratch modules are in conformance/.work/requests and stay there after the test for inspection.
// Their requirements are this module's.
package requests
