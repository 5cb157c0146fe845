package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	quota := write("quota.yaml", "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: a}\nspec: {hard: {cpu: -1}}\n")
	secret := write("secret.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n")
	empty := t.TempDir()
	const crds = "../../testdata/crds"
	book := "apiVersion: library.example.com/v1\nkind: Book\nmetadata: {name: a}\nspec: {title: T}\n"
	valid := write("valid.yaml", book)
	wrong := write("invalid.yaml", book+"---\n"+strings.Replace(book, "T}", `"", pages: many}`, 1))
	text, err := os.ReadFile(filepath.Join(crds, "books.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	odd := write("odd.yaml", strings.Replace(string(text), "minLength: 1", "format: book", 1))
	for name, c := range map[string]struct {
		args                []string
		stdout, stderr, err string
		code                int
	}{
		"valid":   {args: []string{crds, valid}, stdout: "valid: 1 CustomResourceDefinition, 1 other object\n"},
		"warning": {args: []string{odd}, stdout: "valid: 1 CustomResourceDefinition, 0 other objects\n", stderr: odd + ":1: warning: unrecognized format \"book\"\n"},
		"strict": {
			args: []string{"--strict", odd}, stdout: odd + ":1: unrecognized format \"book\"\n", err: "check: 1 error", code: failed,
		},
		"invalid": {
			args: []string{crds, wrong},
			stdout: wrong + ":9: spec.pages: Invalid value: \"string\": spec.pages in body must be of type integer: \"string\"\n" +
				wrong + ":9: spec.title: Invalid value: \"\": spec.title in body should be at least 1 chars long\n",
			err: "check: 2 errors", code: failed,
		},
		"no CRD": {
			args: []string{valid}, stdout: valid + ":2: kind: no CustomResourceDefinition in the given files defines Book of library.example.com/v1\n",
			err: "check: 1 error", code: failed,
		},
		"built-in":           {args: []string{quota}, stdout: quota + ":4: spec.hard[cpu]: Invalid value: \"-1\": must be greater than or equal to 0\n", err: "check: 1 error", code: failed},
		"built-in and valid": {args: []string{secret}, stdout: "valid: 1 object\n"},
		"nothing":            {args: []string{empty}, err: "check: no objects in " + empty, code: failed},
		"missing":            {args: []string{"nowhere"}, err: "nowhere: no such file, directory or match", code: failed},
		"no paths":           {err: "check takes files or directories", code: invalid},
		"flag":               {args: []string{"--crds=x"}, err: "unknown flag: --crds", code: invalid},
		"for help":           {args: []string{"--help"}, stdout: checkUsage, err: pflag.ErrHelp.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			err := run(t.Context(), append([]string{"apitest", "check"}, c.args...), &stdout, &stderr)
			if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Errorf("got error %v, want %s", err, c.err)
			}
			if usage := (usageError{}); errors.As(err, &usage) != (c.code == invalid) {
				t.Errorf("got error %#v, want exit code %d", err, c.code)
			}
			if stdout.String() != c.stdout || stderr.String() != c.stderr {
				t.Errorf("prints\n%s\nand\n%s", &stdout, &stderr)
			}
		})
	}
}
