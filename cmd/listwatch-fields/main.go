// Listwatch-fields finds which fields of cached objects a program reads.
//
//	listwatch-fields [flags] [packages]
//
// For each kind that the packages get from informers, listers, event handlers, stores or the clients of
// controller-runtime, it prints the fields that they read, with places, and a call of cache.Keep with these fields. An
// informer with this transform neither decodes nor stores the others:
//
//	k8s.io/api/core/v1.Pod
//	  spec.nodeName         controller/sync.go:61:14
//	  status.phase          controller/handlers.go:24:19 and 2 more
//	  cache.Keep("spec.nodeName", "status.phase")
//
// Paths are JSON names with dots, also through lists and maps. A path to a struct stands for all below it. One with a
// question mark is a field of which only the presence, or the number of elements, matters. Always kept and thus left out are
// the kind and, of the metadata, name, namespace, uid, resourceVersion, generation, creationTimestamp,
// deletionTimestamp, labels, annotations, finalizers and ownerReferences. Annotations are often large: if they are not read,
// "-metadata.annotations" is shown, which can be added to the paths of Keep, if no patch sets annotations.
//
// Packages are those of the go command, such as ./... for all below the current directory. If some of them are
// commands, packages that no command imports are ignored, such as mocks and helpers of tests. Test files are not read,
// and cgo is disabled. Packages must compile.
//
// # Escapes
//
// Objects are followed through variables, calls, interfaces, closures, structs, lists, maps, channels and copies, also
// into packages of other modules that use Kubernetes' types. Where this ends, everything is read: a line with "escapes"
// tells where a whole object is passed to a function whose body is not analyzed, such as fmt.Println or json.Marshal,
// sent by an Update or Patch, compared, or stored in memory that is not followed. If it is only a part, the field is
// read as a whole. The call of Keep is right if these places need no more fields than it has. An object that Keep has
// cut cannot be updated; send a patch, or get the object from the server first. Log klog.KObj(pod) instead of pod.
//
// Reads of any object that can be in the same variable count, so more fields can be shown than are needed, but not fewer, with
// the exceptions in docs/fields.md. What transforms read does not count.
//
// # Checks
//
// With --check, nothing is printed but the differences with the calls of cache.Keep in the packages, for CI: an error at each place
// that reads a field that Keep does not keep, a warning where whole objects are used, and a note for each
// field that is kept but never read, also of views. With --strict, warnings are errors.
//
// # Views
//
// With --view, it prints for each kind a struct with the fields, for which gen-all generates clients, listers and
// informers. What a view lacks cannot be read by mistake: that does not compile.
//
// # Examples
//
//	listwatch-fields ./...
//	listwatch-fields --view ./cmd/controller
//	listwatch-fields --check ./...
//
// Without adding it to go.mod first:
//
//	go run github.com/listwatch/listwatch/cmd/listwatch-fields@latest ./...
//
// # Messages
//
// Messages are text, in GitHub Actions as annotations, or with --format=json one object, which
// docs/output.md describes. "listwatch-fields completion bash", or zsh or fish, prints functions for the shell
// that complete flags and packages.
//
// # Exit codes
//
// 0: success; with --check, Keep keeps all that is read. 1: with --check, a field is lacking; or the packages cannot be
// analyzed. 2: invalid flags.
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
	os.Exit(cli.FieldsTool{Source: source}.Main(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}
