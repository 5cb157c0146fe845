package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/pflag"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/apitest/embedded"
)

const checkUsage = `Check reports what an API server refuses of the CustomResourceDefinitions and objects in files.

  apitest check [--strict] PATH...

A path is a file, a directory, which is read recursively, or a pattern. In directories and patterns, only files that
end in .yaml, .yml or .json are read, and files of kustomize are skipped. With

  apitest check config/crd/bases config/samples

the samples are checked too, as if they were created: against the schemas and CEL rules of the
CustomResourceDefinitions, without unknown or duplicate fields. Objects of Kubernetes' own kinds are checked, too, as
in "apitest check deploy.yaml", except APIServices. Their namespaces need not exist, but the priority and runtime
classes of pods must be in the files. No cluster is needed, no webhook is called, and no policy is evaluated.

Expressions of admission policies, and of the match conditions of webhooks, are compiled. One that fails for every
object of a kind, such as one that names a field which the kind does not have, is a warning, as it is in the status of
a policy. The kinds are those of the CustomResourceDefinitions in the files, and Kubernetes' own.

What is refused is printed as "file:line: field: message", with the server's name of the field: if a
CustomResourceDefinition has one version, spec.validation is its schema. Warnings of the server are printed to the
standard error. With --strict, they are errors.

Exit codes: 0: an API server takes all of it. 1: it refuses something, or a path cannot be read. 2: invalid flags.
`

// check checks manifests.
func check(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := pflag.NewFlagSet("apitest check", pflag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprint(stdout, checkUsage) }
	strict := flags.Bool("strict", false, "warnings are errors")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			return err
		}
		return usageError{err}
	}
	if flags.NArg() == 0 {
		return usageError{errors.New("check takes files or directories, such as config/crd/bases; see apitest check --help")}
	}
	klog.SetLogger(klog.New(nil)) // the server logs what it refuses
	checked, err := embedded.Check(ctx, flags.Args()...)
	if err != nil {
		return fmt.Errorf("check: %w", err)
	}
	if *strict {
		checked.Refused, checked.Warnings = append(checked.Refused, checked.Warnings...), nil
	}
	for _, warning := range checked.Warnings {
		warning.Message = "warning: " + warning.Message
		fmt.Fprintln(stderr, warning)
	}
	for _, refused := range checked.Refused {
		if _, err = fmt.Fprintln(stdout, refused); err != nil {
			return err
		}
	}
	if n := len(checked.Refused); n > 0 {
		return fmt.Errorf("check: %s", quantity(n, "error"))
	}
	objects := quantity(checked.Objects, "object")
	if checked.Definitions > 0 {
		objects = quantity(checked.Definitions, "CustomResourceDefinition") + ", " + quantity(checked.Objects, "other object")
	}
	_, err = fmt.Fprintf(stdout, "valid: %s\n", objects)
	return err
}

// quantity returns a number of things: "1 error", "2 errors".
func quantity(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
