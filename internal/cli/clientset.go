package cli

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/listwatch/listwatch/generators"
)

// The default names of a clientset: code-generator's if --input selects the packages, as
// its tools do, and otherwise the name that most projects use.
const (
	upstreamName = "internalclientset"
	defaultName  = "versioned"
)

// ClientsetFlags are the flags of a clientset.
type ClientsetFlags struct {
	options *generators.ClientsetOptions

	inputs    []string
	inputBase string
	included  []string
	fake      bool
}

// Clientset binds the flags of a clientset to options. The caller must call Set once the
// flags are parsed.
func (f *Flags) Clientset(options *generators.ClientsetOptions) *ClientsetFlags {
	c := &ClientsetFlags{options: options}
	f.set.StringVarP(&options.Name, "clientset-name", "n", "", "`name` of the clientset's package and directory (default: \""+defaultName+"\", or \""+upstreamName+"\" with --input)")
	f.set.StringVar(&options.APIPath, "clientset-api-path", "/apis", "root `path` of API groups on the server")
	f.set.BoolVar(&options.Only, "clientset-only", false, "generate the clientset without the typed clients, which must already exist")
	f.set.BoolVar(&c.fake, "fake-clientset", true, "generate the fake clientset for tests")
	f.set.StringVar(&options.ApplyConfigurations, "apply-configuration-package", "", "import `path` of the apply configurations; if empty, clients have no Apply methods")
	f.set.BoolVar(&options.PrefersProtobuf, "prefers-protobuf", false, "generate clients that request protobuf instead of JSON")
	f.set.StringSliceVar(&c.inputs, "input", nil, "API packages below --input-base, as a list of `group/version`, as in code-generator; empty to use the packages in the arguments")
	f.set.StringVar(&c.inputBase, "input-base", "k8s.io/kubernetes/pkg/apis", "import path or `directory` that --input is relative to")
	f.set.StringSliceVar(&c.included, "included-types-overrides", nil, "list of `types`, as group/version/type; for the versions in it, only these types are generated, marked or not")
	f.set.SetNormalizeFunc(oldNames)
	return c
}

// Set completes the options from the parsed flags.
func (c *ClientsetFlags) Set() error {
	o := c.options
	o.NoFake = !c.fake
	if o.Name == "" {
		o.Name = defaultName
		if len(c.inputs) > 0 {
			o.Name = upstreamName
		}
	}
	if !strings.HasPrefix(o.APIPath, "/") || strings.HasSuffix(o.APIPath, "/") {
		return fmt.Errorf("%w: --clientset-api-path=%s must start with a slash and not end with one, as in /apis", generators.ErrUsage, o.APIPath)
	}
	var err error
	for _, input := range c.inputs {
		group, parseErr := parseInput(c.inputBase, input)
		err = errors.Join(err, parseErr)
		o.Groups = append(o.Groups, group)
	}
	o.IncludedTypes = map[string][]string{}
	for _, included := range c.included {
		i := strings.LastIndexByte(included, '/')
		if i < 0 || strings.Count(included, "/") > 2 {
			err = errors.Join(err, fmt.Errorf("%w: --included-types-overrides: %q is not group/version/type", generators.ErrUsage, included))
			continue
		}
		version := included[:i]
		if !strings.Contains(version, "/") {
			version += "/" // a type of the group's internal version
		}
		o.IncludedTypes[version] = append(o.IncludedTypes[version], included[i+1:])
	}
	return err
}

// parseInput parses one value of --input: optional directories, the group, the version.
// After a final slash, the version is empty: the internal version.
func parseInput(base, input string) (generators.GroupVersionInput, error) {
	rest, version := path.Split(input)
	rest, group := path.Split(strings.TrimSuffix(rest, "/"))
	if !strings.Contains(input, "/") {
		group, version = input, ""
	}
	if group == "" && version == "" {
		return generators.GroupVersionInput{}, fmt.Errorf("%w: --input: %q is not group/version", generators.ErrUsage, input)
	}
	if group == "" {
		group = "core"
	}
	pkg := path.Join(base, rest, group, version)
	if base == "." || strings.HasPrefix(base, "./") {
		pkg = "./" + pkg
	}
	return generators.GroupVersionInput{Package: pkg, Group: group, Version: version}, nil
}
