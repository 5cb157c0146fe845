package decoding

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/peers"
)

// Explained is what gen-all finds out about the structs of packages from their source.
type Explained struct {
	Types []struct {
		Package, Name string
		// Kind reports whether the struct has the metadata of objects.
		Kind bool
		Slow []SlowField
	}
	// Fields is the number of fields of kinds, and Unread lists the types of such fields that could not be read.
	Fields int
	Unread []string
}

// SlowField is a field that is decoded slowly.
type SlowField struct {
	Path, Name, Reason, Package string
	// Pos is its position in the source.
	Pos string
}

// Explain returns the slow fields of the structs of packages, found in the directory dir.
func Explain(t testing.TB, dir string, patterns ...string) Explained {
	t.Helper()
	cmd := exec.Command(peers.Explainer(t), patterns...)
	cmd.Dir = dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	var explained Explained
	if err == nil {
		err = json.Unmarshal(text, &explained)
	}
	if err != nil {
		t.Fatalf("explain %v: %v\n%s", patterns, err, stderr.String())
	}
	return explained
}
