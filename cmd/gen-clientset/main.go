// Gen-clientset emits a typed clientset for Kubernetes API types, with fakes for tests.
//
//	gen-clientset [flags] [packages]
//
// It reads the packages, Go patterns such as ./apis/..., and makes a client for each type with
// the marker +genclient in the comment above it. Types need not compile yet.
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
// The last two folders of a package's path are its API group and version, unless the marker
// +groupName in its doc.go names the group.
//
// # Examples
//
// Emit pkg/generated/clientset/versioned for all types below ./apis:
//
//	gen-clientset ./apis/...
//
// The same from go generate, in any Go file of the module:
//
//	//go:generate go tool gen-clientset ./apis/...
//
// Fail in CI if that was forgotten:
//
//	gen-clientset --verify ./apis/...
//
// Emit what client-gen would, with its flags:
//
//	gen-clientset --runtime=client-go --clientset-name=versioned \
//		--input-base=example.com/project/apis --input=storage/v1,storage/v1beta1 \
//		--output-dir=pkg/generated/clientset --output-pkg=example.com/project/pkg/generated/clientset
//
// # Markers of a type
//
//	+genclient                     a client is wanted
//	+genclient:nonNamespaced       objects are in no namespace
//	+genclient:noStatus            no UpdateStatus, though there is a field Status
//	+genclient:onlyVerbs=get,list  these verbs and no others
//	+genclient:skipVerbs=delete    all verbs but these
//	+genclient:readonly            only get, list and watch
//	+genclient:noVerbs             no methods at all
//	+genclient:method=Name,verb=update,subresource=scale,input=path.Type,result=path.Type
//	                               one more method
//	+resourceName=databases        the resource in paths, where the plural is not as in English
//
// # Markers of a package, in doc.go
//
//	+groupName=storage.example.com  the API group
//	+groupGoName=Storage            its name in Go
//	+k8s:client-gen=false           leave this package out
//
// # Warnings
//
// What client-gen accepts is never refused. Input that does not mean what it seems to, such as a verb that
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
	tool := cli.Tool{Name: "gen-clientset", Source: source, Bind: bind}
	os.Exit(tool.Main(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}

func bind(flags *cli.Flags) cli.RunFunc {
	var opts generators.ClientsetOptions
	flags.Common(&opts.Options)
	clientset := flags.Clientset(&opts)
	return func(ctx context.Context, patterns []string) (*generators.Report, error) {
		if err := clientset.Set(); err != nil {
			return &generators.Report{}, err
		}
		opts.Patterns = patterns
		return generators.Clientset(ctx, opts)
	}
}
