// Gen-clientset generates a typed clientset, with a fake for tests.
//
//	gen-clientset [flags] [packages]
//
// It reads the packages, given as Go patterns such as ./apis/..., and generates a client for each type
// with the marker +genclient in the comment above it. The packages need not compile yet.
//
//	// +genclient
//	// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
//	type Database struct {
//		metav1.TypeMeta   `json:",inline"`
//		metav1.ObjectMeta `json:"metadata,omitempty"`
//		Spec   DatabaseSpec   `json:"spec"`
//		Status DatabaseStatus `json:"status,omitempty"`
//	}
//
// The last two directories of a package's path are its API group and version, unless the marker
// +groupName in its doc.go sets the group.
//
// # Examples
//
// Generate pkg/generated/clientset/versioned for all types below ./apis:
//
//	gen-clientset ./apis/...
//
// The same from go generate, in any Go file of the module:
//
//	//go:generate go tool gen-clientset ./apis/...
//
// Fail in CI if the output is out of date:
//
//	gen-clientset --verify ./apis/...
//
// Replace client-gen, with its flags:
//
//	gen-clientset --runtime=client-go --clientset-name=versioned \
//		--input-base=example.com/project/apis --input=storage/v1,storage/v1beta1 \
//		--output-dir=pkg/generated/clientset --output-pkg=example.com/project/pkg/generated/clientset
//
// # Markers of a type
//
//	+genclient                     generate a client
//	+genclient:nonNamespaced       objects are cluster-scoped
//	+genclient:noStatus            no UpdateStatus, even if there is a field Status
//	+genclient:onlyVerbs=get,list  only these verbs
//	+genclient:skipVerbs=delete    all verbs except these
//	+genclient:readonly            only get, list and watch
//	+genclient:noVerbs             no methods
//	+genclient:method=Name,verb=update,subresource=scale,input=path.Type,result=path.Type
//	                               an additional method
//	+resourceName=databases        the resource in paths, if the English plural is wrong
//
// # Views
//
//	+listwatch:view=k8s.io/api/core/v1.Pod
//	                               the struct has some fields of this type; no +genclient
//
// The client of a view reads the resource of the type and decodes the fields that the struct has: see docs/guides/memory.md.
// Get, List and Watch are its only methods. Each field must have the JSON name and a compatible type of a field of that type,
// whose package is read for this. The struct embeds metav1.TypeMeta, and metav1.ObjectMeta or a struct with some of its fields.
// gen-deepcopy generates its list type. With --runtime=client-go, the marker is ignored with a warning.
//
// # Markers of a package, in doc.go
//
//	+groupName=storage.example.com  the API group
//	+groupGoName=Storage            the group's name in Go
//	+k8s:client-gen=false           skip this package
//
// # Warnings
//
// Input that client-gen accepts is never an error. What looks wrong, such as an unknown verb or a marker
// without effect, is a warning; --strict turns warnings into errors.
//
// The comment +listwatch:ignore silences the warnings about the next line. Add a reason after the equals
// sign, as in // +listwatch:ignore=required by legacy clients.
//
// # Messages
//
// Messages are text, in GitHub Actions as annotations, or with --format=json one object, which
// docs/output.md describes. "gen-clientset completion bash", or zsh or fish, prints functions for the shell
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
	os.Exit(cli.GenClientset(source).Main(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}
