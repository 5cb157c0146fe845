package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/listwatch/listwatch/generators"
	"github.com/listwatch/listwatch/internal/project"
)

// initHelp is the manual of the subcommand init.
const initHelp = `Writes a first API package, its controller and a test into a new module, and generates the rest.

	gen-all init [flags] [module]

It needs a go.mod in the current directory, or the path of the module, for which it runs "go mod init". It adds the
modules that the project needs to go.mod, writes

	apis/GROUP/VERSION/types.go  the kind, with its spec, status and markers
	apis/GROUP/VERSION/doc.go    the group of the package
	generate.go                  the line for "go generate"
	controller.go                a controller: informer, work queue, status
	controller_test.go           its test, on an API server in the test's process
	main.go                      the program that runs the controller

and generates deepcopy functions, registration, CRD and clients from the types. From an empty directory to a running
controller:

	go mod init example.com/shop
	go run github.com/listwatch/listwatch/cmd/gen-all@latest init --group=storage.example.com --kind=Database
	go test ./...

Then change the types, run "go generate", and fill in the method reconcile of the controller. "go run ." runs it on the
cluster of the kubeconfig, which needs the CRD: kubectl apply -f config/crd/bases.

No file that exists is overwritten. Exit codes are those of gen-all.
`

// initFlags are the flags of init.
type initFlags struct {
	set                                 *pflag.FlagSet
	group, version, kind, plural, scope string
	showVersion                         bool
	format                              format
}

const (
	scopeNamespaced = "Namespaced"
	scopeCluster    = "Cluster"
)

func newInitFlags() *initFlags {
	f := &initFlags{set: pflag.NewFlagSet(initName, pflag.ContinueOnError)}
	f.set.SortFlags = false
	f.set.Usage = func() {}
	f.set.StringVar(&f.group, "group", "", "API `group`, below a domain of yours (default: from the path of the module: shop.example.com for example.com/shop)")
	f.set.StringVar(&f.kind, "kind", "", "`name` of the type (default: from the path of the module: Shop for example.com/shop)")
	f.set.StringVar(&f.version, "api-version", "v1", "`version` of the API")
	f.set.StringVar(&f.plural, "plural", "", "`name` of the resource in paths (default: the English plural of the kind)")
	f.set.StringVar(&f.scope, "scope", scopeNamespaced, "Namespaced, or Cluster for objects that are in no namespace")
	f.set.Var(&f.format, "format", formatUsage)
	f.set.BoolVar(&f.showVersion, "version", false, "print the version and exit")
	values(f.set, "scope", []string{scopeNamespaced, scopeCluster})
	values(f.set, "format", formats)
	return f
}

const initName = "gen-all init"

// initSubcommand is "gen-all init".
func initSubcommand(tool func() Tool) Subcommand {
	return Subcommand{
		Name:  "init",
		About: "write a first API package and its controller",
		Flags: func() *pflag.FlagSet { return newInitFlags().set },
		Main: func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
			flags := newInitFlags()
			err := flags.set.Parse(args)
			switch {
			case errors.Is(err, pflag.ErrHelp):
				fmt.Fprint(stdout, initHelp+"\nFlags:\n\n"+flags.set.FlagUsagesWrapped(100))
				return exitDone
			case err != nil:
				return requested(args).print(result{tool: initName, failure: err, code: exitUsage}, stdout, stderr)
			case flags.showVersion:
				fmt.Fprintln(stdout, version("gen-all"))
				return exitDone
			}
			start := starter{ctx: ctx, flags: flags, tool: tool(), progress: stderr}
			if flags.format == formatJSON {
				start.progress = io.Discard
			}
			r := result{tool: initName, mode: modeWrite}
			if err := start.protected(&r, stderr); err != nil {
				r.fail(err)
			}
			return flags.format.print(r, stdout, stderr)
		},
	}
}

// starter starts a project in the current directory.
type starter struct {
	ctx      context.Context
	flags    *initFlags
	tool     Tool
	progress io.Writer // for the go commands that are run
}

// protected runs, and returns a panic as an error.
func (s starter) protected(r *result, stderr io.Writer) (err error) {
	defer protect(stderr, &err)
	return s.run(r)
}

// run makes the project and notes it in the result.
func (s starter) run(r *result) error {
	api, create, err := s.api()
	if err != nil {
		return err
	}
	files, err := api.Files()
	if err != nil {
		return err
	}
	if err = vacant(files); err != nil {
		return err
	}
	if create {
		if err = s.command("mod", "init", api.Module); err != nil {
			return err
		}
		r.changes = append(r.changes, change{generators.Create, "go.mod"})
	}
	for _, args := range [][]string{
		{"get", "-tool", modulePath + "/cmd/gen-all@" + required()},
		{"get", modulePath + "/apitest@" + required()},
	} {
		if err = s.command(args...); err != nil {
			return err
		}
	}
	if err = write(files); err != nil {
		return err
	}
	report, err := s.tool.Run(s.ctx, ".", []string{"./apis/..."})
	if err != nil {
		remove(files)
		return err
	}
	for _, f := range files {
		r.changes = append(r.changes, change{generators.Create, f.Path})
	}
	r.listed = len(r.changes)
	for _, c := range report.Changes {
		r.changes = append(r.changes, change{c.Op, shown(c.Path)})
	}
	r.add(severityWarning, report.Warnings)
	if err := s.command("mod", "tidy"); err != nil {
		return err
	}
	n := count(report)
	r.summary = fmt.Sprintf("%s of %s/%s: %s written, %s generated", api.Kind, api.Group, api.Version, quantity(len(files), "file"), quantity(n.written, "file"))
	n.written += len(files)
	r.counts = &n
	r.next = []string{"go test ./...", "kubectl apply -f config/crd/bases && go run ."}
	return nil
}

