// Listwatch-migrate moves Go programs from client-go to listwatch.
//
//	listwatch-migrate --replace [flags] [packages]
//	listwatch-migrate [flags] [packages]
//
// # One line
//
// With --replace, no code changes. It writes one line into go.mod, and into go.work if client-go is replaced there:
//
//	replace k8s.io/client-go => github.com/listwatch/listwatch/client-go v0.1.0
//
// The packages of that module have the names of client-go's, and the types of listwatch. The program's libraries use
// them too, such as controller-runtime, so that values go between both as before. It requires Kubernetes' libraries in at
// least the version that the line requires, runs "go mod tidy" (if that fails, go.mod gets only what the packages need), and
// compiles the packages with their tests; the default is
// ./... in the module around the current directory. If something compiles only without the line, or another step
// fails, go.mod and go.sum are restored, and the compiler's lines are printed. A pin of client-go to another version
// of itself gives way to the line; a fork of it is an error.
//
// --replace=v0.1.0 selects a version, --replace=../listwatch a checkout. The default is the version of the command, or
// the latest. --replace again updates the line. To go back, delete the line and run "go mod tidy".
//
// # Imports
//
// Without --replace, it replaces the import paths of k8s.io/client-go with those of the packages that replace them, and
// reports what stays and what has to be generated again. Only import declarations change, and the qualifiers of the few
// symbols that are in another package here, such as the fakes of gentype.
//
// What compiles before compiles after. For that, the packages are type-checked from source with their dependencies, in
// seconds: nothing is compiled, and the go command downloads modules only if they are missing. An import stays, in all
// files, if
//
//   - the program exchanges values of the package's types with a library that uses client-go, such as controller-runtime
//     or helm: as arguments, results, fields, methods of interfaces, or values whose type is asserted;
//   - it uses something of the package that is left out here;
//   - it uses declarations with types of the package and of another one that stays.
//
// Imports that register credential plugins with client-go stay while anything in the program links client-go's rest;
// those that register ours are added. In a module with the line, libraries use listwatch's types too, so that
// almost nothing has to stay. Code of a module whose libraries cannot be loaded is not rewritten, unless it imports only
// client-go and what is free of its types.
//
// Packages are directories that start with ./ or /, followed by /... to include those below. All Go
// files are rewritten, whatever their build constraints. As for the go command, /... leaves out
// directories named vendor and testdata, those that start with a dot or an underscore, and nested
// modules; name them to include them.
//
// # Examples
//
// Put a program on listwatch with one line, and see what go.mod would be:
//
//	listwatch-migrate --replace
//	listwatch-migrate --replace --dry-run
//
// Show what new imports would change in a module, then change it:
//
//	listwatch-migrate --dry-run ./...
//	listwatch-migrate ./...
//
// Run the commands that it prints, then see what does not compile yet:
//
//	listwatch-migrate --check ./...
//
// Without adding it to go.mod first:
//
//	go run github.com/listwatch/listwatch/cmd/listwatch-migrate@latest --replace
//
// # Findings
//
// Each finding has a position, a reason and a way out:
//
//   - Packages of client-go that stay, with the library or symbol that is the reason.
//   - Packages that have no replacement yet. Values of client-go's types that they
//     take or return, such as *rest.Config, are converted by the module clientgo.
//   - Symbols that are left out. docs/compatibility.md lists all.
//   - Generated files that import client-go. They are not rewritten but have to be generated again, by the commands in
//     the last lines, which have the directories, names and packages of the project. Output of applyconfiguration-gen
//     is rewritten. Clients whose client-go packages stay are left alone.
//   - Notes about imports that register the metrics of client-go, and none of migrated code.
//
// Imports of packages that work with both modules, such as util/homedir, stay and are not reported.
// The last lines of output are the commands that generate clients and update go.mod, in this order.
//
// With --check, nothing is rewritten. The packages are type-checked from source with their tests, and each error is a
// finding: the compiler's message, and what to do if it is
// about a symbol that is left out, or a value that goes between listwatch and client-go, for example
// to a library that uses the other one.
//
// # Messages
//
// Messages are text, in GitHub Actions as annotations, or with --format=json one object, which
// docs/output.md describes. "listwatch-migrate completion bash", or zsh or fish, prints functions for the shell
// that complete flags and packages.
//
// # Exit codes
//
// 0: nothing of client-go remains, except notes; with --replace or --check, everything compiles. 1: findings remain,
// or an error occurred; after an error, nothing was written. 2: invalid flags.
package main

import (
	"context"
	_ "embed"
	"os"

	"github.com/listwatch/listwatch/internal/cli"
)

//go:embed main.go
var source string

func main() {
	os.Exit(cli.MigrateTool{Source: source}.Main(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}
