package clients

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestUpToDate runs the commands that generated the clientsets, to verify them.
func TestUpToDate(t *testing.T) {
	source, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for line := range bytes.Lines(source) {
		command, ok := bytes.CutPrefix(line, []byte("//go:generate "))
		if !ok {
			continue
		}
		words := append(strings.Fields(string(command)), "--verify")
		if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
			t.Errorf("run \"go generate\" in this directory: %v\n%s", err, out)
		}
		ran++
	}
	if ran != len([]string{"client-go", "listwatch", "views"}) {
		t.Errorf("ran %d commands", ran)
	}
}
