// Package upstream runs client-go's own tests on the runtime.
//
// Their source is read where the go command keeps client-go. For each package that the
// runtime has a package for, imports are replaced as docs/compatibility.md says, and what
// does not compile then is dropped: a test may use what client-go does not export, or what
// we leave out. The rest is compiled, and each test runs in a process of its own.
//
// Packages that are written for those, such as dynamic and tools/remotecommand, are taken
// whole: their imports are replaced too, and all of what is not a test must compile.
//
// # Terms
//
//   - A test is the same if it passes.
//   - It differs if it does not; then there is a reason why that is meant to be. Where
//     subtests differ, they are named, and the others must pass.
//   - It is internal if it does not compile, for the lack of the names that are given, or
//     for what the compiler says. There may be more that it lacks.
//
// testdata/tests.txt lists all tests with what has become of them, and is compared with
// what becomes of them now:
//
//	go test ./upstream -update
//
// writes it anew and keeps reasons, which are written by hand. A test that fails without a
// reason is an error either way. With -keep=folder, what is rewritten and the tests'
// programs stay there for who looks into a failure; lines have the numbers that they have in
// client-go.
//
// # Stand-ins
//
// Some of what tests take from inside client-go can be had from what the runtime exports. A
// file of testdata/standins, named after the package, declares such names; where tests
// declare the same, it replaces theirs.
//
// # Limits
//
// Tests are left out by declarations: one line that does not compile costs the whole test.
// Many of client-go's take it for granted that the machine is fast; one that fails though
// the table says that it does not is run three times.
package upstream
