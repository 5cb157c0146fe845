package apitest_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	_ "github.com/listwatch/listwatch/apitest/internal/host" // the program has it, so that cached results depend on it
)

// TestMain builds the program for the tests.
func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		fmt.Fprintln(os.Stderr, runChild())
		os.Exit(1)
	}
	if len(os.Args) == 2 && os.Args[1] == "control" {
		fmt.Fprintln(os.Stderr, "control is not a test")
		os.Exit(1)
	}
	dir, err := os.MkdirTemp("", "apitest-program-")
	if err == nil {
		err = build(filepath.Join(dir, "apitest.exe"))
	}
	code := 1
	if err == nil {
		code = m.Run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	_ = os.RemoveAll(dir) // the program may still run, for a moment
	os.Exit(code)
}

// build builds the program, and makes the tests use it.
func build(program string) error {
	if out, err := exec.Command("go", "build", "-o", program, "./cmd/apitest").CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return os.Setenv("APITEST", program)
}
