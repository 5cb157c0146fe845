package peers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/lockedfile"

	"github.com/listwatch/listwatch/internal/testcase"
)

// Tools are the generators of one peer.
type Tools struct {
	// Client, Lister, Informer and Apply are the absolute paths of binaries.
	Client, Lister, Informer, Apply string
	// Flags come first on every command line of this peer.
	Flags []string
	// together is a binary that runs all command lines at once, instead of one binary for each
	// tool. It is empty if there is none.
	together string
}

// Upstream returns code-generator's tools, as the command internal/peers/upstream runs
// them.
func Upstream(t testing.TB) Tools {
	t.Helper()
	tools, err := upstream()
	if err != nil {
		t.Fatalf("build code-generator: %v", err)
	}
	return tools
}

// Ours returns listwatch's tools, built from the root module, which generate code for client-go.
func Ours(t testing.TB) Tools {
	t.Helper()
	tools, err := ours()
	if err != nil {
		t.Fatalf("build the generators: %v", err)
	}
	return tools
}

// All returns the path of listwatch's gen-all, built from the root module.
func All(t testing.TB) string {
	t.Helper()
	name, err := all()
	if err != nil {
		t.Fatalf("build gen-all: %v", err)
	}
	return name
}

// controllerToolsDir is a directory in the module, beside the file with its requirements.
const controllerToolsDir = "internal/peers/testdata/controllertools"

// ControllerTools returns the path of the command testdata/controllertools, which runs controller-tools. Its requirements
// are testdata/controllertools.mod, as it needs newer libraries than the API server that other tests link.
func ControllerTools(t testing.TB) string {
	t.Helper()
	name, err := controllerTools()
	if err != nil {
		t.Fatalf("build controller-tools: %v", err)
	}
	return name
}

var controllerTools = sync.OnceValues(func() (string, error) {
	dir, err := Dir()
	if err != nil {
		return "", err
	}
	tools, err := build(dir, "controllertools", Tools{Client: testcase.Module + "/conformance/" + controllerToolsDir}, "-modfile="+controllerToolsDir+".mod")
	return tools.Client, err
})

// PinnedControllerGen returns the path of the command controller-gen, in the version of [ControllerTools].
func PinnedControllerGen(t testing.TB) string {
	t.Helper()
	name, err := pinnedControllerGen()
	if err != nil {
		t.Fatalf("build controller-gen: %v", err)
	}
	return name
}

var pinnedControllerGen = sync.OnceValues(func() (string, error) {
	dir, err := Dir()
	if err != nil {
		return "", err
	}
	tools, err := build(dir, "controller-gen", Tools{Client: "sigs.k8s.io/controller-tools/cmd/controller-gen"}, "-modfile="+controllerToolsDir+".mod")
	return tools.Client, err
})

// MarkerParser returns the path of the program that parses markers as gen-crd does, built from the
// root module.
func MarkerParser(t testing.TB) string {
	t.Helper()
	name, err := markerParser()
	if err != nil {
		t.Fatalf("build the parser of markers: %v", err)
	}
	return name
}

var markerParser = sync.OnceValues(func() (string, error) {
	dir, err := Root()
	if err != nil {
		return "", err
	}
	tools, err := build(dir, "markers", Tools{Client: testcase.Module + "/generators/internal/kubemarker/testdata/parse"})
	return tools.Client, err
})

// Explainer returns the path of the program that finds the fields that are decoded slowly as gen-all does, built from
// the root module.
func Explainer(t testing.TB) string {
	t.Helper()
	name, err := explainer()
	if err != nil {
		t.Fatalf("build the program that finds slow fields: %v", err)
	}
	return name
}

var explainer = sync.OnceValues(func() (string, error) {
	dir, err := Root()
	if err != nil {
		return "", err
	}
	tools, err := build(dir, "explainer", Tools{Client: testcase.Module + "/generators/internal/slow/testdata/explain"})
	return tools.Client, err
})

var all = sync.OnceValues(func() (string, error) {
	dir, err := Root()
	if err != nil {
		return "", err
	}
	tools, err := build(dir, "all", Tools{Client: testcase.Module + "/cmd/gen-all"})
	return tools.Client, err
})

var upstream = sync.OnceValues(func() (Tools, error) {
	dir, err := Dir()
	if err != nil {
		return Tools{}, err
	}
	tools, err := build(dir, "upstream", Tools{Client: testcase.Module + "/conformance/internal/peers/upstream"})
	return Tools{together: tools.Client}, err
})

