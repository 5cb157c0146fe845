package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"
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

and generates deepcopy functions, registration, CRD and clients from the types. With --deploy, it also writes what
production needs:

	operator.go                  leader election, /healthz, /readyz and /metrics
	operator_test.go             their test, with the permissions of the service account
	Dockerfile, .dockerignore    the image of the program
	config/rbac                  the service account, and its roles, which follow from +kubebuilder:rbac markers
	config/manager               the Deployment, with probes, and its namespace
	config/crd, config/default   the kustomizations: kubectl apply -k config/default
	config/samples               an object of the kind
	.github/workflows/ci.yaml    checks of generated files and manifests, and tests

From an empty directory to a running controller:

	go mod init example.com/shop
	go run github.com/listwatch/listwatch/cmd/gen-all@latest init --group=storage.example.com --kind=Database
	go test ./...

Then change the types, run "go generate", and fill in the method reconcile of the controller. "go run ." runs it on the
cluster of the kubeconfig, which needs the CRD: kubectl apply -f config/crd/bases.

No file that exists is overwritten. A run that fails or is interrupted removes what it has written, and restores
go.mod. --dry-run runs the same in a temporary directory, and lists the files. Exit codes are those of gen-all.
`

// initFlags are the flags of init.
type initFlags struct {
	set                                 *pflag.FlagSet
	group, version, kind, plural, scope string
	deploy, dryRun, showVersion         bool
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
	f.set.BoolVar(&f.deploy, "deploy", false, "also write what production needs: manifests, image, CI, and a program with leader election, health and metrics")
	f.set.BoolVar(&f.dryRun, "dry-run", false, "list the files that would be written, and write nothing; go commands run in a temporary directory")
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
			if flags.dryRun {
				r.mode = modeDryRun
			}
			if err := start.protected(&r, stderr); err != nil {
				r.fail(err)
			}
			return flags.format.print(r, stdout, stderr)
		},
	}
}

// apply sets in an API what the flags name. An error lists everything wrong with the API and the flags.
func (f *initFlags) apply(api *project.API) error {
	api.Group, api.Kind = cmp.Or(f.group, api.Group), cmp.Or(f.kind, api.Kind)
	api.Version, api.Plural, api.Cluster = f.version, f.plural, f.scope == scopeCluster
	api.Deploy = f.deploy
	err := api.Check()
	if f.scope != scopeNamespaced && f.scope != scopeCluster {
		err = errors.Join(err, fmt.Errorf("--scope: invalid scope %q; want %s or %s", f.scope, scopeNamespaced, scopeCluster))
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", generators.ErrUsage, err)
	}
	return err
}

// module returns the module path in the arguments, if there is one.
func (f *initFlags) module() (string, error) {
	switch args := f.set.Args(); {
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
