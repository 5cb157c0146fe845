package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/listwatch/listwatch/generators"
)

// GenCRD returns the command gen-crd; source is the text of its main.go.
func GenCRD(source string) Tool {
	return Tool{Name: "gen-crd", Source: source, Bind: func(flags *Flags) RunFunc {
		var opts generators.CRDOptions
		flags.manifestDir(generators.DefaultCRDDir)
		flags.CRD(&opts, "")
		versions := flags.set.String("crd-versions", "v1", "`version` of the definitions, which is always v1")
		flags.input(&opts.Options)
		_ = flags.set.MarkHidden("go-header-file") // bound in the line above
		_ = flags.set.MarkHidden("crd-versions")
		return func(ctx context.Context, patterns []string) (*generators.Report, error) {
			if *versions != "v1" {
				return &generators.Report{}, fmt.Errorf("%w: --crd-versions=%s; servers accept only v1", generators.ErrUsage, *versions)
			}
			opts.Patterns = patterns
			return generators.CRD(ctx, opts)
		}
	}}
}

// CRD binds the flags of CustomResourceDefinitions. The names of those that are about CustomResourceDefinitions alone only
// if one knows it start with the prefix.
func (f *Flags) CRD(opts *generators.CRDOptions, prefix string) {
	f.set.Var(&length{&opts.MaxDescLen}, prefix+"max-desc-len", "`length` at which descriptions end, if possible after a sentence; 0 leaves them out (default: no limit)")
	f.set.BoolVar(&opts.GenerateEmbeddedObjectMeta, "generate-embedded-object-meta", false, "describe the metadata of objects within objects, which servers otherwise drop")
	f.set.BoolVar(&opts.AllowDangerousTypes, "allow-dangerous-types", false, "allow floating-point numbers, which clients round differently")
	f.set.BoolVar(&opts.IgnoreUnexportedFields, "ignore-unexported-fields", false, "leave out unexported fields")
	f.yamlHeader(&opts.YAMLHeaderFile, &opts.Year, prefix)
}

// length is a number that can be missing.
type length struct{ to **int }

func (l *length) String() string {
	if l.to == nil || *l.to == nil {
		return ""
	}
	return strconv.Itoa(**l.to)
}

func (l *length) Type() string { return "int" }

// Set parses a number.
func (l *length) Set(value string) error {
	n, err := strconv.Atoi(value)
	if err != nil {
		return errors.New("want a number, as in --max-desc-len=100")
	}
	*l.to = &n
	return nil
}
