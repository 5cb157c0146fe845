package kube

import (
	"bufio"
	"os"
	"os/exec"
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

// ended waits until the process has ended that the descriptor stands for.
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
