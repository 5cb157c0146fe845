package main

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/listwatch/listwatch/bench/internal/measure"
)

// contender is one set of tools that generates the same from an input as the others of the input.
type contender struct {
	// name is its name in the table.
	name string
	// upToDate starts the contender with the output of the previous one instead of an
	// empty directory.
	upToDate bool
	// commands returns the commands to run.
	commands func(input, folders) []measure.Command
}

// clients are the contenders that generate clientset, listers and informers, in the order in which
// they run. They are compared with the first.
var clients = []contender{
	{name: "client-gen, lister-gen, informer-gen", commands: theirThree},
	{name: "gen-clientset, gen-lister, gen-informer", commands: ourThree},
	{name: "gen-all", commands: ourOne},
	{name: "gen-all, output up to date", commands: ourOne, upToDate: true},
}

// everything are the contenders that generate all that a project with custom resources needs: deepcopy
// functions, the registration of types, CustomResourceDefinitions, and clients with apply configurations.
var everything = []contender{
	{name: "code-generator's six, controller-gen", commands: theirSeven},
	{name: "gen-all", commands: ourAll},
	{name: "gen-all, output up to date", commands: ourAll, upToDate: true},
}

// projectTools are the contenders that generate all that a real project needs: also roles and configurations of webhooks. What
// defaulter-gen and openapi-gen write is not compared.
var projectTools = []contender{
	{name: "code-generator's six, controller-gen's four", commands: theirTen},
	{name: "gen-all", commands: ourProject},
	{name: "gen-all, output up to date", commands: ourProject, upToDate: true},
}

// clientGo selects the runtime for which our output equals code-generator's.
const clientGo = "--runtime=client-go"

func theirThree(in input, f folders) []measure.Command {
	return three(in, f, "client-gen", "lister-gen", "informer-gen")
}

func ourThree(in input, f folders) []measure.Command {
	return three(in, f, "gen-clientset", "gen-lister", "gen-informer", clientGo)
}

// three runs three tools, ours or theirs, with the same flags.
func three(in input, f folders, clientset, lister, informer string, flags ...string) []measure.Command {
	flags = append(flags, in.all...)
	return []measure.Command{
		command(in, f, clientset, flags, in.client, clientsetFlags(in), place(in, f, "clientset")),
		command(in, f, lister, flags, place(in, f, "listers"), in.packages()),
		command(in, f, informer, flags, in.informer, place(in, f, "informers"), []string{
			"--versioned-clientset-package=" + path.Join(in.output, "clientset", in.clientset),
			"--listers-package=" + path.Join(in.output, "listers"),
		}, in.packages()),
	}
}

// ourOne runs gen-all, which adds the directories clientset, listers and informers itself, without
// apply configurations, which the three do not generate.
func ourOne(in input, f folders) []measure.Command {
	return []measure.Command{
		command(in, f, "gen-all", []string{clientGo, "--apply-configurations=false"}, in.all, in.client, in.informer, clientsetFlags(in), place(in, f, "")),
	}
}

// theirSeven runs the generators of code-generator, and controller-gen for CustomResourceDefinitions, in the
// order of kube_codegen.sh.
func theirSeven(in input, f folders) []measure.Command {
	all := "./" + in.patterns
	commands := []measure.Command{
		command(in, f, "deepcopy-gen", []string{"--output-file=zz_generated.deepcopy.go", all}),
		command(in, f, "register-gen", []string{"--output-file=zz_generated.register.go", all}),
		command(in, f, "controller-gen", []string{"crd", "paths=" + all, "output:crd:dir=config/crd/bases"}),
		command(in, f, "applyconfiguration-gen", place(in, f, "applyconfiguration"), in.packages()),
	}
	return append(commands, theirThree(in, f)...)
}

// theirTen runs the generators of code-generator, and controller-gen once for all of its own. Register-gen comes last: the projects
// register their types by hand too, so that packages with its output do not compile.
func theirTen(in input, f folders) []measure.Command {
	object := append([]string{"object", "crd:allowDangerousTypes=true", "rbac:roleName=manager-role", "webhook"}, "output:crd:dir=config/crd/bases", "output:rbac:dir=config/rbac", "output:webhook:dir=config/webhook")
	for _, root := range in.roots {
		object = append(object, "paths="+root)
	}
	commands := []measure.Command{
		command(in, f, "controller-gen", object),
		command(in, f, "deepcopy-gen", []string{"--output-file=zz_generated.deepcopy.go"}, in.packages()),
		command(in, f, "applyconfiguration-gen", place(in, f, "applyconfiguration"), in.packages()),
	}
	return append(append(commands, theirThree(in, f)...), command(in, f, "register-gen", []string{"--output-file=zz_generated.register.go"}, in.packages()))
}

// ourProject runs gen-all, which generates everything in one run.
func ourProject(in input, f folders) []measure.Command {
	return []measure.Command{command(in, f, "gen-all", []string{clientGo, "--apply-configurations=true", "--allow-dangerous-types"}, place(in, f, ""), in.roots)}
}

// ourAll runs gen-all, which generates everything in one run.
func ourAll(in input, f folders) []measure.Command {
	return []measure.Command{
		command(in, f, "gen-all", []string{clientGo, "--apply-configurations=true", "--crd-dir=config/crd/bases"}, place(in, f, ""), []string{"./" + in.patterns}),
	}
}

// clientsetFlags select the name and the input of the clientset.
func clientsetFlags(in input) []string {
	return []string{
		"--clientset-name=" + in.clientset,
		"--input-base=" + in.base,
		"--input=" + strings.Join(in.versions, ","),
	}
}

// place returns the flags for the output directory of a tool.
func place(in input, f folders, dir string) []string {
	return []string{
		"--output-dir=" + filepath.Join(f.output(in), dir),
		"--output-pkg=" + path.Join(in.output, dir),
	}
}

func command(in input, f folders, program string, args ...[]string) measure.Command {
	c := measure.Command{
		Program: filepath.Join(f.programs(), program),
		Dir:     f.dir(in),
		Env:     []string{noWorkspace},
	}
	for _, a := range args {
		c.Args = append(c.Args, a...)
	}
	return c
}
