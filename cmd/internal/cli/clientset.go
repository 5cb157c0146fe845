package cli

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/listwatch/listwatch/generators"
)

// The names that a clientset has if no flag gives one: code-generator's where the
// packages are named as its tools have it, with --input, else that which most
// projects choose.
const (
	upstreamName = "internalclientset"
	defaultName  = "versioned"
)

// ClientsetFlags are the flags about a clientset.
type ClientsetFlags struct {
	options *generators.ClientsetOptions

	inputs    []string
	inputBase string
	included  []string
	fake      bool
}

// Clientset binds the flags about a clientset; their values go to options.
func (f *Flags) Clientset(options *generators.ClientsetOptions) *ClientsetFlags {
	c := &ClientsetFlags{options: options}
	f.set.StringVarP(&options.Name, "clientset-name", "n", "", "`name` of the clientset's package and folder (default: \""+defaultName+"\", or \""+upstreamName+"\" with --input)")
	f.set.StringVar(&options.APIPath, "clientset-api-path", "/apis", "`path` below which the server serves API groups")
	f.set.BoolVar(&options.Only, "clientset-only", false, "emit the clientset without the clients of single kinds")
	f.set.BoolVar(&c.fake, "fake-clientset", true, "emit the fake clientset for tests")
	f.set.StringVar(&options.ApplyConfigurations, "apply-configuration-package", "", "import `path` of the apply configurations; without it there are no Apply methods")
	f.set.BoolVar(&options.PrefersProtobuf, "prefers-protobuf", false, "make clients that ask for protobuf")
	f.set.StringSliceVar(&c.inputs, "input", nil, "API packages below --input-base, as `group/version`,...; code-generator's way to name them")
	f.set.StringVar(&c.inputBase, "input-base", "k8s.io/kubernetes/pkg/apis", "import path or `folder` above what --input names")
	f.set.StringSliceVar(&c.included, "included-types-overrides", nil, "the only types wanted of a version, marked or not, as in group/version/type,...: a list of `types`")
	f.set.SetNormalizeFunc(oldNames)
	return c
}

// Set completes the options from the flags, once they are parsed.
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
		return fmt.Errorf("%w: --clientset-api-path=%s: want a path with a slash before it and none after, as in /apis", generators.ErrUsage, o.APIPath)
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

// parseInput reads one value of --input: any folders, the group, the version. The
// version is empty, after a final slash, for the internal one.
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
