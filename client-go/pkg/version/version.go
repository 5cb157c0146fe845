// Package version reports the version of a program's source, which the linker sets:
//
//	go build -ldflags "-X k8s.io/client-go/pkg/version.gitVersion=v1.2.3"
package version

import (
	"runtime"

	"k8s.io/apimachinery/pkg/version"
)

// The linker sets these, by the names that they have in client-go. Without it, they are those of no release.
var (
	gitMajor     = ""
	gitMinor     = ""
	gitVersion   = "v0.0.0-master+$Format:%H$"
	gitCommit    = "$Format:%H$"
	gitTreeState = ""
	buildDate    = "1970-01-01T00:00:00Z"
)

// Get returns the version.
func Get() version.Info {
	return version.Info{
		Major:        gitMajor,
		Minor:        gitMinor,
		GitVersion:   gitVersion,
		GitCommit:    gitCommit,
		GitTreeState: gitTreeState,
		BuildDate:    buildDate,
		GoVersion:    runtime.Version(),
		Compiler:     runtime.Compiler,
		Platform:     runtime.GOOS + "/" + runtime.GOARCH,
	}
}
