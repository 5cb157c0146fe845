// Gen-all generates the clientset, listers, informers and apply configurations of Kubernetes API types.
//
//	gen-all [flags] [packages]
//
// It combines gen-clientset, gen-lister, gen-informer and gen-applyconfiguration but reads the packages
// only once. It writes the same files as these commands, to the directories clientset, listers,
// informers and applyconfiguration below --output-dir.
//
// Apply configurations, and the methods Apply and ApplyStatus of clients, are generated in new output
// directories. An earlier clientset without these methods stays without them, unless
// --apply-configurations=true is set once.
//
// # Examples
//
// Generate pkg/generated for all types below ./apis:
//
//	gen-all ./apis/...
//
// The same from go generate, in any Go file of the module:
//
//	//go:generate go tool gen-all ./apis/...
//
// Exclude packages that match ./... but are not part of the project's API:
//
//	gen-all --exclude=./test/... ./...
//
// Fail in CI if the output is out of date:
//
//	gen-all --verify ./apis/...
//
// List in CI the changes of the API since the main branch, and fail if one breaks clients, stored objects or
// Go code:
//
//	gen-all --check-breaking=origin/main ./apis/...
//
// The last line of output counts the files that were written, left unchanged and removed. Gen-all
// removes files that it generated earlier and no longer generates, such as those of a group that the
// packages no longer contain.
//
// # Warnings
//
// Input that does not mean what it appears to, such as an unknown verb, is an error of gen-all but
// only a warning of gen-clientset, gen-lister and gen-informer. Markers without effect are warnings;
// --strict turns them into errors.
//
// The comment +listwatch:ignore silences the warnings about the next line. A reason can follow, as in
// // +listwatch:ignore=kube_codegen.sh looks for the next line.
//
// # Messages
//
// Messages are printed as text; in GitHub Actions, also as annotations; with --format=json, as one object.
// docs/output.md describes it. "gen-all completion bash", or zsh or fish, prints functions for the shell
// that complete flags and packages.
//
// # Exit codes
//
// 0: success. 1: invalid input, reported as file:line:col: message, or with --verify, stale output, or with
// --check-breaking, a change that breaks something; nothing was written. 2: invalid flags.
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
	os.Exit(cli.GenAll(source).Main(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}
