// Package templates holds the text of what the generators print: one template
// per kind of file, below the folder of its generator.
//
// A template reads like the Go that it prints. A name from another package is
// written through the function that is named after the package,
//
//	opts {{metav1 "ListOptions"}}
//
// or, where the package depends on the input, through the function from:
//
//	{{from .Version.Types .Name}}
//
// so that imports follow from what is printed. Package emit, which executes
// them, lists the functions. What a template is given is a typed struct of
// package generators, named in the template's first line.
package templates

import "embed"

// FS holds the templates, as "clientset/kind.go.tmpl".
//
//go:embed clientset lister informer
var FS embed.FS
