package kube

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestProcessDiesWithItsParent(t *testing.T) {
	parent := exec.Command(os.Args[0], "parent")
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err = parent.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = parent.Wait() }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	process, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(process) }()

	if err = parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if !ended(t, process, time.Minute) {
		_ = unix.Kill(pid, unix.SIGKILL)
		t.Error("the process lives on after its parent")
	}
}

// The kernel considers a thread the parent of a process.
func TestProcessOutlivesThreads(t *testing.T) {
	var p *process
	thread := onThread(func() { p = startChild(t, "obedient") })
	if p == nil {
		t.FailNow()
	}
	for deadline := time.Now().Add(time.Minute); ; runtime.Gosched() {
		if _, err := os.Stat(fmt.Sprintf("/proc/self/task/%d", thread)); errors.Is(err, fs.ErrNotExist) {
			break
		} else if err != nil || time.Now().After(deadline) {
			t.Fatalf("the thread has not ended: %v", err)
		}
	}
	if err := p.stop(never); err != nil {
		t.Errorf("stop: %v", err)
	}
	if !strings.Contains(p.last.String(), "goodbye") {
		t.Error("the program died before it was stopped")
	}
}

// onThread calls f on a thread that ends with it, and returns that thread.
func onThread(f func()) (thread int) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // permanently: the thread ends with the goroutine
		if thread = unix.Gettid(); thread == os.Getpid() {
			thread = onThread(f) // the first thread never ends: use another one
			return
		}
		f()
	}()
	<-done
	return thread
}

// ended waits until the process of the descriptor has ended.
func ended(t *testing.T, process int, timeout time.Duration) bool {
	t.Helper()
	deadline := time.Now().Add(timeout)
	for {
		left := max(0, time.Until(deadline).Milliseconds())
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(process), Events: unix.POLLIN}}, int(left))
		switch {
		case err == unix.EINTR:
		case err != nil:
			t.Fatal(err)
		default:
			return n == 1
		}
	}
}
