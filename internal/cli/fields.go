package cli

import (
	"context"
	"errors"
	"fmt"
	gofmt "go/format"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"github.com/listwatch/listwatch/internal/fields"
)

// FieldsTool is the command listwatch-fields.
type FieldsTool struct {
	// Source is the text of the command's main.go; its package comment is the manual.
	Source string
}

const fieldsName = "listwatch-fields"

var (
	errViewOrCheck = errors.New("--view and --check exclude each other: --check prints only differences")
	errStrict      = errors.New("--strict needs --check, whose warnings it makes errors")
	// errLacking reports that --check found errors.
	errLacking     = errors.New("fields are read that are not kept")
	errNotCompiled = errors.New("the packages do not compile")
)

// Main runs the command with the arguments, which do not include its name, and returns the
// exit code.
func (t FieldsTool) Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	var chosen format
	set := pflag.NewFlagSet(fieldsName, pflag.ContinueOnError)
	set.SortFlags = false
	set.Usage = func() {}
	view := set.Bool("view", false, "print views, structs with the fields that are read, instead of calls of Keep")
	check := set.Bool("check", false, "print only the differences with what calls of Keep and views in the packages keep")
	strict := set.Bool("strict", false, "with --check, make warnings errors")
	set.Var(&chosen, "format", formatUsage)
	values(set, "format", formats)
	showVersion := set.Bool("version", false, "print the version and exit")
	if len(args) > 0 && args[0] == completionName {
		return printCompletion(command{name: fieldsName, flags: set}, args[1:], stdout, stderr)
	}
	err := set.Parse(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		fmt.Fprint(stdout, help(t.Source, set))
		return exitDone
	case err != nil:
		return requested(args).print(result{tool: fieldsName, failure: err, code: exitUsage}, stdout, stderr)
	case *showVersion:
		fmt.Fprintln(stdout, version(fieldsName))
		return exitDone
	}
	switch {
	case set.NArg() == 0:
		err = errNoPatterns
	case *view && *check:
		err = errViewOrCheck
	case *strict && !*check:
		err = errStrict
	}
	if err != nil {
		return chosen.print(result{tool: fieldsName, failure: err, code: exitUsage}, stdout, stderr)
	}
	r := result{}
	if *check {
		r.mode = modeCheck
	}
	func() {
		defer protect(stderr, &err)
		if *check {
			err = r.checkFields(ctx, set.Args(), *strict)
		} else {
			err = r.readFields(ctx, set.Args(), *view)
		}
	}()
	r.tool = fieldsName
	var faults fields.Errors
	if errors.As(err, &faults) {
		r.addFindings(faults, true)
		err = errNotCompiled
	}
	if err != nil {
		r.fail(err)
	}
	return chosen.print(r, stdout, stderr)
}

// readFields reports what is read of each kind.
func (r *result) readFields(ctx context.Context, patterns []string, view bool) error {
	report, err := fields.Analyze(ctx, ".", patterns)
	if err != nil {
		return err
	}
	var text strings.Builder
	for n, k := range report.Kinds {
		r.kinds = append(r.kinds, newJSONKind(k))
		if view {
			continue
		}
		if n > 0 {
			text.WriteString("\n")
		}
		printKind(&text, k)
	}
	if view {
		if r.text, err = views(report.Kinds); err != nil {
			return err
		}
	} else {
		r.text = text.String()
	}
	r.summary = quantity(len(report.Kinds), "kind")
	return nil
}

// printKind prints the fields of a kind, where they are read, and the call of Keep.
func printKind(out *strings.Builder, k *fields.Kind) {
	fmt.Fprintln(out, k.Type)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	paths := k.Paths()
	for _, f := range k.Reads {
		needed := slices.ContainsFunc(paths, func(p string) bool { return f.Path == p || strings.HasPrefix(f.Path, p+".") })
		if !needed {
			continue
		}
		path := f.Path
		if f.Presence {
			path += "?"
		}
		fmt.Fprintf(table, "\t%s\t%s\n", path, placesText(f.Places))
	}
	for _, e := range k.Escapes {
		fmt.Fprintf(table, "\tescapes\t%s: %s\n", position(e), e.Reason)
	}
	_ = table.Flush() // to memory
	fmt.Fprintf(out, "  %s\n", k.Keep())
	for _, path := range k.Unread() {
		fmt.Fprintf(out, "  not read, can be left out: %q\n", path)
	}
}

func position(p fields.Place) string {
	p.Filename = shown(p.Filename)
	return p.String()
}

// placesText returns the first place with its reason, below the current directory if there is one, and the number of the others.
func placesText(places []fields.Place) string {
	first := places[max(0, slices.IndexFunc(places, func(p fields.Place) bool { return !filepath.IsAbs(shown(p.Filename)) }))]
	text := position(first)
	if first.Reason != "" {
		text += ": " + first.Reason
	}
	if more := len(places) - 1; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// views returns the declarations of views as the text of a Go file without package clause.
func views(kinds []*fields.Kind) (string, error) {
	var declarations, imports []string
	taken := map[string]bool{}
	for _, k := range kinds {
		declaration, needed := k.View(taken)
		if declaration == "" {
			continue
		}
		declarations = append(declarations, declaration)
		for _, path := range needed {
			imports = append(imports, fields.ImportLine(path))
		}
	}
	if len(declarations) == 0 {
		return "", nil
	}
	slices.Sort(imports)
	text := "package views\n\nimport (\n\t" + strings.Join(slices.Compact(imports), "\n\t") + "\n)\n\n" + strings.Join(declarations, "\n")
	formatted, err := gofmt.Source([]byte(text))
	return string(formatted), err
}

// checkFields reports the differences with what is kept.
func (r *result) checkFields(ctx context.Context, patterns []string, strict bool) error {
	found, err := fields.Check(ctx, ".", patterns)
	if err != nil {
		return err
	}
	r.summary = quantity(len(found), "finding")
	if r.addFindings(found, strict) > 0 {
		return errLacking
	}
	return nil
}

// addFindings adds diagnostics, and returns the number of errors.
func (r *result) addFindings(found []fields.Finding, strict bool) int {
	errs := 0
	for _, f := range found {
		s := severityNote
		switch {
		case f.Severity == fields.Lacking, f.Severity == fields.Escaping && strict:
			s = severityError
			errs++
		case f.Severity == fields.Escaping:
			s = severityWarning
		}
		f.Position.Filename = shown(f.Position.Filename)
		r.diagnostics = append(r.diagnostics, diagnostic{pos: f.Position, severity: s, message: f.Message})
	}
	return errs
}
