package cli

import (
	"fmt"
	"runtime/debug"
)

// version returns the tool's module version and source revision, as far as the go command
// recorded them.
func version(tool string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return tool + ", unknown version"
	}
	return describe(tool, info)
}

func describe(tool string, info *debug.BuildInfo) string {
	module := moduleOf(info)
	text := fmt.Sprintf("%s %s %s", tool, module.Path, module.Version)
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if revision := settings["vcs.revision"]; revision != "" && module.Path == info.Main.Path {
		text += " revision " + revision
		if settings["vcs.modified"] == "true" {
			text += " with local changes"
		}
	}
	return text + " " + info.GoVersion
}

// moduleOf returns the module that the tool comes from.
func moduleOf(info *debug.BuildInfo) debug.Module {
	for _, dep := range info.Deps {
		if dep.Path == modulePath {
			return *dep // the tool is run from another module
		}
	}
	return info.Main
}

const modulePath = "github.com/listwatch/listwatch"
