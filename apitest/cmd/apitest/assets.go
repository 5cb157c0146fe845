package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// assets writes a folder for KUBEBUILDER_ASSETS: this program by two names, and kubectl if it is installed. It
// prints the path, which envtest needs absolute.
func assets(args []string, stdout io.Writer) error {
	if len(args) != 1 {
		return usageError{errors.New("assets takes one argument, the folder")}
	}
	dir, err := filepath.Abs(args[0])
	if err != nil {
		return err
	}
	if err = os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	server := filepath.Join(dir, executable(apiServer))
	if err = install(self, server); err != nil {
		return err
	}
	if err = link(server, filepath.Join(dir, executable(etcd))); err != nil {
		return err
	}
	if kubectl, _ := exec.LookPath("kubectl"); kubectl != "" {
		if err = linkSymbolically(kubectl, filepath.Join(dir, executable("kubectl"))); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintln(stdout, dir)
	return err
}

func executable(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// install copies a program: the go command removes the one that it has built to run it. A server that runs from an
// earlier copy keeps it.
func install(program, target string) error {
	in, err := os.Open(program)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // it is only read
	out, err := os.CreateTemp(filepath.Dir(target), filepath.Base(target)+"-*")
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Chmod(0o755), out.Close()); err == nil {
		err = os.Rename(out.Name(), target)
	}
	if err != nil {
		return errors.Join(err, os.Remove(out.Name()))
	}
	return nil
}

// link makes name another name of a program, by a copy if the file system has no links.
func link(program, name string) error {
	if err := remove(name); err != nil {
		return err
	}
	if os.Link(program, name) == nil {
		return nil
	}
	return install(program, name)
}

// linkSymbolically links to a program that is installed elsewhere.
func linkSymbolically(program, name string) error {
	if absolute, err := filepath.Abs(program); err == nil && absolute == name {
		return nil
	}
	if err := remove(name); err != nil {
		return err
	}
	return os.Symlink(program, name)
}

// remove removes a file that may be missing.
func remove(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
