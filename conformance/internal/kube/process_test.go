package kube

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const never = time.Hour

func TestProcessEndsWhenStopped(t *testing.T) {
	p := startChild(t, "obedient")
	if err := p.stop(never); err != nil {
		t.Errorf("stop: %v", err)
	}
	if got, want := p.last.String(), "ready\ngoodbye\n"; got != want {
		t.Errorf("the program printed %q, want %q", got, want)
	}
}

func TestProcessIsKilledWhenItDoesNotEnd(t *testing.T) {
	p := startChild(t, "deaf")
	if err := p.stop(time.Millisecond); err != nil {
		t.Errorf("stop: %v", err)
	}
	select {
	case <-p.ended:
	default:
		t.Error("the program still runs")
	}
}

func TestProcessThatEndedByItself(t *testing.T) {
	p, err := startProcess(nil, "brief", os.Args[0], "brief")
	if err != nil {
		t.Fatal(err)
	}
	<-p.ended
	err = p.stop(never)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("stop returned %v, want an exit status of 3", err)
	}
	for _, want := range []string{"brief ended by itself", "printed\n", "complained\n"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("stop returned %v, want it to hold %q", err, want)
		}
	}
	p.kill() // does nothing
}

func TestProcessThatCannotStart(t *testing.T) {
	_, err := startProcess(nil, "missing", filepath.Join(t.TempDir(), "missing"))
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "start missing: ") {
		t.Errorf("startProcess returned %v", err)
	}
}
