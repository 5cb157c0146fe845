// Package replace runs the tests of real programs, from the Go module proxy and unchanged, before and after one line
// of their go.mod: the replacement of k8s.io/client-go by this repository's module client-go.
//
// Each program is copied, and its requirements of Kubernetes' libraries are raised to client-go's version. What
// client-go depends on has the versions that client-go requires, so that both sides and all programs share compiled
// packages. The packages that the table lists are tested with client-go and then, with
// another go.mod, with the line. Results are compared test by test: [Results] holds them, and [Differences] returns
// those that are not the same. Packages with a difference are tested again on both sides, up to two times; how many
// tests passed only then is counted and reported.
//
// docs/replace.md lists the results, and each difference with its reason, which is part of the table here. A test
// fails for a difference without a reason, and for a reason without a difference.
//
//	make replace
//	cd conformance && LISTWATCH_UPDATE=1 go test -tags programs -v -timeout 8h -run TestPrograms/sealed-secrets ./runtime/replace
//
// The test of all programs has the tag programs, since it downloads and compiles them. [TestPart] runs a part of them
// that takes minutes.
package replace
