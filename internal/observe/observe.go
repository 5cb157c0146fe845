// Package observe lets tests examine what a run of the generators prints, through the run's
// context. It has no effect on other runs.
package observe

import (
	"context"
	"text/template"
)

// Output describes one tree of files that a run prints.
type Output struct {
	// Tool is the command that prints it.
	Tool string
	// Model is what the run has read: groups, versions, kinds, as plain data. It includes the
	// packages that disable the tool.
	Model any
	// Templates are the tree's templates, to be read or cloned.
	Templates *template.Template
	// Prints are the executions of templates, one per file.
	Prints []Print
}

// Print is the execution of a template.
type Print struct {
	// Template is the name of one of the Templates.
	Template string
	// Data is its input, which must not be modified.
	Data any
}

type key struct{}

// With returns a context whose runs call see with what they are about to print, sequentially within
// each run.
func With(ctx context.Context, see func(Output)) context.Context {
	return context.WithValue(ctx, key{}, see)
}

// From returns the function that observes the runs of a context, or nil.
func From(ctx context.Context) func(Output) {
	see, _ := ctx.Value(key{}).(func(Output))
	return see
}
