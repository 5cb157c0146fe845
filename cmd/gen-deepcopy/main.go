// Gen-deepcopy generates the deepcopy functions of Kubernetes API types.
//
//	gen-deepcopy [flags] [packages]
//
// It reads the packages, given as Go patterns such as ./apis/..., and writes a file
// zz_generated.deepcopy.go into each package that requests it, with the functions that deepcopy-gen
// generates: DeepCopyInto and DeepCopy, and for kinds, DeepCopyObject. Exported structs, maps and slices
// have functions, except those that are written by hand.
//
// # Markers of packages
//
// In a comment of doc.go:
//
//	+k8s:deepcopy-gen=package    all types
//	+k8s:deepcopy-gen=false      none
//
// As controller-gen reads it, in the package comment of any file, or in another comment that is not a doc comment:
//
//	+kubebuilder:object:generate=true
//	                             all types
//
// # Markers of types
//
// In the comment above a type, or in a comment one blank line above that:
//
//	+k8s:deepcopy-gen=true       this type, without a marker of the package
//	+k8s:deepcopy-gen=false      not this type
//	+k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
//	                             a function DeepCopyObject that returns this interface; several
//	                             interfaces are separated by commas
//	+k8s:deepcopy-gen:nonpointer-interfaces=true
//	                             these functions have receivers that are not pointers
//	+kubebuilder:object:generate=true or false
//	                             this type, or not this type
//	+kubebuilder:object:root=true
//	                             this type, with a DeepCopyObject
//	+listwatch:view=k8s.io/api/core/v1.Pod
//	                             this type, with a DeepCopyObject, and the structs of its package in it; also, in
//	                             zz_generated.view.go, its list type unless it is declared, and the methods of
//	                             metav1.Object unless it embeds metav1.ObjectMeta
//
// # Examples
//
// Generate for all packages below ./apis:
//
//	gen-deepcopy ./apis/...
//
// Fail in CI if the output is out of date:
//
//	gen-deepcopy --verify ./apis/...
//
// Replace deepcopy-gen, with its flags:
//
//	gen-deepcopy --output-file=zz_generated.deepcopy.go --go-header-file=hack/boilerplate.go.txt ./apis/...
//
// # Errors
//
// A field that cannot be copied is an error at the field: a channel or function, an interface without a
// method such as DeepCopyObject, a type of another package that has no DeepCopyInto and that assigning
// does not copy. Types of other packages are read from their source, which must be on disk. Markers
// without effect are warnings; --strict turns them into errors.
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
	os.Exit(cli.GenDeepCopy(source).Main(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}
