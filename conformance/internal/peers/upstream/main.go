// Command upstream runs code-generator's generators several times with one load of packages.
//
// It reads command lines of client-gen, lister-gen, informer-gen, applyconfiguration-gen and deepcopy-gen from standard input,
// each a JSON array that starts with the tool's name, and runs them in order in the working directory.
// Loading packages takes almost all of the time of these tools: here the packages of all command
// lines are loaded once. It stops at the first that fails, and prints that command line.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	applyargs "k8s.io/code-generator/cmd/applyconfiguration-gen/args"
	apply "k8s.io/code-generator/cmd/applyconfiguration-gen/generators"
	clientargs "k8s.io/code-generator/cmd/client-gen/args"
	client "k8s.io/code-generator/cmd/client-gen/generators"
	deepcopyargs "k8s.io/code-generator/cmd/deepcopy-gen/args"
	deepcopy "k8s.io/code-generator/cmd/deepcopy-gen/generators"
	informerargs "k8s.io/code-generator/cmd/informer-gen/args"
	informer "k8s.io/code-generator/cmd/informer-gen/generators"
	listerargs "k8s.io/code-generator/cmd/lister-gen/args"
	lister "k8s.io/code-generator/cmd/lister-gen/generators"
	"k8s.io/code-generator/pkg/util"
	"k8s.io/gengo/v2"
	"k8s.io/gengo/v2/generator"
	"k8s.io/gengo/v2/namer"
	"k8s.io/gengo/v2/parser"
	"k8s.io/klog/v2"
)

func main() {
	if err := run(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(lines io.Reader) error {
	var commands []command
	for decoder := json.NewDecoder(lines); ; {
		var line []string
		err := decoder.Decode(&line)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		c, err := parse(line)
		if err != nil {
			return fmt.Errorf("%s: %w", strings.Join(line, " "), err)
		}
		commands = append(commands, c)
	}

	packages := parser.NewWithOptions(parser.Options{BuildTags: []string{gengo.StdBuildTag}})
	var inputs []string
	for _, c := range commands {
		inputs = append(inputs, c.inputs...)
	}
	slices.Sort(inputs)
	if err := packages.LoadPackages(slices.Compact(inputs)...); err != nil {
		return err
	}
	// A parser fills only one universe, so all commands use the same.
	loaded, err := generator.NewContext(packages, nil, "")
	if err != nil {
		return err
	}
	for _, c := range commands {
		klog.OsExit = func(code int) { // the generators end the process when they give up
			fmt.Fprintln(os.Stderr, strings.Join(c.line, " "))
			os.Exit(code)
		}
		if err := c.run(*loaded); err != nil {
			return fmt.Errorf("%s: %w", strings.Join(c.line, " "), err)
		}
	}
	return nil
}

// command is one call of a tool.
type command struct {
	line    []string
	inputs  []string // import paths
	plurals []string // exceptions, as Kind:plurals
	systems func(plurals map[string]string) namer.NameSystems
	system  string // the default naming
	targets func(*generator.Context) []generator.Target
}

// parse parses a command line like the tool of that name.
func parse(line []string) (command, error) {
	if len(line) == 0 {
		return command{}, errors.New("no tool is named")
	}
	c := command{line: line}
	flags := pflag.NewFlagSet(line[0], pflag.ContinueOnError)
	var validate func() error
	switch line[0] {
	case "client-gen":
		args := clientargs.New()
		args.AddFlags(flags, "")
		c.systems, c.system = client.NameSystems, client.DefaultNameSystem()
		c.targets = func(g *generator.Context) []generator.Target { return client.GetTargets(g, args) }
		validate = func() error {
			c.plurals = args.PluralExceptions
			for _, group := range args.Groups {
				for _, version := range group.Versions {
					c.inputs = append(c.inputs, path.Clean(version.Package))
				}
			}
			return args.Validate()
		}
	case "lister-gen":
		args := listerargs.New()
		args.AddFlags(flags)
		c.systems, c.system = lister.NameSystems, lister.DefaultNameSystem()
		c.targets = func(g *generator.Context) []generator.Target { return lister.GetTargets(g, args) }
		validate = func() error {
			c.plurals, c.inputs = args.PluralExceptions, flags.Args()
			return args.Validate()
		}
	case "informer-gen":
		args := informerargs.New()
		args.AddFlags(flags)
		c.systems, c.system = informer.NameSystems, informer.DefaultNameSystem()
		c.targets = func(g *generator.Context) []generator.Target { return informer.GetTargets(g, args) }
		validate = func() error {
			c.plurals, c.inputs = args.PluralExceptions, flags.Args()
			return args.Validate()
		}
	case "deepcopy-gen":
		args := deepcopyargs.New()
		args.AddFlags(flags)
		c.systems = func(map[string]string) namer.NameSystems { return deepcopy.NameSystems() }
		c.system = deepcopy.DefaultNameSystem()
		c.targets = func(g *generator.Context) []generator.Target { return deepcopy.GetTargets(g, args) }
		validate = func() error {
			c.inputs = flags.Args()
			return args.Validate()
		}
	case "applyconfiguration-gen":
		args := applyargs.New()
		args.AddFlags(flags, "")
		c.systems = func(map[string]string) namer.NameSystems { return apply.NameSystems() }
		c.system = apply.DefaultNameSystem()
		c.targets = func(g *generator.Context) []generator.Target { return apply.GetTargets(g, args) }
		validate = func() error {
			c.inputs = flags.Args()
			return args.Validate()
		}
	default:
		return c, errors.New("unknown tool")
	}
	if err := flags.Parse(line[1:]); err != nil {
		return c, err
	}
	return c, validate()
}

// run generates for this command's packages only, among all that are loaded.
func (c command) run(loaded generator.Context) error {
	g := loaded
	g.Namers = c.systems(util.PluralExceptionListToMapOrDie(c.plurals))
	order := namer.Orderer{Namer: g.Namers[c.system]}
	g.Order = order.OrderUniverse(g.Universe)
	g.Inputs = nil
	for _, pkg := range loaded.Inputs {
		if slices.Contains(c.inputs, pkg) {
			g.Inputs = append(g.Inputs, pkg)
		}
	}
	if len(g.Inputs) < len(c.inputs) {
		return fmt.Errorf("not all of %q are packages", c.inputs)
	}
	return g.ExecuteTargets(c.targets(&g))
}
