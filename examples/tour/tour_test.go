package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/listwatch/listwatch/apitest"
)

var given = flag.String("kubeconfig", "", "run the programs on the server of this file instead of a test server")

// fences are the code blocks of docs/tour.md.
func fences(t *testing.T, language string) []string {
	t.Helper()
	tour, err := os.ReadFile("../../docs/tour.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, match := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(tour), -1) {
		blocks = append(blocks, match[1])
	}
	return blocks
}

// kubeconfig returns the path of a kubeconfig file for a server.
func kubeconfig(t *testing.T) string {
	t.Helper()
	if *given != "" {
		return *given
	}
	path := filepath.Join(t.TempDir(), "config")
	if err := apitest.Start(t).WriteKubeconfig(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestOutput checks that the programs print what docs/tour.md shows, in its order, on one server.
func TestOutput(t *testing.T) {
	path := kubeconfig(t)
	number := regexp.MustCompile(`("resourceVersion":"|timeoutSeconds=|timeout=)[0-9hms]+`) // the server's, and random ones
	mask := func(s string) string { return number.ReplaceAllString(s, "${1}N") }
	shown := map[string]bool{}
	for _, block := range fences(t, "console") {
		command, want, _ := strings.Cut(block, "\n")
		name, found := strings.CutPrefix(command, "$ go run ./tour ")
		if !found {
			t.Errorf("the tour has another command: %s", command)
			continue
		}
		shown[name] = true
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			var out bytes.Buffer
			if err := run(ctx, path, strings.Fields(name), &out); err != nil {
				t.Error(err)
			}
			if got := out.String(); mask(got) != mask(want) {
				t.Errorf("printed:\n%s\nthe tour has:\n%s", got, want)
			}
		})
	}
	for name := range programs {
		if !shown[name] {
			t.Errorf("the tour lacks program %s", name)
		}
	}
}

// TestExcerpts checks that the Go code in docs/tour.md is taken from programs, which compile.
func TestExcerpts(t *testing.T) {
	var sources []string
	for _, pattern := range []string{"*.go", "../sites/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			sources = append(sources, strings.ReplaceAll(string(source), "\t", ""))
		}
	}
	for _, block := range fences(t, "go") {
		excerpt := strings.ReplaceAll(block, "\t", "")
		if !slices.ContainsFunc(sources, func(source string) bool { return strings.Contains(source, excerpt) }) {
			t.Errorf("no program has:\n%s", block)
		}
	}
}

// TestLinks checks that the pictures and files that the tour refers to exist.
func TestLinks(t *testing.T) {
	tour, err := os.ReadFile("../../docs/tour.md")
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(string(tour), -1)
	if len(links) == 0 {
		t.Error("the tour has no links")
	}
	for _, link := range links {
		if _, err := os.Stat(filepath.Join("../../docs", link[1])); err != nil {
			t.Error(err)
		}
	}
}

// TestUsage checks that a wrong argument and a missing file are reported.
func TestUsage(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	for _, test := range []struct{ name, program, want string }{
		{"program", "unknown", "want one of: create"},
		{"file", "list", missing},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := run(t.Context(), missing, []string{test.program}, os.Stdout)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want one with %q", err, test.want)
			}
		})
	}
}
