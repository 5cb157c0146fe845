package lint_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/lint"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/resolve"
	"github.com/listwatch/listwatch/internal/golden"
)

// packages reads the packages of an archive; others do not exist.
func packages(t *testing.T, archive *txtar.Archive, diags *diag.List) []*load.Package {
	t.Helper()
	texts, sources := map[string][]byte{}, map[string]*load.Source{}
	for _, f := range archive.Files {
		path := filepath.ToSlash(filepath.Dir(f.Name))
		if sources[path] == nil {
			sources[path] = &load.Source{Path: path, Name: filepath.Base(path)}
		}
		sources[path].Files = append(sources[path].Files, f.Name)
		texts[f.Name] = f.Data
	}
	loader := load.New(context.Background(), load.Config{
		Dir: "/", Diags: diags,
		ReadFile: func(name string) ([]byte, error) { return texts[name], nil },
		Find: func(path string) (*load.Source, error) {
			if src := sources[path]; src != nil {
				return src, nil
			}
			return nil, load.ErrNotFound
		},
	})
	p, err := loader.Package("p")
	if err != nil {
		t.Fatal(err)
	}
	return []*load.Package{p}
}

// TestCheck compares the findings of all rules in testdata/rules.txtar with its file "want", and the source with
// all corrections with "fixed".
func TestCheck(t *testing.T) {
	name := filepath.Join("testdata", "rules.txtar")
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return f.Name == "want" || f.Name == "fixed" })
	var diags diag.List
	lint.Check(packages(t, archive, &diags), resolve.New(), []string{lint.All}, &diags)
	var faults diag.Errors
	if !errors.As(diags.Err(""), &faults) {
		t.Fatal("no findings")
	}
	var want bytes.Buffer
	src := archive.Files[0].Data
	fired := map[string]bool{}
	var edits []diag.Edit
	for _, d := range faults {
		fmt.Fprintln(&want, d)
		edits = append(edits, d.Edits...)
		_, rule, _ := strings.Cut(d.Message[strings.LastIndexByte(d.Message, '('):], "(")
		fired[strings.TrimSuffix(rule, ")")] = true
	}
	others := []string{lint.KnownTagsOnly, lint.RequireExplicitDisablement, lint.All, lint.Default}
	for _, rule := range lint.Names {
		if !fired[rule] && !slices.Contains(others, rule) {
			t.Errorf("no case of rule %s", rule)
		}
	}
	fixed, err := diag.Apply(src, edits)
	if err != nil {
		t.Fatal(err)
	}
	archive.Files = append(archive.Files, txtar.File{Name: "want", Data: want.Bytes()}, txtar.File{Name: "fixed", Data: fixed})
	golden.File(t, name, string(txtar.Format(archive)))
}

// TestGroups checks that the group default is a part of all, and that rules can be selected.
func TestGroups(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "rules.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return f.Name == "want" || f.Name == "fixed" })
	count := func(rules ...string) int {
		var diags diag.List
		lint.Check(packages(t, archive, &diags), resolve.New(), rules, &diags)
		var faults diag.Errors
		_ = errors.As(diags.Err(""), &faults) // nil without findings
		return len(faults)
	}
	all, standard, one := count(lint.All), count(lint.Default), count("nobools")
	if all <= standard+one || standard <= one || one == 0 || count() != 0 || count("known-tags-only") != 0 || count("nobools", lint.Default) != standard+one {
		t.Errorf("%d findings of all rules, %d of the default ones, %d of one", all, standard, one)
	}
}
