// Package templates contains the text that the generators print: one template per kind of file,
// below the directory of its generator.
//
// A template reads like the Go that it prints. The name of a package is written as the function
// that is named after the package,
//
//	opts {{metav1}}.ListOptions
//
// or, if the package depends on the input, with the function import:
//
//	*{{import .Version.Types}}.{{.Name}}
//
// so that imports follow from the printed text. Package emit, which executes the templates, lists
// the functions. Lines and calls are written out, not assembled, so that grep finds their source.
// The first line of a template names the type of its data, a struct of package generators.
//
// Templates at the top of a generator's directory are for both runtimes; those in the directory of
// a runtime are for that one only.
//
// # Little code
//
// With our runtime, behavior is in the runtime, and emitted code names types and paths: a client is
// an interface that embeds gentype.Verbs and a call of gentype.For, a lister uses
// listers.ResourceIndexer, an informer is a variable of type informers.Kind, and a factory embeds
// informers.Factory. What is the same for all kinds or packages is not repeated.
//
// The compiler works per kind. Five rules keep its time low:
//
//   - Constraints are plain method sets. With comparable in one, each pointer type is compiled
//     separately; otherwise all share one body.
//   - No type argument is a struct: gentype.For[*v1.Book, *v1.BookList].
//   - Instantiated interfaces are declared as new types, not as aliases, which every importer would
//     compile again.
//   - Generic types that generated code instantiates for every kind embed nothing: the compiler
//     creates a wrapper of each promoted method for each kind.
//   - Interfaces of the verbs are flat, for the same reason.
package templates

import "embed"

// FS contains the templates, as "clientset/kind.go.tmpl".
//
//go:embed apply clientset deepcopy lister informer register
var FS embed.FS
