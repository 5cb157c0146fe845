// Package column runs the suite's cases through emitted clientsets, and says how far they go.
//
// # Terms
//
// A column says of every case what became of it when its requests were made by typed calls
// (see package typed): on a clientset, over HTTP, or on a fake clientset, in memory. The
// verdict is that the answers are the [Same] as those of the real server, that something
// [Differs], or that the case is [NotApplicable]: that the typed API cannot make a request that
// matters. A case that differs, or is not applicable, has a [Verdict] with the reason.
//
// # Comparison
//
// Typed calls do not return all that a server answers. [Clientset] therefore takes the status
// code, headers and, of deletions, the object from the wire, and sends requests that no call
// makes as they are, so that the rest of the case can go on; these are counted. What is left
// of answers is what Go types carry.
//
// [Fake] has no wire. comparable.go lists what is left out of both sides before a fake is
// compared: what it does not have for any object, by its documentation.
//
// Types of custom resources belong to one group, while each case has a group of its own.
// The names are exchanged on the way in and out.
//
// # Tables
//
// The columns are testdata/clientset.txt and testdata/fake.txt. Verdicts are compared with
// them; a difference that appears or vanishes fails the test. To write them anew:
//
//	go test ./suite/column -update
//
// which keeps reasons, and proposes what is missing, or leaves "?": people look at what is, and
// say why.
package column
