// Gen-applyconfiguration generates apply configurations, the typed requests of server-side apply.
//
//	gen-applyconfiguration [flags] [packages]
//
// It reads the packages, given as Go patterns such as ./apis/..., and generates an apply configuration
// for each type with the marker +genclient in the comment above it, unless other markers exclude the
// verb apply, and for each struct that occurs in these types and is declared in the packages. See
// gen-clientset --help for the markers. Gen-all generates them by default, with clients that use them.
//
//	client.Apply(ctx, storageac.Database("a", "default").
//		WithSpec(storageac.DatabaseSpec().WithReplicas(3)), metav1.ApplyOptions{FieldManager: "me"})
//
// # Examples
//
// Generate pkg/generated/applyconfiguration for all types below ./apis:
//
//	gen-applyconfiguration ./apis/...
//
// The same with functions such as ExtractDatabase, which return what a field manager has applied:
//
//	gen-applyconfiguration --openapi-schema=api/openapi.json ./apis/...
//
// Replace applyconfiguration-gen, with its flags:
//
//	gen-applyconfiguration --runtime=client-go --output-dir=pkg/generated/applyconfiguration \
//		--output-pkg=example.com/project/pkg/generated/applyconfiguration ./apis/...
//
// # Markers
//
// The comment +k8s:applyconfiguration-gen=false in doc.go skips a package. Fields without a JSON tag are
// left out.
//
// # Warnings
//
// Input that applyconfiguration-gen accepts is never an error. What looks wrong, such as an unknown verb or a marker
// without effect, is a warning; --strict turns warnings into errors.
//
// The comment +listwatch:ignore silences the warnings about the next line. Add a reason after the equals
// sign, as in // +listwatch:ignore=required by legacy clients.
//
// # Messages
//
// Messages are text, in GitHub Actions as annotations, or with --format=json one object, which
// docs/output.md describes. "gen-applyconfiguration completion bash", or zsh or fish, prints functions for the shell
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
	os.Exit(cli.GenApplyConfiguration(source).Main(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}
