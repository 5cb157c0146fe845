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
package templates

import "embed"

// FS contains the templates, as "clientset/kind.go.tmpl".
//
//go:embed apply clientset deepcopy lister informer register
var FS embed.FS
