package crds

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/peers"
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
	return OutputOf(report, err)
}

// OutputOf returns the output of a run of ours: its files, or its errors in the input. Other errors are returned.
func OutputOf(report *generators.Report, err error) (Output, error) {
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

// ParsedByUs parses markers as gen-crd does.
func ParsedByUs(t testing.TB, markers []Marker) []Parsed {
	t.Helper()
	in, err := json.Marshal(markers)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(peers.MarkerParser(t))
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("parse markers: %v", err)
	}
	var parsed []Parsed
	if err = json.Unmarshal(out, &parsed); err != nil {
		t.Fatal(err)
	}
	if len(parsed) != len(markers) {
		t.Fatalf("parse markers: %d results for %d markers", len(parsed), len(markers))
	}
	return parsed
}
