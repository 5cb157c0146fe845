package cli

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestDescribe(t *testing.T) {
	ours := debug.Module{Path: modulePath, Version: "v0.2.0"}
	revision := []debug.BuildSetting{{Key: "vcs.revision", Value: "c0ffee"}, {Key: "vcs.modified", Value: "false"}}
	changed := []debug.BuildSetting{{Key: "vcs.revision", Value: "c0ffee"}, {Key: "vcs.modified", Value: "true"}}
	for _, c := range []struct {
		name string
		give debug.BuildInfo
		want string
	}{
		{"release", debug.BuildInfo{GoVersion: "go1.26", Main: ours}, "gen-x github.com/listwatch/listwatch v0.2.0 go1.26"},
		{"checkout", debug.BuildInfo{GoVersion: "go1.26", Main: ours, Settings: revision}, "gen-x github.com/listwatch/listwatch v0.2.0 revision c0ffee go1.26"},
		{"checkout with changes", debug.BuildInfo{GoVersion: "go1.26", Main: ours, Settings: changed}, "gen-x github.com/listwatch/listwatch v0.2.0 revision c0ffee with local changes go1.26"},
		{
			"tool of another module",
			debug.BuildInfo{GoVersion: "go1.26", Main: debug.Module{Path: "example.com/p"}, Deps: []*debug.Module{&ours}, Settings: revision},
			"gen-x github.com/listwatch/listwatch v0.2.0 go1.26",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := describe("gen-x", &c.give); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestVersion(t *testing.T) {
	tool, ran := tool(nil, nil)
	var stdout, stderr strings.Builder
	code := tool.Main(t.Context(), []string{"--version", "./..."}, &stdout, &stderr)
	if code != exitDone || stderr.String() != "" || ran.times != 0 {
		t.Errorf("exit code %d, %q, ran %d times", code, stderr.String(), ran.times)
	}
	if got := stdout.String(); !strings.HasPrefix(got, "gen-test ") || !strings.HasSuffix(got, "\n") || !strings.Contains(got, " go1.") {
		t.Errorf("got %q", got)
	}
}
