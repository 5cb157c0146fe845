package main

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/listwatch/listwatch/bench/internal/measure"
)

// contender is one set of tools that generates the clientset, listers and informers of an
// input.
type contender struct {
	// name is its name in the table.
	name string
	// upToDate starts the contender with the output of the previous one instead of an
	// empty directory.
	upToDate bool
	// commands returns the commands to run.
	commands func(input, folders) []measure.Command
}

// contenders run in this order and are compared with the first.
var contenders = []contender{
	{name: "client-gen, lister-gen, informer-gen", commands: theirThree},
	{name: "gen-clientset, gen-lister, gen-informer", commands: ourThree},
	{name: "gen-all", commands: ourOne},
	{name: "gen-all, output up to date", commands: ourOne, upToDate: true},
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
		Dir:     filepath.Join(f.inputs(), in.module),
		Env:     []string{noWorkspace},
	}
	for _, a := range args {
		c.Args = append(c.Args, a...)
	}
	return c
}
