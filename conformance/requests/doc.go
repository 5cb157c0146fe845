// Package requests proves by execution that the generators emit code which does
// what code-generator's does, and that our own runtime does below it what client-go
// does: the same calls send the same HTTP requests, make the same of the same
// answers, record the same actions on the fakes, and inform handlers of the same
// events.
//
// # How
//
// An [Input] is a set of API packages: a selection of k8s.io/api, or a case under
// testdata/apis. For each, a [Side] generates its tree into a scratch module, the
// driver program is built over it, and what that prints is compared, call by
// call. Both sides' modules have the same path and hold the same driver, byte for
// byte; only the generated tree is theirs. Package drive is the driver, package
// transcript is what it prints.
//
// Equal transcripts could be equally empty, or equally wrong: the test therefore
// also spells out what some calls must do.
//
// # Flavours
//
// Upstream's tree is driven once, and ours in each flavour. The driver is written
// against client-go. For a tree over another runtime, a [Flavour] says which package
// stands in for which; the driver's imports are rewritten when it is copied.
//
// # Exceptions
//
// Where ours is meant to differ, an [Exception] says which calls of which input, why,
// and how: either it makes what ours does out of what upstream does, or it takes away
// what cannot be told in advance. Those in generated.go are about emitted code, those
// in answered.go about requests and answers, those in faked.go about fakes. Actions of
// fakes are never taken away. An exception that nothing needs is an error.
//
// # Limits
//
// Scratch modules are below conformance/.work/requests and stay there after the
// test, to be looked at. Their requirements are this module's own.
package requests
