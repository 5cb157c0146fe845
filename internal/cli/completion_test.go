package cli

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/listwatch/listwatch/generators"
)

// script returns the completion functions of gen-all for a shell.
func script(t *testing.T, shell string) string {
	t.Helper()
	var stdout, stderr strings.Builder
	if code := GenAll(source).Main(t.Context(), []string{"completion", shell}, &stdout, &stderr); code != exitDone {
		t.Fatal(stderr.String())
	}
	return stdout.String()
}

// TestBash completes command lines in bash. The last word is the one to complete.
func TestBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	for _, sub := range []string{"apis/shop/v1", "config"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "header.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "gen-all.bash")
	if err := os.WriteFile(name, []byte(script(t, "bash")), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		words string // separated by |
		want  []string
		part  bool // want need not be all
	}{
		{words: "gen-all|--ver", want: []string{"--verify", "--version"}},
		{words: "gen-all|--runt", want: []string{"--runtime="}},
		{words: "gen-all|--runtime|=", want: []string{"listwatch", "client-go"}},
		{words: "gen-all|--runtime|=|cl", want: []string{"client-go"}},
		{words: "gen-all|--runtime|cl", want: []string{"client-go"}},
		{words: "gen-all|--runtime=cl", want: []string{"--runtime=client-go"}},
		{words: "gen-all|--format|=|", want: []string{"text", "github", "json"}},
		{words: "gen-all|--lint|=|known-tags-only,require-", want: []string{"known-tags-only,require-explicit-disablement"}},
		{words: "gen-all|--apply-configurations|=|t", want: []string{"true"}},
		{words: "gen-all|--verify|", want: []string{"./apis/", "./config/", "./..."}},
		{words: "gen-all|--output-dir|=|ap", want: []string{"apis"}},
		{words: "gen-all|--go-header-file|=|h", want: []string{"header.txt"}},
		{words: "gen-all|--output-pkg|=|a"},
		{words: "gen-all|--exclude|a"},
		{words: "gen-all|ap", want: []string{"./apis/"}},
		{words: "gen-all|./apis/", want: []string{"./apis/shop/", "./apis/..."}},
		{words: "gen-all|./apis/...|./co", want: []string{"./config/"}},
		{words: "gen-all|comp", want: []string{"completion"}},
		{words: "gen-all|", want: []string{"completion", "./apis/", "./..."}, part: true},
		{words: "gen-all|init|--ki", want: []string{"--kind="}},
		{words: "gen-all|init|--scope|=|C", want: []string{"Cluster"}},
		{words: "gen-all|init|"},
		{words: "gen-all|completion|", want: shells},
		{words: "gen-all|completion|f", want: []string{"fish"}},
		{words: "gen-all|--", want: []string{"--output-dir=", "--verify", "--help"}, part: true},
	} {
		t.Run(c.words, func(t *testing.T) {
			words := strings.Split(c.words, "|")
			cmd := exec.Command(bash, append([]string{
				"--norc", "-u", "-c",
				`source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gen_all; ((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}"`, name,
			}, words...)...)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			got := strings.Fields(string(out))
			for _, want := range c.want {
				if !slices.Contains(got, want) {
					t.Errorf("got %q, want %q", got, want)
				}
			}
			if !c.part && len(got) != len(c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestShells checks that the functions of each shell have the flags, and that the shell, if it is installed, parses them.
func TestShells(t *testing.T) {
	for shell, lines := range map[string][]string{
		"bash": {"complete -F _gen_all gen-all"},
		"zsh": {
			"#compdef gen-all",
			"compdef _gen_all gen-all",
			`'*--runtime=[runtime of the generated code\: listwatch, or client-go to replace code-generator'\''s output]:value:(listwatch client-go)' \`,
			`'*--verify[write nothing]' \`,
			`'1:argument:(bash zsh fish)' \`,
		},
		"fish": {
			"complete -c gen-all -n 'not __fish_seen_subcommand_from init completion' -l runtime -x -a 'listwatch client-go' -d 'runtime of the generated code: listwatch, or client-go to replace code-generator'\\''s output'",
			"complete -c gen-all -n 'not __fish_seen_subcommand_from init completion' -l verify -d 'write nothing'",
			"complete -c gen-all -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish'",
		},
	} {
		t.Run(shell, func(t *testing.T) {
			text := script(t, shell)
			for _, line := range lines {
				if !slices.ContainsFunc(strings.Split(text, "\n"), func(l string) bool { return strings.TrimSpace(l) == line }) {
					t.Errorf("no line %s in\n%s", line, text)
				}
			}
			if strings.Contains(text, "vmodule") {
				t.Error("hidden flags are completed")
			}
			program, err := exec.LookPath(shell)
			if err != nil {
				t.Logf("not parsed: %v", err)
				return
			}
			cmd := exec.Command(program, "-n")
			cmd.Stdin = strings.NewReader(text)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// TestCompletedFlags checks that every flag is completed with its kind of value.
func TestCompletedFlags(t *testing.T) {
	set := pflag.NewFlagSet("x", pflag.ContinueOnError)
	set.String("choice", "", "one of some; not more")
	set.StringP("dir", "d", "", "some `directory` (default: here)")
	set.String("file", "", "some `file`")
	set.String("text", "", "some text")
	set.Bool("switch", false, "")
	set.Bool("secret", false, "")
	_ = set.MarkHidden("secret")
	values(set, "choice", []string{"a", "b"})
	want := []completedFlag{
		{Name: "choice", About: "one of some", Takes: "values", Values: []string{"a", "b"}},
		{Name: "dir", Shorthand: "d", About: "some directory", Takes: "directory"},
		{Name: "file", About: "some file", Takes: "file"},
		{Name: "switch"},
		{Name: "text", About: "some text", Takes: "text"},
	}
	got := command{flags: set}.Flags()
	if !slices.EqualFunc(got, want, func(a, b completedFlag) bool {
		return a.Name == b.Name && a.Shorthand == b.Shorthand && a.About == b.About && a.Takes == b.Takes && slices.Equal(a.Values, b.Values)
	}) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestCompletionUsage checks the messages for missing and unknown shells, in all commands.
func TestCompletionUsage(t *testing.T) {
	tool, ran := tool(&generators.Report{}, nil)
	mains := map[string]func(args []string, stdout, stderr *strings.Builder) int{
		"gen-test": func(args []string, stdout, stderr *strings.Builder) int {
			return tool.Main(context.Background(), args, stdout, stderr)
		},
		migrateName: func(args []string, stdout, stderr *strings.Builder) int {
			return MigrateTool{source}.Main(context.Background(), args, stdout, stderr)
		},
	}
	for name, main := range mains {
		for _, c := range []struct {
			args string
			code int
			part string // of the output
		}{
			{"completion", 2, name + ": completion: name a shell, one of bash, zsh, fish\nsee " + name + " --help\n"},
			{"completion csh", 2, "want one of [bash zsh fish] as the only argument"},
			{"completion bash zsh", 2, "want one of [bash zsh fish] as the only argument"},
			{"completion --help", 0, "echo 'source <(" + name + " completion bash)' >>~/.bashrc\n"},
			{"completion bash", 0, "complete -F _" + strings.ReplaceAll(name, "-", "_") + " " + name + "\n"},
		} {
			t.Run(name+" "+c.args, func(t *testing.T) {
				var stdout, stderr strings.Builder
				code := main(strings.Fields(c.args), &stdout, &stderr)
				if got := stdout.String() + stderr.String(); code != c.code || !strings.Contains(got, c.part) {
					t.Errorf("exit code %d, %s", code, got)
				}
			})
		}
	}
	if ran.times > 0 {
		t.Error("the tool ran")
	}
}
