// Gen-informer emits shared informers for Kubernetes API types, and the factory that makes them.
//
//	gen-informer [flags] [packages]
//
// It reads the packages, Go patterns such as ./apis/..., and makes an informer for each type with
// the marker +genclient in the comment above it, unless markers take away the verb list or watch.
// Gen-clientset --help lists the markers. Informers list and watch with a clientset and hand out
// listers, so generate these too.
//
// # Examples
//
// Emit pkg/generated/informers for all types below ./apis, for the clientset and the listers that
// gen-clientset and gen-lister put beside it:
//
//	gen-informer ./apis/...
//
// Fail in CI if that was forgotten:
//
//	gen-informer --verify ./apis/...
//
// Emit what informer-gen would, with its flags:
//
//	gen-informer --runtime=client-go --output-dir=pkg/generated/informers \
//		--output-pkg=example.com/project/pkg/generated/informers \
//		--versioned-clientset-package=example.com/project/pkg/generated/clientset/versioned \
//		--listers-package=example.com/project/pkg/generated/listers ./apis/...
//
// # Warnings
//
// What informer-gen accepts is never refused. Input that does not mean what it seems to, such as a verb that
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
	tool := cli.Tool{Name: "gen-informer", Source: source, Bind: bind}
	os.Exit(tool.Main(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}

func bind(flags *cli.Flags) cli.RunFunc {
	var opts generators.InformerOptions
	flags.Common(&opts.Options)
	flags.Informer(&opts)
	return func(ctx context.Context, patterns []string) (*generators.Report, error) {
		opts.Patterns = patterns
		return generators.Informer(ctx, opts)
	}
}
