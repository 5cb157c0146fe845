package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	goversion "go/version"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/mod/modfile"

	"github.com/listwatch/listwatch/generators"
	"github.com/listwatch/listwatch/internal/project"
)

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

// run makes the project, or for a dry run a copy of it that it removes, and notes it in the result. If it fails,
// nothing is left of it.
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
	place := directory{path: "."}
	if r.mode == modeDryRun {
		if place.path, err = scratch(); err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(place.path) }() // a temporary directory
	}
	if err = place.remember(files); err != nil {
		return err
	}
	report, err := s.fill(&place, api, files, create)
	if err != nil {
		return errors.Join(err, place.restore())
	}
	op := generators.Update
	if create {
		op = generators.Create
	}
	r.changes = append(r.changes, change{op, "go.mod"})
	for _, f := range files {
		r.changes = append(r.changes, change{generators.Create, f.Path})
	}
	r.listed = len(r.changes)
	for _, c := range report.Changes {
		r.changes = append(r.changes, change{c.Op, place.shown(c.Path)})
	}
	r.add(severityWarning, report.Warnings)
	s.summarize(r, api, len(files), count(report))
	return nil
}

// fill writes the files of a project into a directory, and generates the rest.
func (s starter) fill(place *directory, api project.API, files []project.File, create bool) (*generators.Report, error) {
	if create {
		if err := s.command(place.path, "mod", "init", api.Module); err != nil {
			return nil, err
		}
	}
	if err := s.command(place.path, "get", "-tool", modulePath+"/cmd/gen-all@"+required()); err != nil {
		return nil, err
	}
	if !s.flags.dryRun { // what is generated does not depend on them
		if err := s.require(place.path); err != nil {
			return nil, err
		}
	}
	if err := place.write(files); err != nil {
		return nil, err
	}
	report, err := s.tool.Run(s.ctx, place.path, []string{api.Patterns()})
	if err != nil {
		return nil, err
	}
	place.wrote(report)
	if s.flags.dryRun {
		return report, nil
	}
	return report, s.command(place.path, "mod", "tidy")
}

// require adds the modules that the project needs, except for that of gen-all, to go.mod.
func (s starter) require(dir string) error {
	if err := s.command(dir, "get", "-tool", modulePath+"/apitest/cmd/apitest@"+required()); err != nil {
		return err
	}
	if !s.flags.deploy {
		return nil
	}
	return s.command(dir, "get", modulePath+"/kubernetes@"+required(), modulePath+"/metrics/prometheus@"+required())
}

// summarize notes what was written, or would be, and what to do next.
func (s starter) summarize(r *result, api project.API, written int, generated counts) {
	if s.flags.dryRun {
		r.listed = len(r.changes)
		return
	}
	r.summary = fmt.Sprintf("%s of %s/%s: %s written, %s generated", api.Kind, api.Group, api.Version, quantity(written, "file"), quantity(generated.written, "file"))
	generated.written += written
	r.counts = &generated
	r.next = []string{"go test ./...", "kubectl apply -f config/crd/bases && go run ."}
	if s.flags.deploy {
		r.next = append(r.next, "kubectl apply -k config/default")
	}
}

// api returns the API that flags and module name, and whether the module has to be created. The flags are checked
// first, with any module.
func (s starter) api() (api project.API, create bool, err error) {
	sample := project.Default("example.com/project")
	given, err := s.flags.module()
	if err = errors.Join(err, s.flags.apply(&sample)); err != nil {
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
	api.Go = cmp.Or(strings.TrimPrefix(goversion.Lang(runtime.Version()), "go"), "latest")
	return api, create, s.flags.apply(&api)
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

// waitDelay is how long an interrupted run waits for what a go command has started.
const waitDelay = 5 * time.Second

// command runs the go command in a directory.
func (s starter) command(dir string, args ...string) error {
	line := "go " + strings.Join(args, " ")
	fmt.Fprintf(s.progress, "%s: %s\n", initName, line)
	cmd := exec.CommandContext(s.ctx, "go", args...)
	cmd.Dir = dir
	if s.flags.dryRun {
		cmd.Env = append(os.Environ(), "GOWORK=off") // the directory is in no workspace
	}
	cmd.WaitDelay = waitDelay
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w\n%s", line, err, strings.TrimSpace(output.String()))
	}
	return nil
}
