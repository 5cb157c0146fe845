package rest

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"testing"
)

func TestDefaultKubernetesUserAgent(t *testing.T) {
	// client-go's user agent of a program built without link-time settings.
	want := filepath.Base(os.Args[0]) + "/v0.0.0 (" + runtime.GOOS + "/" + runtime.GOARCH + ") kubernetes/$Format"
	if got := DefaultKubernetesUserAgent(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	config := &Config{UserAgent: "old"}
	if AddUserAgent(config, "mine") != config || config.UserAgent != want+"/mine" {
		t.Errorf("got %q", config.UserAgent)
	}
}

func TestBuildVersion(t *testing.T) {
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef"}
	for name, test := range map[string]struct {
		info            *debug.BuildInfo
		version, commit string
	}{
		"no build info":   {nil, "v0.0.0", "$Format"},
		"go run":          {&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "v0.0.0", "$Format"},
		"nothing":         {&debug.BuildInfo{}, "v0.0.0", "$Format"},
		"release":         {&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{{Key: "a"}, revision}}, "v1.2.3", "0123456"},
		"pre-release":     {&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3-rc.1"}}, "v1.2.3", "$Format"},
		"pseudo-version":  {&debug.BuildInfo{Main: debug.Module{Version: "v0.0.0-20260102030405-0123456789ab"}}, "v0.0.0", "$Format"},
		"dirty":           {&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3+dirty"}}, "v1.2.3", "$Format"},
		"revision is odd": {&debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "12"}}}, "v0.0.0", "$Format"},
	} {
		t.Run(name, func(t *testing.T) {
			version, commit := buildVersion(test.info)
			if version != test.version || commit != test.commit {
				t.Errorf("got %s, %s", version, commit)
			}
		})
	}
}

func TestCommand(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{{nil, "unknown"}, {[]string{""}, "unknown"}, {[]string{"/usr/bin/tool", "x"}, "tool"}} {
		if got := command(test.args); got != test.want {
			t.Errorf("%q: got %q", test.args, got)
		}
	}
	if !regexp.MustCompile(`^\S+/v\d+\.\d+\.\d+ \(\w+/\w+\) kubernetes/\S+$`).MatchString(DefaultKubernetesUserAgent()) {
		t.Error("not in the usual form")
	}
}
