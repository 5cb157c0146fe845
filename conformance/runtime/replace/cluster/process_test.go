//go:build programs

package cluster_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// process is a running program.
type process struct {
	cmd     *exec.Cmd
	started time.Time
	log     string
	// ended is closed when the program has ended.
	ended chan struct{}
}

// start starts a program that connects to a server as a kubeconfig says, and stops it at the end of the test.
func start(t *testing.T, binary, kubeconfig string, flags ...string) *process {
	t.Helper()
	dir := t.TempDir()
	p := &process{log: filepath.Join(dir, "log"), started: time.Now(), ended: make(chan struct{})}
	log, err := os.Create(p.log)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }() // the program has its own descriptor
	p.cmd = exec.Command(binary, append([]string{
		"--kubeconfig=" + kubeconfig, "--leader-elect=false", "--secure-port=0", "--cert-dir=" + dir,
	}, flags...)...)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	if err = p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.cmd.Wait() // it is killed at the end
		close(p.ended)
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Signal(syscall.SIGKILL) // it may have ended
		<-p.ended
		if t.Failed() {
			text, _ := os.ReadFile(p.log) // explains the failure, if there is any
			t.Logf("end of the log:\n%s", text[max(0, len(text)-5000):])
		}
	})
	return p
}

// await polls until something has happened, or the program has ended.
func (p *process) await(t *testing.T, what string, done wait.ConditionWithContextFunc) {
	t.Helper()
	err := wait.PollUntilContextTimeout(t.Context(), 100*time.Millisecond, 5*time.Minute, true, func(ctx context.Context) (bool, error) {
		select {
		case <-p.ended:
			return false, errors.New("the program has ended")
		default:
			return done(ctx)
		}
	})
	if err != nil {
		t.Fatalf("wait for %s: %v", what, err)
	}
}

// cpu returns the CPU time that a process has used.
func (p *process) cpu(t *testing.T) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	// The second field is a name in parentheses; the 14th and 15th are times in hundredths of a second.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	var ticks int
	for _, field := range fields[11:13] {
		n, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

var resident = regexp.MustCompile(`(?m)^VmRSS:\s+(\d+) kB$`)

// memory returns the resident memory of a process in bytes.
func (p *process) memory(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	found := resident.FindSubmatch(text)
	if found == nil {
		t.Fatalf("no memory in\n%s", text)
	}
	kilobytes, err := strconv.Atoi(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes << 10
}
