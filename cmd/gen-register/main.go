// Gen-register generates the registration of Kubernetes API types in schemes.
//
//	gen-register [flags] [packages]
//
// It reads the packages, given as Go patterns such as ./apis/..., and writes a file
// zz_generated.register.go into each package that requests it, with what register-gen generates:
// GroupName, GroupVersion, SchemeGroupVersion, Resource, SchemeBuilder, AddToScheme and Install. It
// adds the function Kind, unless the package declares one. All types that embed metav1.TypeMeta are
// registered.
//
// The request is a marker in a comment of doc.go:
//
//	+k8s:register-gen=package    register the types of this package
//	+k8s:register-gen=false      do not
//	+groupName=stable.example.com
//	                             the group, instead of the package path's second to last element;
//	                             alone, also a request
//
// The version is the last element of the package path. There is no file for packages that have a
// register.go or declare a group version and AddToScheme elsewhere, as in kubebuilder's
// groupversion_info.go, nor for internal types, whose TypeMeta has no JSON tag.
//
// # Examples
//
// Generate for all packages below ./apis:
//
//	gen-register ./apis/...
//
// Fail in CI if the output is out of date:
//
//	gen-register --verify ./apis/...
//
// # Errors
//
// A package that declares only some of the names that register-gen generates is an error: the rest
// could not be added without declaring a name twice. A marker without effect is a warning; --strict
// turns warnings into errors.
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
	os.Exit(cli.GenRegister(source).Main(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}
