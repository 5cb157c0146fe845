// Gen-all generates what Kubernetes API types need: deepcopy functions, registration, CRDs and clients; and roles and
// configurations of webhooks for their programs.
//
//	gen-all [flags] [packages]
//	gen-all init [flags] [module]
//
// It reads the packages once, and generates what the markers in their comments request, as these commands
// do, whose --help describes the markers:
//
//   - gen-clientset, gen-lister, gen-informer and gen-applyconfiguration, for types with +genclient or +listwatch:view: in the
//     directories clientset, listers, informers and applyconfiguration below --output-dir.
//   - gen-deepcopy, for packages and types with +k8s:deepcopy-gen or +kubebuilder:object, and for +listwatch:view: beside the types.
//   - gen-register, for packages with +k8s:register-gen: beside the types.
//   - gen-crd, for kinds with markers of CRDs, such as +kubebuilder:resource and +kubebuilder:subresource:
//     in --crd-dir. Beside a clientset of an earlier run, that directory must be set, or contain CRDs that
//     gen-all or gen-crd generated. The flags of gen-crd are those of gen-all, with crd- before max-desc-len,
//     header-file and year.
//   - gen-rbac, for +kubebuilder:rbac in any package: in --rbac-dir. With the marker in a package of the arguments, or earlier
//     output, those of all packages of the module are read, since one file contains all roles.
//   - gen-webhook, for +kubebuilder:webhook in any package: in --webhook-dir, and otherwise as gen-rbac. Beside a clientset of an
//     earlier run, the directories of both must be set, or the module must have a directory config.
//
// --skip omits parts. Output of other generators under the same names is replaced, with a warning if that
// loses the header of a file; hand-written files are never overwritten. CRDs, roles and webhooks that controller-gen wrote stay as they are
// if they say the same.
//
// Naming one package does not remove the others from the output: gen-all also reads the packages whose clients
// are in --output-dir, and those of the module with further versions of a CRD, and lists them. --exclude leaves
// packages out.
//
// Internal versions, whose types have no JSON names, have clients if each group has the package install that a clientset with
// them imports. Otherwise only external versions have clients, and a warning names the missing package.
//
// "gen-all init" starts a project: a first type, a controller and its test, and with --deploy what production needs;
// see gen-all init --help.
//
// Apply configurations, and the methods Apply and ApplyStatus of clients, are generated in new output
// directories. An earlier clientset without these methods stays without them, unless
// --apply-configurations=true is set once.
//
// # Examples
//
// Generate everything for all types below ./apis:
//
//	gen-all ./apis/...
//
// The same from go generate, in any Go file of the module:
//
//	//go:generate go tool gen-all ./apis/...
//
// Replace controller-gen in a project of kubebuilder, whose Makefile runs it in "make manifests generate":
//
//	gen-all --go-header-file=hack/boilerplate.go.txt ./...
//
// The patterns of packages leave out modules in directories below, which controller-gen reads: name them, and the directory of all CRDs:
//
//	gen-all --crd-dir=config/crd/bases ./... ./api/...
//
// Controller-gen's apply configurations, of packages with +kubebuilder:ac:generate, stay as they are: gen-all generates them for kinds
// with +genclient, in --output-dir.
//
// Exclude packages that match ./... but are not part of the project's API:
//
//	gen-all --exclude=./test/... ./...
//
// Fail in CI if the output is out of date:
//
//	gen-all --verify --strict ./apis/...
//
// Gen-all does not compile the CEL rules of CRDs, as API servers do. To check them, run
// go tool apitest check config/crd/bases.
//
// List in CI the changes of the API since the main branch, and fail if one breaks clients, stored objects or
// Go code:
//
//	gen-all --check-breaking=origin/main ./apis/...
//
// The last line of output lists what the packages contain, and counts the files that were written, left
// unchanged and removed. Gen-all removes files that it generated earlier and whose source is gone or excluded,
// such as the clients of a type that is not marked +genclient any more. In packages that it generates, files of
// code-generator's tools are removed too, since both would declare the same.
//
// # Warnings
//
// Gen-all refuses what is wrong: what cannot be generated, does not compile, or is refused by API servers. It warns
// about what only looks wrong: unknown verbs, lines that resemble markers, markers without effect, and what
// controller-gen and code-generator accept and turn into the same output. --strict turns warnings into errors, as CI
// should, except those about fields that runtime/codec decodes slowly.
//
// The comment +listwatch:ignore silences the warnings about the next line. Add a reason after the equals
// sign, as in // +listwatch:ignore=required by legacy clients.
//
// # Messages
//
// Messages are text, in GitHub Actions as annotations, or with --format=json one object, which
// docs/output.md describes. "gen-all completion bash", or zsh or fish, prints functions for the shell
// that complete flags and packages.
//
// # Exit codes
//
// 0: success. 1: invalid input, reported as file:line:col: message, or with --verify, stale output, or with
// --check-breaking, a change that breaks something; nothing was written. 2: invalid flags.
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
	os.Exit(cli.GenAll(source).Main(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}
