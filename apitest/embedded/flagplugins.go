package embedded

import (
	"fmt"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/apitest/internal/builtin/plugins"
)

const (
	enablePlugins  = "enable-admission-plugins"
	disablePlugins = "disable-admission-plugins"
)

// plugins returns an option that enables and disables admission plugins, and the names of those that a command line
// enables and that are not part of the server.
func (f flags) plugins() (option Option, missing []string, err error) {
	enabled, err := f.pluginNames(enablePlugins)
	if err != nil {
		return nil, nil, err
	}
	disabled, err := f.pluginNames(disablePlugins)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range enabled {
		if slices.Contains(disabled, name) {
			return nil, nil, fmt.Errorf("--%s: %s is also in --%s", enablePlugins, name, disablePlugins)
		}
		if slices.Contains(plugins.Names(plugins.Gated, plugins.Missing), name) {
			missing = append(missing, name)
		}
	}
	return func(o *options) { o.withoutPlugins, o.withPlugins = disabled, enabled }, missing, nil
}

// pluginNames returns the names of admission plugins in a flag, which must be kube-apiserver's.
func (f flags) pluginNames(flag string) ([]string, error) {
	known := plugins.Names(plugins.Default, plugins.Optional, plugins.Gated, plugins.Missing)
	var names []string
	for _, value := range f[flag] {
		for name := range strings.SplitSeq(value, ",") {
			switch name = strings.TrimSpace(name); {
			case name == "":
			case slices.Contains(known, name):
				names = append(names, name)
			default:
				return nil, fmt.Errorf("--%s: unknown plugin %q", flag, name)
			}
		}
	}
	return names, nil
}
