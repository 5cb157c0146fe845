// Gen-lister generates typed listers, which read from an informer's cache.
//
//	gen-lister [flags] [packages]
//
// It reads the packages, given as Go patterns such as ./apis/..., and generates a lister for each type
// with the marker +genclient in the comment above it, unless other markers exclude the verb get or
// list. See gen-clientset --help for the markers, and for views.
//
// # Examples
//
// Generate pkg/generated/listers for all types below ./apis:
//
//	gen-lister ./apis/...
//
// Fail in CI if the output is out of date:
//
//	gen-lister --verify ./apis/...
//
// Replace lister-gen, with its flags:
//
//	gen-lister --runtime=client-go --output-dir=pkg/generated/listers \
//		--output-pkg=example.com/project/pkg/generated/listers ./apis/...
//
// # Warnings
//
// Input that lister-gen accepts is never an error. What looks wrong, such as an unknown verb or a marker
// without effect, is a warning; --strict turns warnings into errors.
//
// The comment +listwatch:ignore silences the warnings about the next line. Add a reason after the equals
// sign, as in // +listwatch:ignore=required by legacy clients.
//
// # Messages
//
// Messages are text, in GitHub Actions as annotations, or with --format=json one object, which
// docs/output.md describes. "gen-lister completion bash", or zsh or fish, prints functions for the shell
// that complete flags and packages.
//
// # Exit codes
//
// 0: success. 1: invalid input, reported as file:line:col: message, or with --verify, stale output;
// nothing was written. 2: invalid flags.
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
	os.Exit(cli.GenLister(source).Main(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}
