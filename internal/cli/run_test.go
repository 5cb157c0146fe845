package cli

import (
	"slices"
	"testing"

	"github.com/listwatch/listwatch/generators"
)

func TestToolRun(t *testing.T) {
	for _, c := range []struct {
		name  string
		args  []string
		times int
		fails bool
	}{
		{name: "packages", args: []string{"--strict", "./a", "./b"}, times: 1},
		{name: "unknown flag", args: []string{"--no-such-flag"}, fails: true},
		{name: "flags that exclude each other", args: []string{"--verify", "--dry-run"}, fails: true},
		{name: "version", args: []string{"--version"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := &generators.Report{Unchanged: 7}
			tool, ran := tool(report, nil)
			got, err := tool.Run(t.Context(), "folder", c.args)
			if got == nil || (err != nil) != c.fails || ran.times != c.times {
				t.Fatalf("ran %d times: %v, %v", ran.times, got, err)
			}
			if c.times == 0 {
				return
			}
			if got != report || ran.options.Dir != "folder" || !ran.options.Strict || !slices.Equal(ran.patterns, c.args[1:]) {
				t.Errorf("ran with %+v: %v", ran, got)
			}
		})
	}
}
