package measure

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// role determines what this test binary does when a test starts it as a child.
const role = "MEASURE_TEST_ROLE"

const (
	burnt = 100 * time.Millisecond
	held  = 128 << 20
)

func TestMain(m *testing.M) {
	var err error
	switch os.Getenv(role) {
	case "":
		os.Exit(m.Run())
	case "parent":
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), role+"=child")
		err = child.Run()
	case "child":
		err = work()
	case "broken":
		err = fmt.Errorf("cannot go on")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// work touches every page of a lot of memory until it has used enough time.
func work() error {
	memory := make([]byte, held)
	for {
		for i := 0; i < len(memory); i += 1 << 10 {
			memory[i]++
		}
		var r syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
			return err
		}
		if time.Duration(r.Utime.Nano()+r.Stime.Nano()) >= burnt {
			return nil
		}
	}
}

func self(t *testing.T, as string) Command {
	return Command{Program: os.Args[0], Dir: t.TempDir(), Env: []string{role + "=" + as}}
}

func TestRunCountsGrandchildren(t *testing.T) {
	once, err := Run(context.Background(), self(t, "parent"))
	if err != nil {
		t.Fatal(err)
	}
	if once.CPU < burnt || once.Wall <= 0 || once.Peak < held {
		t.Errorf("one run cost %+v, want at least %v of CPU and %d bytes", once, burnt, held)
	}
	twice, err := Run(context.Background(), self(t, "parent"), self(t, "parent"))
	if err != nil {
		t.Fatal(err)
	}
	if twice.CPU < 2*burnt || twice.Peak >= 2*held {
		t.Errorf("two runs cost %+v, want at least %v of CPU, and less than %d bytes", twice, 2*burnt, 2*held)
	}
}

func TestRunShowsWhatAFailingCommandPrinted(t *testing.T) {
	_, err := Run(context.Background(), self(t, "broken"), self(t, "parent"))
	if err == nil || !strings.Contains(err.Error(), "cannot go on") {
		t.Errorf("got error %v, want one with the command's output", err)
	}
}

func TestSize(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "a", "b"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"one": "1", "a/two": "22", "a/b/three": "333"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	files, bytes, err := Size(dir)
	if err != nil || files != 3 || bytes != 6 {
		t.Errorf("got %d files, %d bytes, error %v; want 3, 6, none", files, bytes, err)
	}
	if _, _, err := Size(filepath.Join(dir, "none")); err == nil {
		t.Error("a missing directory has a size")
	}
}
