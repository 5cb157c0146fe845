package rest

import (
	"fmt"
	"os"
	"path/filepath"
	gruntime "runtime"
	"runtime/debug"
	"strings"
)

// DefaultKubernetesUserAgent returns the user agent of this program in client-go's format: command/version
// (os/arch) kubernetes/commit. Version and commit describe the program's main module; if the build did not
// record them (go test, go run), they are client-go's values without link-time settings, v0.0.0 and $Format.
func DefaultKubernetesUserAgent() string {
	info, _ := debug.ReadBuildInfo()
	version, commit := buildVersion(info)
	return fmt.Sprintf("%s/%s (%s/%s) kubernetes/%s", command(os.Args), version, gruntime.GOOS, gruntime.GOARCH, commit)
}

// AddUserAgent sets the user agent of config to the default with userAgent appended, and returns config.
func AddUserAgent(config *Config, userAgent string) *Config {
	config.UserAgent = DefaultKubernetesUserAgent() + "/" + userAgent
	return config
}

// command returns the name of the program.
func command(args []string) string {
	if len(args) == 0 || args[0] == "" {
		return "unknown"
	}
	return filepath.Base(args[0])
}

// buildVersion returns the version without pre-release and build metadata, and the first
// seven digits of the commit.
func buildVersion(info *debug.BuildInfo) (version, commit string) {
	version, commit = "v0.0.0", "$Format"
	if info == nil {
		return version, commit
	}
	if v := info.Main.Version; strings.HasPrefix(v, "v") {
		version = v[:len(v)-len(strings.TrimLeft(v, "v0123456789."))]
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" && len(setting.Value) >= 7 {
			commit = setting.Value[:7]
		}
	}
	return version, commit
}
