// Package testcase reads the cases in testdata/apis. Each case is a directory with the API
// packages that the generators read and a case.txt with their flags.
//
// # case.txt
//
// A line is one of
//
//	# a comment
//	clientset --flag=value ...    flags for gen-clientset and client-gen
//	lister --flag=value ...       flags for gen-lister and lister-gen
//	informer --flag=value ...     flags for gen-informer and informer-gen
//	all --flag=value ...          flags for all three
//	applyconfiguration --flag=value ...
//	                              runs gen-applyconfiguration and applyconfiguration-gen, with
//	                              these flags
//	ours TOOL --flag=value ...    flags that code-generator does not know
//	rejected: reason              code-generator has no output, or none that compiles
//	differs: reason               our API intentionally differs from code-generator's
//
// TOOL is clientset, lister, informer, all or applyconfiguration. Flags are separated by white space, without
// quoting. In a flag, ${PKG} is the import path of the case's directory, and ${GOLDEN} the
// import path of its expected output, and ${DIR} its directory.
package testcase

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// Module is the import path of the repository's root module.
const Module = "github.com/listwatch/listwatch"

// Tool names a generator without its prefix.
type Tool string

// The generators. Apply runs only for cases with flags for it.
const (
	Clientset Tool = "clientset"
	Lister    Tool = "lister"
	Informer  Tool = "informer"
	Apply     Tool = "applyconfiguration"
)

// Case is one directory in testdata/apis.
type Case struct {
	// Name is the directory's name.
	Name string
	// Dir is the absolute path of the directory.
	Dir string
	// Rejected is the reason why code-generator has no usable output for this case; empty if
	// it has.
	Rejected string
	// Differs is the reason why our API differs from code-generator's; empty if it does not.
	Differs string

	upstream map[Tool][]string
	ours     map[Tool][]string
}

// Flavour names a runtime that generated code builds on.
type Flavour string

// The flavours. The expected output in the client-go flavour is in its own module.
const (
	Listwatch Flavour = "listwatch"
	ClientGo  Flavour = "client-go"
)

// Folder returns the directory of the case's expected output, with slashes, below the root.
func (c Case) Folder(f Flavour) string {
	if f == ClientGo {
		return "golden/client-go/" + c.Name
	}
	return "golden/" + c.Name
}

// Pkg returns the import path of the case's directory.
func (c Case) Pkg() string { return Module + "/testdata/apis/" + c.Name }

// Golden returns the import path of the case's expected output.
func (c Case) Golden(f Flavour) string { return Module + "/" + c.Folder(f) }

// UpstreamFlags returns the flags that code-generator's tool takes for this case.
func (c Case) UpstreamFlags(t Tool) []string { return c.expand(c.upstream[t], ClientGo) }

// Flags returns the flags that our generator takes for this case: those of
// code-generator's tool, then our own.
func (c Case) Flags(t Tool, f Flavour) []string {
	return c.expand(slices.Concat(c.upstream[t], c.ours[t]), f)
}

// Applies reports whether apply configurations are generated for the case.
func (c Case) Applies() bool {
	_, both := c.upstream[Apply]
	_, own := c.ours[Apply]
	return both || own
}

// expand returns flags with their variables replaced.
func (c Case) expand(flags []string, f Flavour) []string {
	expand := strings.NewReplacer("${PKG}", c.Pkg(), "${GOLDEN}", c.Golden(f), "${DIR}", c.Dir)
	expanded := make([]string, len(flags))
	for i, flag := range flags {
		expanded[i] = expand.Replace(flag)
	}
	return expanded
}

// All returns the cases under root/testdata/apis, sorted by name.
func All(root string) ([]Case, error) {
	base := filepath.Join(root, "testdata", "apis")
	entries, err := os.ReadDir(base)
	if err != nil {
		return nil, err
	}
	var cases []Case
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		dir, err := filepath.Abs(filepath.Join(base, e.Name()))
		if err != nil {
			return nil, err
		}
		c, err := read(e.Name(), dir)
		if err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	sort.Slice(cases, func(i, j int) bool { return cases[i].Name < cases[j].Name })
	return cases, nil
}

func read(name, dir string) (Case, error) {
	c := Case{Name: name, Dir: dir, upstream: map[Tool][]string{}, ours: map[Tool][]string{}}
	file := filepath.Join(dir, "case.txt")
	text, err := os.ReadFile(file)
	if err != nil {
		return c, err
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		line = strings.TrimSpace(line)
		if reason, ok := strings.CutPrefix(line, "rejected:"); ok {
			c.Rejected = strings.TrimSpace(reason)
			continue
		}
		if reason, ok := strings.CutPrefix(line, "differs:"); ok {
			c.Differs = strings.TrimSpace(reason)
			continue
		}
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		words := strings.Fields(line)
		into := c.upstream
		if words[0] == "ours" {
			into, words = c.ours, words[1:]
		}
		if len(words) == 0 {
			return c, fmt.Errorf("%s:%d: no tool named", file, n)
		}
		tools, err := parseTool(words[0])
		if err != nil {
			return c, fmt.Errorf("%s:%d: %w", file, n, err)
		}
		for _, t := range tools {
			into[t] = append(into[t], words[1:]...)
		}
	}
	return c, nil
}

func parseTool(word string) ([]Tool, error) {
	switch t := Tool(word); t {
	case "all":
		return []Tool{Clientset, Lister, Informer}, nil
	case Clientset, Lister, Informer, Apply:
		return []Tool{t}, nil
	}
	return nil, fmt.Errorf("unknown tool %q: want clientset, lister, informer, applyconfiguration or all", word)
}
