//go:build programs

package linking_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// scratch is a module of a user, with a test that starts a server.
type scratch struct {
	sources string // the tests
	dir     string
	binary  string // where the test is built
}

// newScratch makes a module that requires what a module of the tree does, and that module, and whose test uses a kind of
// server.
func newScratch(t *testing.T, root, module, kind string) scratch {
	t.Helper()
	s := scratch{filepath.Join(root, "conformance", "size", "linking", "testdata", "servers"), t.TempDir(), filepath.Join(t.TempDir(), "servers.test")}
	copyFile(t, filepath.Join(root, module, "go.mod"), filepath.Join(s.dir, "go.mod"))
	copyFile(t, filepath.Join(root, module, "go.sum"), filepath.Join(s.dir, "go.sum"))
	s.add(t, "server_test.go")
	s.add(t, filepath.Join(kind, "start_test.go"))
	edit := []string{"mod", "edit", "-module=example.com/servers"}
	for _, name := range []string{"", "/apitest"} {
		path := strings.TrimSuffix(own, "/") + name
		if module == "controllerruntime" {
			edit = append(edit, "-droprequire="+path, "-dropreplace="+path)
		} else {
			edit = append(edit, "-require="+path+"@v0.0.0-00010101000000-000000000000", "-replace="+path+"="+filepath.Join(root, name))
		}
	}
	if kind == "apitest" {
		edit = append(edit, "-tool="+own+"apitest/cmd/apitest")
	}
	goCommand(t, s.dir, edit...)
	goCommand(t, s.dir, "list", "-mod=mod", "-test", "-deps", "./...") // completes go.mod
	return s
}

// add adds a test.
func (s scratch) add(t *testing.T, name string) {
	t.Helper()
	copyFile(t, filepath.Join(s.sources, name), filepath.Join(s.dir, filepath.Base(name)))
}

// change changes the test.
func (s scratch) change(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.sources, "server_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), `edition = "0"`, fmt.Sprintf(`edition = "%d"`, time.Now().UnixNano()), 1)
	if changed == string(text) {
		t.Fatal("server_test.go has no edition")
	}
	if err = os.WriteFile(filepath.Join(s.dir, "server_test.go"), []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
}

// cpu runs the go command in the module, with a variable unless it is empty, and returns the CPU time of it and of all that it
// has started. It must succeed.
func (s scratch) cpu(t *testing.T, variable string, args ...string) time.Duration {
	t.Helper()
	before := ended(t)
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), variable)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	return ended(t) - before
}

// ended waits for all children, and returns the CPU time of those that have ended, and of theirs.
func ended(t *testing.T) time.Duration {
	t.Helper()
	for {
		_, err := unix.Wait4(-1, nil, 0, nil)
		if errors.Is(err, syscall.ECHILD) {
			break
		}
		if err != nil && !errors.Is(err, syscall.EINTR) {
			t.Fatal(err)
		}
	}
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_CHILDREN, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// results are what the test prints.
type results struct {
	Starts []time.Duration
	Memory []int64
}

// run runs the test with some servers, with the CRDs of a file.
func (s scratch) run(t *testing.T, servers int, crds string) results {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), s.binary, "-test.run=TestCosts")
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), fmt.Sprintf("SERVERS=%d", servers), "CRDS="+crds)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for line := range bytes.Lines(out) {
		var r results
		if bytes.HasPrefix(line, []byte("{")) && json.Unmarshal(line, &r) == nil && len(r.Starts) == servers {
			t.Log(r)
			return r
		}
	}
	t.Fatalf("no results in\n%s", out)
	return results{}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
