package cli

import (
	"os"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/generators"
)

func TestColorDiff(t *testing.T) {
	const diff = "diff a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n--- two\n+++ three\n\\ No newline at end of file\ndiff a/y b/y\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+y\n"
	want := strings.NewReplacer("<b>", bold, "<r>", red, "<g>", green, "<c>", cyan, "</>", reset).Replace(
		"<b>diff a/x b/x</>\n<b>--- a/x</>\n<b>+++ b/x</>\n<c>@@ -1,3 +1,3 @@</>\n one\n<r>--- two</>\n<g>+++ three</>\n\\ No newline at end of file\n" +
			"<b>diff a/y b/y</>\n<b>--- /dev/null</>\n<b>+++ b/y</>\n<c>@@ -0,0 +1 @@</>\n<g>+y</>\n")
	if got := string(colorDiff([]byte(diff), true)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := string(colorDiff([]byte(diff), false)); got != diff {
		t.Errorf("without colors: got %q", got)
	}
}

func TestColorOp(t *testing.T) {
	for _, op := range []generators.Op{generators.Create, generators.Update, generators.Remove} {
		if got := colorOp(op, true); !strings.Contains(got, string(op)) || !strings.HasPrefix(got, "\x1b[3") || !strings.HasSuffix(got, reset) {
			t.Errorf("%s: got %q", op, got)
		}
		if got := colorOp(op, false); got != string(op) {
			t.Errorf("%s without colors: got %q", op, got)
		}
	}
}

func TestWantsColor(t *testing.T) {
	for _, c := range []struct {
		name string
		env  map[string]string
		want bool
	}{
		{"terminal", map[string]string{"TERM": "xterm-256color"}, true},
		{"no terminal", nil, false},
		{"dumb terminal", map[string]string{"TERM": "dumb"}, false},
		{"NO_COLOR", map[string]string{"TERM": "xterm", "NO_COLOR": "1"}, false},
		{"empty NO_COLOR", map[string]string{"TERM": "xterm", "NO_COLOR": ""}, true},
		{"CI", map[string]string{"TERM": "xterm", "CI": "true"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := wantsColor(func(name string) string { return c.env[name] }); got != c.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

// TestColored checks that only terminals get colors.
func TestColored(t *testing.T) {
	t.Setenv("TERM", "xterm")
	t.Setenv("CI", "")
	t.Setenv("NO_COLOR", "")
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0) // a device, but not a terminal
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = null.Close() }()
	if colored(null) || colored(new(strings.Builder)) {
		t.Error("colors")
	}
}
