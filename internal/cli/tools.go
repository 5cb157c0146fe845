package cli

import (
	"context"
	"errors"

	"github.com/listwatch/listwatch/generators"
	"github.com/listwatch/listwatch/generators/model"
)

// GenAll returns the command gen-all; source is the text of its main.go.
func GenAll(source string) Tool {
	subcommands := []Subcommand{initSubcommand(func() Tool { return GenAll(source) })}
	return Tool{Name: "gen-all", Source: source, Summary: true, Subcommands: subcommands, Bind: func(flags *Flags) RunFunc { return bindAll(flags, nil) }}
}

// bindAll binds the flags of gen-all with emitters.
func bindAll(flags *Flags, emitters []generators.Emitter) RunFunc {
	var opts generators.AllOptions
	flags.Common(&opts.Options)
	clientset := flags.Clientset(&opts.ClientsetOptions)
	flags.SingleDirectory(&opts.SingleDirectory)
	choice := flags.ApplyChoice()
	apply := flags.ApplyConfiguration(&opts.External, &opts.OpenAPISchema)
	flags.Skip(&opts.Skip)
	commit := flags.CheckBreaking()
	flags.CRDDir(&opts.CRDDir)
	flags.CRD(&opts.CRDs, "crd-")
	flags.Manifests(&opts)
	flags.BoundingDirs()
	flags.emitters = emitters
	return func(ctx context.Context, patterns []string) (*generators.Report, error) {
		if err := errors.Join(clientset.Set(), apply.Set()); err != nil {
			return &generators.Report{}, err
		}
		opts.Patterns, opts.Apply = patterns, generators.Choice(*choice)
		if flags.checks() {
			return generators.Compare(ctx, generators.RunOptions{Options: opts.Options, Groups: opts.Groups, IncludedTypes: opts.IncludedTypes, Schemas: opts.CRDs.SchemaOptions}, *commit)
		}
		return generators.All(ctx, opts, emitters...)
	}
}

// GenClientset returns the command gen-clientset; source is the text of its main.go.
func GenClientset(source string) Tool {
	return Tool{Name: "gen-clientset", Source: source, Bind: func(flags *Flags) RunFunc {
		var opts generators.ClientsetOptions
		flags.Common(&opts.Options)
		clientset := flags.Clientset(&opts)
		return func(ctx context.Context, patterns []string) (*generators.Report, error) {
			if err := clientset.Set(); err != nil {
				return &generators.Report{}, err
			}
			opts.Patterns = patterns
			return generators.Clientset(ctx, opts)
		}
	}}
}

// GenLister returns the command gen-lister; source is the text of its main.go.
func GenLister(source string) Tool {
	return Tool{Name: "gen-lister", Source: source, Bind: func(flags *Flags) RunFunc {
		var opts generators.ListerOptions
		flags.Common(&opts.Options)
		return func(ctx context.Context, patterns []string) (*generators.Report, error) {
			opts.Patterns = patterns
			return generators.Lister(ctx, opts)
		}
	}}
}

// GenInformer returns the command gen-informer; source is the text of its main.go.
func GenInformer(source string) Tool {
	return Tool{Name: "gen-informer", Source: source, Bind: func(flags *Flags) RunFunc {
		var opts generators.InformerOptions
		flags.Common(&opts.Options)
		flags.Informer(&opts)
		return func(ctx context.Context, patterns []string) (*generators.Report, error) {
			opts.Patterns = patterns
			return generators.Informer(ctx, opts)
		}
	}}
}

// GenApplyConfiguration returns the command gen-applyconfiguration; source is the text of its
// main.go.
func GenApplyConfiguration(source string) Tool {
	return Tool{Name: "gen-applyconfiguration", Source: source, Bind: func(flags *Flags) RunFunc {
		var opts generators.ApplyConfigurationOptions
		flags.Common(&opts.Options)
		apply := flags.ApplyConfiguration(&opts.External, &opts.OpenAPISchema)
		return func(ctx context.Context, patterns []string) (*generators.Report, error) {
			if err := apply.Set(); err != nil {
				return &generators.Report{}, err
			}
			opts.Patterns = patterns
			return generators.ApplyConfiguration(ctx, opts)
		}
	}}
}

// GenDeepCopy returns the command gen-deepcopy; source is the text of its main.go.
func GenDeepCopy(source string) Tool {
	return Tool{Name: "gen-deepcopy", Source: source, Bind: func(flags *Flags) RunFunc {
		var opts generators.DeepCopyOptions
		flags.InPlace(&opts.Options, model.CopiesFile)
		flags.BoundingDirs()
		return func(ctx context.Context, patterns []string) (*generators.Report, error) {
			opts.Patterns = patterns
			return generators.DeepCopy(ctx, opts)
		}
	}}
}

// GenRegister returns the command gen-register; source is the text of its main.go.
func GenRegister(source string) Tool {
	return Tool{Name: "gen-register", Source: source, Bind: func(flags *Flags) RunFunc {
		var opts generators.RegisterOptions
		flags.InPlace(&opts.Options, model.RegisterFile)
		return func(ctx context.Context, patterns []string) (*generators.Report, error) {
			opts.Patterns = patterns
			return generators.Register(ctx, opts)
		}
	}}
}
