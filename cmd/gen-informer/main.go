// Gen-informer generates shared informers and their factory.
//
//	gen-informer [flags] [packages]
//
// It reads the packages, given as Go patterns such as ./apis/..., and generates an informer for each
// type with the marker +genclient in the comment above it, unless other markers exclude the verb list
// or watch. See gen-clientset --help for the markers, and for views. Informers use a clientset and listers, so
// generate these too.
//
// # Examples
//
// Generate pkg/generated/informers for all types below ./apis, using the clientset and listers that
// gen-clientset and gen-lister generate by default:
//
//	gen-informer ./apis/...
//
// Fail in CI if the output is out of date:
//
//	gen-informer --verify ./apis/...
//
// Replace informer-gen, with its flags:
//
//	gen-informer --runtime=client-go --output-dir=pkg/generated/informers \
//		--output-pkg=example.com/project/pkg/generated/informers \
//		--versioned-clientset-package=example.com/project/pkg/generated/clientset/versioned \
//		--listers-package=example.com/project/pkg/generated/listers ./apis/...
//
// # Warnings
//
// Input that informer-gen accepts is never an error. What looks wrong, such as an unknown verb or a marker
// without effect, is a warning; --strict turns warnings into errors.
//
// The comment +listwatch:ignore silences the warnings about the next line. Add a reason after the equals
// sign, as in // +listwatch:ignore=required by legacy clients.
//
// # Messages
//
// Messages are text, in GitHub Actions as annotations, or with --format=json one object, which
// docs/output.md describes. "gen-informer completion bash", or zsh or fish, prints functions for the shell
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
	os.Exit(cli.GenInformer(source).Main(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}
