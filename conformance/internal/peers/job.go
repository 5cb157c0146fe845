package peers

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/internal/testcase"
)

// Job describes what to generate from a set of API packages: a clientset (two with internal
// versions), listers and informers, in the layout of code-generator's own script.
type Job struct {
	// Dir is the tools' working directory: in a module from which the packages can be loaded.
	Dir string
	// Packages are the import paths of the versions to generate for. Within a
	// group, their order is that of the versions.
	Packages []string
	// Internal are the import paths of internal versions.
	Internal []string

	// OutputDir is the directory under which everything is written, and OutputPkg its import path.
	OutputDir, OutputPkg string
	// ClientsetDir is the clientsets' directory below OutputDir: "clientset" if empty, OutputDir
	// itself if ".".
	ClientsetDir string
	// ClientsetName is the versioned clientset's directory below ClientsetDir: "versioned" if
	// empty.
	ClientsetName string

	// ApplyConfigurations is the import path of the apply configurations; if empty, clients have no
	// Apply. Internal clients never have it.
	ApplyConfigurations string
	PluralExceptions    []string
	PrefersProtobuf     bool
	// SingleDirectory omits the informers' directory "externalversions".
	SingleDirectory bool

	// Clientset, Lister and Informer are additional flags of each tool.
	Clientset, Lister, Informer []string
	// Apply are the flags of the generator of apply configurations, which runs unless it is
	// nil. Their import path is that of ApplyConfigurations, or applyconfiguration below
	// OutputPkg, and ApplyPackages are its input, if it is not Packages.
	Apply, ApplyPackages []string
}

// Run generates with the peer's tools, and fails the test if one of them fails. The tools can see
// the existing content of OutputDir: they look there for expansions.
func (j Job) Run(t testing.TB, tools Tools) {
	t.Helper()
	if err := tools.Run(j.Dir, j.Commands()...); err != nil {
		t.Fatal(err)
	}
}

// Commands returns the command lines for the job, in the flags of
// code-generator.
func (j Job) Commands() []Command {
	versioned := j.clientset(j.versionedName(), j.Packages, "")
	if j.ApplyConfigurations != "" {
		versioned.Args = append(versioned.Args, "--apply-configuration-package="+j.ApplyConfigurations)
	}
	commands := []Command{versioned}
	if len(j.Internal) > 0 {
		commands = append(commands, j.clientset(internalName, j.Internal, "/"))
	}
	commands = append(commands, j.lister(), j.informer())
	if j.Apply != nil {
		commands = append(commands, j.ApplyCommand())
	}
	return commands
}

// internalName is the directory of the internal clientset.
const internalName = "internalversion"

func (j Job) clientset(name string, pkgs []string, suffix string) Command {
	args := append(j.common(j.clientsetDir()), "--clientset-name="+name, "--input-base=")
	for _, pkg := range pkgs {
		args = append(args, "--input="+pkg+suffix)
	}
	if j.PrefersProtobuf {
		args = append(args, "--prefers-protobuf")
	}
	return Command{testcase.Clientset, append(args, j.Clientset...)}
}

func (j Job) lister() Command {
	args := append(j.common("listers"), j.Lister...)
	return Command{testcase.Lister, append(args, j.inputs()...)}
}

func (j Job) informer() Command {
	args := append(j.common("informers"),
		"--versioned-clientset-package="+path.Join(j.OutputPkg, j.clientsetDir(), j.versionedName()),
		"--listers-package="+path.Join(j.OutputPkg, "listers"))
	if len(j.Internal) > 0 {
		args = append(args, "--internal-clientset-package="+path.Join(j.OutputPkg, j.clientsetDir(), internalName))
	}
	if j.SingleDirectory {
		args = append(args, "--single-directory")
	}
	args = append(args, j.Informer...)
	return Command{testcase.Informer, append(args, j.inputs()...)}
}

// ApplyCommand returns the command line for the apply configurations of the job.
func (j Job) ApplyCommand() Command {
	pkg := j.ApplyConfigurations
	if pkg == "" {
		pkg = path.Join(j.OutputPkg, "applyconfiguration")
	}
	args := []string{
		"--go-header-file=" + os.DevNull,
		"--output-dir=" + filepath.Join(j.OutputDir, path.Base(pkg)),
		"--output-pkg=" + pkg,
	}
	packages := j.ApplyPackages
	if packages == nil {
		packages = j.Packages
	}
	return Command{testcase.Apply, append(append(args, j.Apply...), packages...)}
}

// common returns the flags common to all three tools, for output to the directory sub of OutputDir.
func (j Job) common(sub string) []string {
	args := []string{
		"--go-header-file=" + os.DevNull,
		"--output-dir=" + filepath.Join(j.OutputDir, filepath.FromSlash(sub)),
		"--output-pkg=" + path.Join(j.OutputPkg, sub),
	}
	if len(j.PluralExceptions) > 0 {
		args = append(args, "--plural-exceptions="+strings.Join(j.PluralExceptions, ","))
	}
	return args
}

// inputs returns the packages as arguments of lister-gen and informer-gen.
func (j Job) inputs() []string {
	return append(append([]string(nil), j.Internal...), j.Packages...)
}

func (j Job) clientsetDir() string {
	if j.ClientsetDir == "" {
		return "clientset"
	}
	return j.ClientsetDir
}

func (j Job) versionedName() string {
	if j.ClientsetName == "" {
		return "versioned"
	}
	return j.ClientsetName
}
