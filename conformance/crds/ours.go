package crds

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/listwatch/listwatch/generators"
)

// outputDir is where the files would be written in a run that writes nothing.
const outputDir = "/nonexistent/crds"

// Ours runs gen-crd in this process, in the directory dir, on the packages that match the patterns.
func Ours(ctx context.Context, dir string, patterns []string, options Options) (Output, error) {
	report, err := generators.CRD(ctx, generators.CRDOptions{
		Options: generators.Options{Dir: dir, Patterns: patterns, OutputDir: outputDir, Mode: generators.DryRun},
		SchemaOptions: generators.SchemaOptions{
			AllowDangerousTypes:        options.AllowDangerousTypes,
			GenerateEmbeddedObjectMeta: options.GenerateEmbeddedObjectMeta,
			IgnoreUnexportedFields:     options.IgnoreUnexportedFields,
		},
		MaxDescLen: options.MaxDescLen,
	})
	out := Output{Files: map[string]string{}}
	var found generators.Errors
	switch {
	case errors.As(err, &found):
		for _, d := range found {
			out.Errors = append(out.Errors, d.String())
		}
		return out, nil
	case err != nil:
		return out, err
	}
	for _, change := range report.Changes {
		out.Files[filepath.Base(change.Path)] = string(change.New)
	}
	return out, nil
}
