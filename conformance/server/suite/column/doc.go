// Package column runs the suite's cases with generated clientsets, and reports the results.
//
// # Terms
//
// A column contains the result of every case when its requests are sent by typed calls (see package
// typed): on a clientset, over HTTP, or on a fake clientset, in memory. The verdict is that the
// answers are the [Same] as the real server's, that something [Differs], or that the case is
// [NotApplicable]: the typed API cannot send an important request of it. The [Verdict] of a case
// that differs, or is not applicable, contains the reason.
//
// # Comparison
//
// Typed calls do not return a server's whole response. [Clientset] therefore takes the status code,
// headers and, for deletions, the object from the original response, and sends requests that no
// call can send unchanged, so that the rest of the case can continue; these are counted. The rest
// of the answers is what Go types contain.
//
// [Fake] has no HTTP responses. comparable.go lists what is removed from both sides before a fake
// is compared: what it does not have for any object, according to its documentation.
//
// Types of custom resources belong to one group, while each case has its own group. The names are
// exchanged in both directions.
//
// # Tables
//
// The columns are testdata/clientset.txt and testdata/fake.txt. Verdicts are compared with them; a
// difference that appears or disappears fails the test. To update them:
//
//	LISTWATCH_UPDATE=1 go test ./server/suite/column
//
// which retains reasons and proposes missing ones, or writes "?": they must be reviewed and
// completed by hand.
package column
