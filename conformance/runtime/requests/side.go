package requests

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"text/template"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/conformance/runtime/requests/transcript"
	"github.com/listwatch/listwatch/internal/testcase"
)

const (
	driverPath  = testcase.Module + "/conformance/runtime/requests"
	scratchPath = "example.test/requests"
	// patience is the maximum duration of a driver program, and of building those of a side.
	patience = 20 * time.Minute
)

//go:embed drive/*.go transcript/*.go testdata
var sources embed.FS

// Side is one set of generators, with its scratch module.
type Side struct {
	Tools   peers.Tools
	Flavour Flavour
	dir     string
}

// Lock excludes other test processes from the scratch modules until unlock is called.
func Lock() (unlock func(), err error) {
	dir, err := peers.Work("requests")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	return lockedfile.MutexAt(dir + ".lock").Lock()
}

// NewSide creates the scratch module of that name, with the driver in it.
func NewSide(t testing.TB, name string, tools peers.Tools, flavour Flavour) Side {
	t.Helper()
	dir, err := peers.Work("requests", name)
	if err != nil {
		t.Fatal(err)
	}
	s := Side{Tools: tools, Flavour: flavour, dir: dir}
	if err := s.layOut(); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s Side) layOut() error {
	if err := os.RemoveAll(s.dir); err != nil {
		return err
	}
	for _, pkg := range []string{"drive", "transcript"} {
		if err := s.copy(pkg, pkg); err != nil {
			return err
		}
	}
	return s.requirements()
}

// copy writes the Go files of an embedded directory to a directory of the module.
func (s Side) copy(from, to string) error {
	files, err := fs.Glob(sources, path.Join(from, "*.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		data, err := sources.ReadFile(file)
		if err != nil {
			return err
		}
		if err := s.write(path.Join(to, path.Base(file)), s.Flavour.rewrite(string(data))); err != nil {
			return err
		}
	}
	return nil
}

func (s Side) write(file, content string) error {
	name := filepath.Join(s.dir, filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(content), 0o666)
}

// requirements writes go.mod and go.sum, which equal this module's.
func (s Side) requirements() error {
	from, err := peers.Dir()
	if err != nil {
		return err
	}
	root, err := peers.Root()
	if err != nil {
		return err
	}
	for _, file := range []string{"go.mod", "go.sum"} {
		data, failed := os.ReadFile(filepath.Join(from, file))
		if failed != nil {
			return failed
		}
		if err = s.write(file, string(data)); err != nil {
			return err
		}
	}
	// Apply configurations of the cases are in the modules of the expected output.
	const golden = testcase.Module + "/golden/client-go"
	_, err = s.run("go", "mod", "edit", "-module="+scratchPath,
		"-replace="+testcase.Module+"="+root, "-replace="+golden+"="+filepath.Join(root, "golden", "client-go"),
		"-replace="+testcase.Module+"/kubernetes="+filepath.Join(root, "kubernetes"))
	return err
}

// Prepare generates for the input, and writes a driver program for it.
func (s Side) Prepare(t testing.TB, in Input) {
	t.Helper()
	if in.Job != nil {
		job := in.Job(s.Flavour.Name)
		job.Dir = s.dir
		job.OutputDir = filepath.Join(s.dir, in.Name)
		job.OutputPkg = scratchPath + "/" + in.Name
		if err := s.Tools.Run(job.Dir, job.Commands()...); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.writeProgram(in); err != nil {
		t.Fatal(err)
	}
}

// Build builds the driver programs of inputs that are prepared. The go command reads the packages of all of them once.
func (s Side) Build(inputs []Input) error {
	args := []string{"build", "-buildvcs=false", "-ldflags=-s -w", "-o", s.binary("")}
	for _, in := range inputs {
		args = append(args, "./"+in.Name)
	}
	_, err := s.run("go", args...)
	return err
}

// binary returns the path of an input's driver program, or the directory of all.
func (s Side) binary(name string) string {
	return filepath.Join(s.dir, "bin") + string(filepath.Separator) + name
}

// Transcript runs the driver program of an input, which is built.
func (s Side) Transcript(t testing.TB, in Input) []transcript.Call {
	t.Helper()
	out, err := s.run(s.binary(in.Name))
	if err != nil {
		t.Fatal(err)
	}
	var calls []transcript.Call
	if err := json.Unmarshal(out, &calls); err != nil {
		t.Fatal(err)
	}
	return calls
}

// program is the data of the driver program's template.
type program struct {
	// Clientset and Informers are import paths; Informers is empty if the tree has none.
	Clientset, Informers string
	// Fakes are the names of the constructors of fake clientsets.
	Fakes []string
	// Versions restricts what is driven; nil for all.
	Versions []string
	// More reports whether there are scenarios for this tree only.
	More bool
}

// writeProgram writes the driver program next to a generated tree.
func (s Side) writeProgram(in Input) error {
	name := in.Name
	p, err := s.look(in)
	if err != nil {
		return err
	}
	if p.More {
		if err = s.copy(path.Join("testdata", name), name); err != nil {
			return err
		}
	}
	main, err := template.ParseFS(sources, "testdata/main.go.tmpl")
	if err != nil {
		return err
	}
	var source strings.Builder
	if err := main.Execute(&source, p); err != nil {
		return err
	}
	return s.write(name+"/main.go", s.Flavour.rewrite(source.String()))
}

// look determines what a generated tree contains.
func (s Side) look(in Input) (program, error) {
	if in.Job == nil {
		return program{
			Clientset: "k8s.io/client-go/kubernetes", Informers: "k8s.io/client-go/informers", Versions: in.Versions,
			Fakes: []string{"NewSimpleClientset", "NewClientset"}, More: true,
		}, nil
	}
	name := in.Name
	p := program{Clientset: path.Join(scratchPath, name, "clientset/versioned")}
	for _, folder := range []string{"informers", "informers/externalversions"} {
		if _, err := os.Stat(filepath.Join(s.dir, name, folder, "factory.go")); err == nil {
			p.Informers = path.Join(scratchPath, name, folder)
		}
	}
	fakes, err := filepath.Glob(filepath.Join(s.dir, name, "clientset/versioned/fake/*.go"))
	if err != nil {
		return p, err
	}
	for _, file := range fakes {
		source, failed := os.ReadFile(file)
		if failed != nil {
			return p, failed
		}
		for _, constructor := range []string{"NewSimpleClientset", "NewClientset"} {
			if bytes.Contains(source, []byte("\nfunc "+constructor+"(")) {
				p.Fakes = append(p.Fakes, constructor)
			}
		}
	}
	more, err := fs.Glob(sources, path.Join("testdata", name, "*.go"))
	p.More = len(more) > 0
	return p, err
}

// run runs a command in the module and returns its output.
func (s Side) run(name string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var out, complaint bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.dir, &out, &complaint
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, complaint.String())
	}
	return out.Bytes(), nil
}
