package cli

import (
	"context"
	"flag"
	"fmt"
	"strings"

	"github.com/listwatch/listwatch/generators"
)

// With returns gen-all under another name, with emitters.
func With(name, source string, emitters []generators.Emitter) Tool {
	t := GenAll(source)
	t.Name, t.Subcommands = name, nil
	t.Bind = func(flags *Flags) RunFunc { return bindAll(flags, emitters) }
	return t
}

// Only returns a command that generates what emitters plan. The options of the flags take the place of those in opts.
func Only(name, source string, opts generators.RunOptions, emitters []generators.Emitter) Tool {
	return Tool{Name: name, Source: source, Summary: true, Bind: func(flags *Flags) RunFunc {
		run := opts
		flags.Common(&run.Options)
		flags.emitters = emitters
		return func(ctx context.Context, patterns []string) (*generators.Report, error) {
			run.Patterns = patterns
			return generators.Run(ctx, run, emitters...)
		}
	}}
}

// addEmitters adds the flags of emitters. It returns an error if a name is taken.
func (f *Flags) addEmitters() error {
	var taken []string
	for _, e := range f.emitters {
		flagger, ok := e.(generators.Flagger)
		if !ok {
			continue
		}
		own := flag.NewFlagSet("", flag.ContinueOnError)
		flagger.AddFlags(own)
		own.VisitAll(func(flag *flag.Flag) {
			if f.set.Lookup(flag.Name) != nil {
				taken = append(taken, "--"+flag.Name)
				return
			}
			f.set.AddGoFlag(flag)
		})
	}
	if len(taken) > 0 {
		return fmt.Errorf("an emitter has flags whose names are taken: %s; give them other names", strings.Join(taken, ", "))
	}
	return nil
}
