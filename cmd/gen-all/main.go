// Gen-all emits clientset, listers and informers for Kubernetes API types, in one go.
//
//	gen-all [flags] [packages]
//
// It does what gen-clientset, gen-lister and gen-informer do, which see, but reads the packages
// once. The output goes to the folders clientset, listers and informers below --output-dir, byte
// for byte as the three would write it.
//
// # Examples
//
// Emit pkg/generated for all types below ./apis:
//
//	gen-all ./apis/...
//
// The same from go generate, in any Go file of the module:
//
//	//go:generate go tool gen-all ./apis/...
//
// Leave out packages that ./... matches and that are no API of the project:
//
//	gen-all --exclude=./test/... ./...
//
// Fail in CI if that was forgotten:
//
//	gen-all --verify ./apis/...
//
// It ends with a line about the files that it wrote, left unchanged and removed. Removed are files
// of earlier runs that this one does not make, such as those of groups that the packages no longer
// contain.
//
// # Warnings
//
// Input that does not mean what it seems to, such as a verb that does not exist, is an error here,
// though only a warning of gen-clientset, gen-lister and gen-informer. Markers without effect are
// warnings; --strict makes these errors.
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
	tool := cli.Tool{Name: "gen-all", Source: source, Summary: true, Bind: bind}
	os.Exit(tool.Main(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}

func bind(flags *cli.Flags) cli.RunFunc {
	var opts generators.AllOptions
	flags.Common(&opts.Options)
	clientset := flags.Clientset(&opts.ClientsetOptions)
	flags.SingleDirectory(&opts.SingleDirectory)
	return func(ctx context.Context, patterns []string) (*generators.Report, error) {
		if err := clientset.Set(); err != nil {
			return &generators.Report{}, err
		}
		opts.Patterns = patterns
		return generators.All(ctx, opts)
	}
}
