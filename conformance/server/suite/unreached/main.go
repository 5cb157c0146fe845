// Command unreached prints the errors of kube-apiserver's validation that no case of the suite causes, as lines of
// Kubernetes' source, and how many there are.
//
// It builds a kube-apiserver that counts what runs, and runs the suite on it. An error that no case causes is one that
// nothing compares with apitest's: a reason to write a case, unless it cannot happen, because the field has a default or
// its feature is off.
package main

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/cover"

	"github.com/listwatch/listwatch/conformance/internal/kube"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// validates reports whether a package of Kubernetes validates objects.
func validates(path string) bool {
	return strings.HasPrefix(path, "k8s.io/kubernetes/pkg/apis/") && strings.HasSuffix(path, "/validation")
}

func run(ctx context.Context, w io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "unreached")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	program, counters, profile := filepath.Join(dir, "kube-apiserver"), filepath.Join(dir, "counters"), filepath.Join(dir, "profile")
	source, err := kube.BuildCovered(ctx, program, validates)
	if err != nil {
		return err
	}
	if err = os.Mkdir(counters, 0o700); err != nil {
		return err
	}
	goCommand := func(args ...string) error {
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Env = append(os.Environ(), kube.APIServerVariable+"="+program, "GOCOVERDIR="+counters)
		if out, failed := cmd.CombinedOutput(); failed != nil {
			return fmt.Errorf("%s: %w\n%s", cmd, failed, out)
		}
		return nil
	}
	// Also cases that fail reach errors.
	failed := goCommand("test", "-vet=off", "-count=1", "-tags", "kube", "-timeout", "30m", "-run", "TestServer", "./server/suite")
	if err = goCommand("tool", "covdata", "textfmt", "-i", counters, "-o", profile); err != nil {
		return errors.Join(failed, err)
	}
	profiles, err := cover.ParseProfiles(profile)
	if err != nil {
		return errors.Join(failed, err)
	}
	return errors.Join(failed, report(w, source, profiles))
}

// report writes the calls that no case reaches, and how many of all are reached. The profiles name files by import paths.
func report(w io.Writer, source string, profiles []*cover.Profile) error {
	all, reached := 0, 0
	for _, p := range profiles {
		name := strings.TrimPrefix(p.FileName, "k8s.io/kubernetes/")
		if !strings.HasPrefix(name, "pkg/apis/") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			return err
		}
		calls, err := errorCalls(name, text)
		if err != nil {
			return err
		}
		lines := strings.Split(string(text), "\n")
		for _, call := range calls {
			all++
			if ran(p, call) {
				reached++
				continue
			}
			fmt.Fprintf(w, "%s:%d: %s\n", name, call.Line, strings.TrimSpace(lines[call.Line-1]))
		}
	}
	_, err := fmt.Fprintf(w, "%d of %d errors are reached\n", reached, all)
	return err
}

// ran reports whether the code at a position ran. The blocks of a file do not overlap.
func ran(p *cover.Profile, at token.Position) bool {
	return slices.ContainsFunc(p.Blocks, func(b cover.ProfileBlock) bool {
		after := b.StartLine < at.Line || b.StartLine == at.Line && b.StartCol <= at.Column
		before := at.Line < b.EndLine || at.Line == b.EndLine && at.Column < b.EndCol
		return after && before && b.Count > 0
	})
}

// errorCalls returns the calls in a file of functions that make an error of a field.
func errorCalls(name string, text []byte) ([]token.Position, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, 0)
	if err != nil {
		return nil, err
	}
	makers := []string{"Invalid", "Required", "Forbidden", "NotSupported", "Duplicate", "NotFound", "TooLong", "TooMany", "TypeInvalid"}
	var calls []token.Position
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if f, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains(makers, f.Sel.Name) {
			if of, ok := f.X.(*ast.Ident); ok && of.Name == "field" {
				calls = append(calls, files.Position(call.Pos()))
			}
		}
		return true
	})
	return calls, nil
}
