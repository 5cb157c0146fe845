package clients_test

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
)

// TestUpToDate checks the output of go generate.
func TestUpToDate(t *testing.T) {
	commands, err := exec.CommandContext(t.Context(), "go", "generate", "-n", ".").CombinedOutput()
	if err != nil || len(commands) == 0 {
		t.Fatalf("go generate: %v\n%s", err, commands)
	}
	for command := range bytes.Lines(commands) {
		words := append(strings.Fields(string(command)), "--verify")
		if out, err := exec.CommandContext(t.Context(), words[0], words[1:]...).CombinedOutput(); err != nil {
			t.Errorf("run \"go generate\" in this directory: %v\n%s", err, out)
		}
	}
}