var ours = sync.OnceValues(func() (Tools, error) {
	dir, err := Root()
	if err != nil {
		return Tools{}, err
	}
	return build(dir, "ours", Tools{
		Client:   testcase.Module + "/cmd/gen-clientset",
		Lister:   testcase.Module + "/cmd/gen-lister",
		Informer: testcase.Module + "/cmd/gen-informer",
		Apply:    testcase.Module + "/cmd/gen-applyconfiguration",
		Flags:    []string{"--runtime=client-go"},
	})
})

// build builds the commands whose import paths are in pkgs, in the module around dir, and returns
// the binaries.
func build(dir, name string, pkgs Tools, flags ...string) (Tools, error) {
	bin, err := Work("bin", name)
	if err != nil {
		return Tools{}, err
	}
	if err = os.MkdirAll(bin, 0o777); err != nil {
		return Tools{}, err
	}
	unlock, err := lockedfile.MutexAt(bin + ".lock").Lock()
	if err != nil {
		return Tools{}, err
	}
	defer unlock()

	// Without version control stamps, a binary that is up to date stays untouched.
	cmd := exec.Command("go", "build", "-buildvcs=false", "-o", bin+string(filepath.Separator))
	cmd.Args = append(cmd.Args, flags...)
	for _, pkg := range []string{pkgs.Client, pkgs.Lister, pkgs.Informer, pkgs.Apply} {
		if pkg != "" {
			cmd.Args = append(cmd.Args, pkg)
		}
	}
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return Tools{}, fmt.Errorf("%w\n%s", err, out)
	}
	binary := func(pkg string) string { return filepath.Join(bin, filepath.Base(pkg)) }
	return Tools{
		Client:   binary(pkgs.Client),
		Lister:   binary(pkgs.Lister),
		Informer: binary(pkgs.Informer),
		Apply:    binary(pkgs.Apply),
		Flags:    pkgs.Flags,
	}, nil
}

// Command is one call of one generator.
type Command struct {
	Tool testcase.Tool
	Args []string
}

// Run runs the tools in dir, in the order of the commands, and stops at the first that fails. The
// error contains the command line and its output.
func (tools Tools) Run(dir string, commands ...Command) error {
	if tools.together != "" {
		return tools.runTogether(dir, commands)
	}
	for _, c := range commands {
		binary, err := tools.binary(c.Tool)
		if err != nil {
			return err
		}
		cmd := exec.Command(binary, append(append([]string(nil), tools.Flags...), c.Args...)...)
		if err := run(dir, cmd); err != nil {
			return fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
		}
	}
	return nil
}

// upstreamNames are the names of code-generator's tools.
var upstreamNames = map[testcase.Tool]string{
	testcase.Clientset: "client-gen", testcase.Lister: "lister-gen", testcase.Informer: "informer-gen",
	testcase.Apply: "applyconfiguration-gen",
}

func (tools Tools) runTogether(dir string, commands []Command) error {
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	for _, c := range commands {
		if err := encoder.Encode(append([]string{upstreamNames[c.Tool]}, c.Args...)); err != nil {
			return err
		}
	}
	cmd := exec.Command(tools.together)
	cmd.Stdin = &lines
	return run(dir, cmd)
}

// DeepCopyGen runs deepcopy-gen in dir, as the command internal/peers/upstream runs it.
func DeepCopyGen(t testing.TB, dir string, args ...string) error {
	t.Helper()
	line, err := json.Marshal(append([]string{"deepcopy-gen"}, args...))
	if err != nil {
		return err
	}
	cmd := exec.Command(Upstream(t).together)
	cmd.Stdin = bytes.NewReader(line)
	return run(dir, cmd)
}

// run runs a command in dir. The error contains its output.
func run(dir string, cmd *exec.Cmd) error {
	var out bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
	// Runs are short: code-generator would use two fifths of its time for collecting garbage.
	cmd.Env = append(os.Environ(), "GOGC=off", "GOMEMLIMIT=2GiB")
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%w\n%s", err, out.String())
	}
	return nil
}

func (tools Tools) binary(t testcase.Tool) (string, error) {
	switch t {
	case testcase.Clientset:
		return tools.Client, nil
	case testcase.Lister:
		return tools.Lister, nil
	case testcase.Informer:
		return tools.Informer, nil
	case testcase.Apply:
		return tools.Apply, nil
	}
	return "", fmt.Errorf("unknown tool %q", t)
}
