// Package programs migrates real programs, at pinned versions from the Go module proxy, with
// listwatch-migrate, and runs their own unit tests before and after.
//
// Each program is copied, and its requirements of k8s.io modules are raised to client-go's version
// here. Its tests run. Then a second copy is migrated, its clients are generated again with the
// commands that listwatch-migrate prints, as they are printed, and the same tests run with the same
// dependencies. Libraries of the program that have types of client-go in their API are migrated with it.
//
// docs/programs.md lists the results, and each test that differs with its reason. The
// tests compare it with the current results, and write it with LISTWATCH_UPDATE=1:
//
//	make programs
//	cd conformance && LISTWATCH_UPDATE=1 go test -tags programs -v -timeout 2h ./runtime/migration/programs
//
// -run=TestPrograms/name selects a program; -keep=directory keeps the copies there for
// investigating a failure.
//
// The tests download whole programs and are not part of "make conformance".
package programs
