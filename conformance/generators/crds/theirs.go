package crds

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/peers"
)

// Job is a run of a generator on the packages whose import paths are Package or start with it and
// a slash: that of roles, webhooks or deepcopy functions if one is set, and otherwise that of definitions.
type Job struct {
	Package string
	Options Options
	RBAC    *RoleOptions    `json:",omitempty"`
	Webhook *WebhookOptions `json:",omitempty"`
	Object  *ObjectOptions  `json:",omitempty"`
}

// RoleOptions are the options of controller-gen's generator of roles.
type RoleOptions struct{ RoleName, FileName, HeaderFile, Year string }

// WebhookOptions are the options of its generator of configurations of webhooks.
type WebhookOptions struct{ HeaderFile, Year string }

// ObjectOptions are the options of its generator of deepcopy functions, whose files are named with the import paths of
// their packages.
type ObjectOptions struct{ HeaderFile, Year string }

// Output is what a run writes: the files by their names, and its errors, as the tool prints them.
type Output struct {
	Files  map[string]string
	Errors []string
}

// Manifests returns the definitions in all files, by their names.
func (o Output) Manifests() (map[string]Manifest, error) {
	all := map[string]Manifest{}
	for name, text := range o.Files {
		found, err := Parse([]byte(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for name, m := range found {
			all[name] = m
		}
	}
	return all, nil
}

// Marker is the text of a marker, from the plus sign on, and what it is attached to: "package",
// "type" or "field".
type Marker struct{ On, Text string }

// Parsed is the meaning of a marker.
type Parsed struct {
	// Name is the marker's name; it is empty if the marker is unknown.
	Name string
	// Value is the value in JSON, and Error the reason why it is invalid.
	Value json.RawMessage
	Error string
}

// Theirs runs controller-gen's generator once for each job, in the directory dir, on the packages
// that match the patterns.
func Theirs(t testing.TB, dir string, patterns []string, jobs []Job) []Output {
	t.Helper()
	var answer struct{ Runs []Output }
	ask(t, map[string]any{"Dir": dir, "Roots": patterns, "Runs": jobs}, &answer)
	if len(answer.Runs) != len(jobs) {
		t.Fatalf("controller-gen: %d results of %d runs", len(answer.Runs), len(jobs))
	}
	return answer.Runs
}

// ParsedByThem parses markers as controller-gen does.
func ParsedByThem(t testing.TB, markers []Marker) []Parsed {
	t.Helper()
	var answer struct{ Markers []Parsed }
	ask(t, map[string]any{"Markers": markers}, &answer)
	if len(answer.Markers) != len(markers) {
		t.Fatalf("controller-tools: %d results for %d markers", len(answer.Markers), len(markers))
	}
	return answer.Markers
}

// ask runs the command conformance/internal/peers/testdata/controllertools with one request.
func ask(t testing.TB, request, answer any) {
	t.Helper()
	in, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cmd := exec.Command(peers.ControllerTools(t))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, os.Stderr
	// Packages are loaded with the project's own requirements.
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOGC=400")
	if err = cmd.Run(); err != nil {
		t.Fatalf("controller-tools: %v", err)
	}
	var failure struct{ Error string }
	if err = errors.Join(json.Unmarshal(out.Bytes(), &failure), json.Unmarshal(out.Bytes(), answer)); err != nil && !errors.Is(err, io.EOF) {
		t.Fatalf("controller-tools: %v", err)
	}
	if failure.Error != "" {
		t.Fatalf("controller-tools: %s", failure.Error)
	}
}
