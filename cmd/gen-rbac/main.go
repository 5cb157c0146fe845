// Gen-rbac generates the roles of a program from markers in its source.
//
//	gen-rbac [flags] [packages]
//
// It reads the packages, given as Go patterns such as ./..., and writes one file with the roles that their markers
// request, as controller-gen's generator rbac does: a ClusterRole, and a Role for each namespace that markers name.
//
// # Examples
//
// Generate config/rbac/role.yaml for all packages of the module:
//
//	gen-rbac ./...
//
// Choose the name of the role, and the directory:
//
//	gen-rbac --role-name=shop --output-dir=deploy ./internal/... ./cmd/...
//
// Fail in CI if the output is out of date:
//
//	gen-rbac --verify ./...
//
// # Markers
//
// A marker is a line of a comment, such as one of these:
//
//	// +kubebuilder:rbac:groups=apps,resources=deployments;deployments/status,verbs=get;list;watch
//	// +kubebuilder:rbac:groups="",resources=configmaps,resourceNames=settings,verbs=get,namespace=shop
//	// +kubebuilder:rbac:urls=/metrics,verbs=get,roleName=metrics-reader
//
// These are the arguments. Lists are separated by semicolons:
//
//	groups         API groups; "" or core for the core group
//	resources      resources, also with subresources
//	resourceNames  names of objects
//	verbs          verbs, or *
//	urls           paths that are not about resources
//	namespace      the namespace of a Role; without it, the rule belongs to a ClusterRole
//	roleName       the name of the role, instead of that of --role-name
//
// The comment can be anywhere in a file outside of declarations, but not in the doc comment of a function or type: there
// must be an empty line between. Rules that differ in one list are combined.
//
// The role for markers without roleName has the name of --role-name. Without the flag, it keeps the name that it has in the
// output file, or is named manager-role.
//
// # Errors
//
// What controller-gen refuses is an error. What it generates although API servers refuse it is a warning, and an error of
// gen-all: rules without verbs, with neither resources nor URLs, with both, and URLs in a namespace. Markers without effect, and
// verbs and names that match nothing, are warnings of both; --strict turns all warnings into errors.
//
// The comment +listwatch:ignore silences the warnings about the next line. Add a reason after the equals
// sign, as in // +listwatch:ignore=required by legacy clients.
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
	os.Exit(cli.GenRBAC(source).Main(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}
