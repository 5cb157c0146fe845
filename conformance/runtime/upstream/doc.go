// Package upstream runs client-go's own tests on the runtime.
//
// Their source is read from client-go in the module cache. For each package with a counterpart in
// the runtime, imports are replaced according to docs/compatibility.md, and what then fails to
// compile is dropped: a test may use something that client-go does not export, or that we omit. The
// rest is compiled, and each test runs in its own process.
//
// Packages that use those packages, such as tools/pager, are taken whole: their
// imports are replaced too, and everything except the tests must compile.
//
// # Terms
//
//   - A test is the same if it passes.
//   - It differs if it fails; then there is a reason why that is intended. If
//     subtests differ, they are named, and the others must pass.
//   - It is internal if it does not compile, because of the missing names that are listed, or
//     because of the compiler's error. More may be missing.
//
// testdata/tests.txt lists all tests with their results, and is compared with the current results:
//
//	LISTWATCH_UPDATE=1 go test ./runtime/upstream
//
// updates it and retains reasons, which are hand-written. A test that fails without a reason is an
// error in any case. With -keep=directory, the rewritten source and the tests' programs stay there
// for investigating a failure; lines have the same numbers as in client-go.
//
// With -clientgo, the tests run with [github.com/listwatch/listwatch/runtime/compat.ClientGo], as they would in a program
// that replaces client-go by the module client-go. Those that differ are logged.
//
// # Stand-ins
//
// Some unexported names of client-go that tests use can be declared with what the runtime exports.
// A file in testdata/standins, named after the package, declares such names; if tests declare the
// same, it replaces theirs.
//
// # Limits
//
// Tests are dropped by declarations: one line that does not compile drops the whole test. Many of
// client-go's tests assume a fast machine; one that fails although the table lists it as passing is
// run three times.
package upstream