// api returns the API that flags and module name, and whether the module has to be created.
func (s starter) api() (api project.API, create bool, err error) {
	given, err := s.argument()
	if err != nil {
		return api, false, err
	}
	found, err := modulePathOf(".")
	switch {
	case err != nil:
		return api, false, err
	case found == "" && given == "":
		return api, false, missingModule()
	case found != "" && given != "" && found != given:
		return api, false, fmt.Errorf("%w: go.mod is of module %s, not of %s; omit the argument, or use another directory", generators.ErrUsage, found, given)
	case found == "":
		found, create = given, true
	}
	api = project.Default(found)
	f := s.flags
	api.Group, api.Kind = cmp.Or(f.group, api.Group), cmp.Or(f.kind, api.Kind)
	api.Version, api.Plural, api.Cluster = f.version, f.plural, f.scope == scopeCluster
	err = api.Check()
	if f.scope != scopeNamespaced && f.scope != scopeCluster {
		err = errors.Join(err, fmt.Errorf("--scope: invalid scope %q; want %s or %s", f.scope, scopeNamespaced, scopeCluster))
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", generators.ErrUsage, err)
	}
	return api, create, err
}

// argument returns the module path in the arguments, if there is one.
func (s starter) argument() (string, error) {
	switch args := s.flags.set.Args(); {
	case len(args) == 0:
		return "", nil
	case len(args) > 1:
		return "", fmt.Errorf("%w: want one module path as the only argument, not %s", generators.ErrUsage, strings.Join(args, " "))
	default:
		if err := module.CheckImportPath(args[0]); err != nil {
			return "", fmt.Errorf("%w: %w; want a module path such as example.com/shop", generators.ErrUsage, err)
		}
		return args[0], nil
	}
}

// modulePathOf returns the path of the module in a directory; empty if there is none.
func modulePathOf(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	found := modfile.ModulePath(text)
	if found == "" {
		return "", errors.New("go.mod has no module directive")
	}
	return found, nil
}

// missingModule describes what to do in a directory without a go.mod.
func missingModule() error {
	dir, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	for above := filepath.Dir(dir); above != dir; dir, above = above, filepath.Dir(above) {
		if _, err := os.Stat(filepath.Join(above, "go.mod")); err == nil {
			return fmt.Errorf("go.mod is not here but in %s; run gen-all init there, or with the path of a new module, as in gen-all init example.com/shop", above)
		}
	}
	return errors.New("no go.mod in this directory; pass the path of the module, as in gen-all init example.com/shop, or run go mod init first")
}

// vacant returns an error if the project would overwrite files, or share the directory of its program with others.
func vacant(files []project.File) error {
	var taken []string
	for _, f := range files {
		if _, err := os.Lstat(filepath.FromSlash(f.Path)); err == nil {
			taken = append(taken, f.Path)
		}
	}
	if len(taken) > 0 {
		return fmt.Errorf("would overwrite %s; gen-all init needs a directory without them", strings.Join(taken, ", "))
	}
	others, err := filepath.Glob("*.go")
	if err == nil && len(others) > 0 {
		err = fmt.Errorf("there is a Go package here already (%s); gen-all init writes a program, so it needs a directory without Go files", others[0])
	}
	return err
}

// command runs the go command.
func (s starter) command(args ...string) error {
	line := "go " + strings.Join(args, " ")
	fmt.Fprintf(s.progress, "%s: %s\n", initName, line)
	cmd := exec.CommandContext(s.ctx, "go", args...)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w\n%s", line, err, strings.TrimSpace(output.String()))
	}
	return nil
}

// write writes new files. If one cannot be written, it removes the others.
func write(files []project.File) error {
	for i, f := range files {
		name := filepath.FromSlash(f.Path)
		err := os.MkdirAll(filepath.Dir(name), 0o755)
		if err == nil {
			err = create(name, f.Text)
		}
		if err != nil {
			remove(files[:i])
			return err
		}
	}
	return nil
}

// create writes a file that must not exist.
func create(name string, text []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// remove removes files that were written, and the directories that are empty without them.
func remove(files []project.File) {
	for _, f := range files {
		name := f.Path
		for name != "." && os.Remove(filepath.FromSlash(name)) == nil {
			name = path.Dir(name)
		}
	}
}
