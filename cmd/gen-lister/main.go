// Gen-lister emits typed listers for Kubernetes API types: they read objects from the cache of an
// informer.
//
//	gen-lister [flags] [packages]
//
// It reads the packages, Go patterns such as ./apis/..., and makes a lister for each type with
// the marker +genclient in the comment above it, unless markers take away the verb get or list.
// Gen-clientset --help lists the markers.
//
// # Examples
//
// Emit pkg/generated/listers for all types below ./apis:
//
//	gen-lister ./apis/...
//
// Fail in CI if that was forgotten:
//
//	gen-lister --verify ./apis/...
//
// Emit what lister-gen would, with its flags:
//
//	gen-lister --runtime=client-go --output-dir=pkg/generated/listers \
//		--output-pkg=example.com/project/pkg/generated/listers ./apis/...
//
// # Warnings
//
// What lister-gen accepts is never refused. Input that does not mean what it seems to, such as a verb that
// does not exist, and markers without effect are warnings; --strict makes these errors.
//
// The comment +listwatch:ignore silences the warnings about the line below it; a reason may follow,
// as in // +listwatch:ignore=kube_codegen.sh looks for the next line.
//
// # Exit codes
//
// 0: done. 1: faults in the input, each printed as file:line:col: message, or with --verify, output
// that is out of date; nothing was written. 2: wrong flags.
package main

import (
	"context"
	_ "embed"
	"os"

	"github.com/listwatch/listwatch/cmd/internal/cli"
	"github.com/listwatch/listwatch/generators"
)

//go:embed main.go
var source string

func main() {
	tool := cli.Tool{Name: "gen-lister", Source: source, Bind: bind}
	os.Exit(tool.Main(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}

func bind(flags *cli.Flags) cli.RunFunc {
	var opts generators.ListerOptions
	flags.Common(&opts.Options)
	return func(ctx context.Context, patterns []string) (*generators.Report, error) {
		opts.Patterns = patterns
		return generators.Lister(ctx, opts)
	}
}
