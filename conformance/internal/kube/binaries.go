package kube

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
	"golang.org/x/mod/modfile"

	"github.com/listwatch/listwatch/conformance/internal/peers"
)

// Binaries are the paths of a server's two programs.
type Binaries struct {
	APIServer, Etcd string
}

const (
	apiServerPackage = "k8s.io/kubernetes/cmd/kube-apiserver"
	etcdPackage      = "go.etcd.io/etcd/server/v3"

	// kubernetes is the module whose version the API server has.
	kubernetes = "k8s.io/kubernetes"
	// versionVariable is the variable with the API server's version.
	versionVariable = "k8s.io/component-base/version.gitVersion"
)

// Build returns the programs in the versions that tools/kubernetes pins, below the directory dir.
// It builds them if they are missing or were built from another go.mod or go.sum or by another Go;
// then it removes the old ones. They take 150 MB, and minutes if Go's own cache lacks their
// packages too. It reports its progress on standard error.
//
// It must be called in a directory of the repository. It may be called concurrently by several
// goroutines and processes: one builds, and the others wait for it, even if their context is done.
func Build(ctx context.Context, dir string) (Binaries, error) {
	root, err := peers.Root()
	if err != nil {
		return Binaries{}, err
	}
	return build(ctx, filepath.Join(root, "tools", "kubernetes"), dir)
}

// folderPrefix is the prefix of the names of directories with binaries, complete or not.
const folderPrefix = "kubernetes-"

// build builds from the module in the directory module. The binaries are in a directory that is
// named after everything they were built from, and that exists only when it is complete.
func build(ctx context.Context, module, dir string) (Binaries, error) {
	id, err := identify(ctx, module)
	if err != nil {
		return Binaries{}, fmt.Errorf("build kube-apiserver: %w", err)
	}
	folder := filepath.Join(dir, folderPrefix+id)
	if _, err = os.Stat(folder); err == nil {
		return binariesIn(folder), nil
	}
	if err = os.MkdirAll(dir, 0o777); err != nil {
		return Binaries{}, err
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(dir, "kubernetes.lock")).Lock()
	if err != nil {
		return Binaries{}, err
	}
	defer unlock()
	if _, err = os.Stat(folder); err == nil { // by the previous holder of the lock
		return binariesIn(folder), nil
	}
	if err = clear(dir); err != nil {
		return Binaries{}, err
	}
	if err = compile(ctx, module, folder); err != nil {
		return Binaries{}, fmt.Errorf("build kube-apiserver: %w", err)
	}
	return binariesIn(folder), nil
}

func binariesIn(folder string) Binaries {
	return Binaries{
		APIServer: filepath.Join(folder, "kube-apiserver"),
		Etcd:      filepath.Join(folder, "etcd"),
	}
}

// identify returns a short name of everything that the binaries depend on.
func identify(ctx context.Context, module string) (string, error) {
	h := sha256.New()
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join(module, name))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %d\n%s", name, len(data), data)
	}
	cmd := goCommand(ctx, module, "env", "GOVERSION", "GOOS", "GOARCH")
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", cmd, err)
	}
	h.Write(out)
	return fmt.Sprintf("%x", h.Sum(nil)[:6]), nil
}

// clear removes the binaries of other versions, and incomplete ones.
func clear(dir string) error {
	old, err := filepath.Glob(filepath.Join(dir, folderPrefix+"*"))
	if err != nil {
		return err
	}
	for _, folder := range old {
		err = errors.Join(err, os.RemoveAll(folder))
	}
	return err
}

// compile builds both programs, and then moves them to the new directory at once.
func compile(ctx context.Context, module, folder string) (err error) {
	version, err := kubernetesVersion(module)
	if err != nil {
		return err
	}
	partial, err := os.MkdirTemp(filepath.Dir(folder), filepath.Base(folder)+".partial")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(partial)) }()

	start := time.Now()
	fmt.Fprintf(os.Stderr, "building kube-apiserver %s and etcd: minutes, where nothing of them is cached\n", version)
	bin := binariesIn(partial)
	for _, program := range []struct{ binary, pkg string }{{bin.Etcd, etcdPackage}, {bin.APIServer, apiServerPackage}} {
		// Two compilers at a time need 3 GB of memory.
		cmd := goCommand(ctx, module, "build", "-v", "-p=2", "-buildvcs=false",
			"-ldflags=-s -w -X "+versionVariable+"="+version, "-o", program.binary, program.pkg)
		var last tail
		cmd.Stderr = io.MultiWriter(os.Stderr, &last)
		// Compilations in progress are completed, so that nothing is left half done.
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
		cmd.WaitDelay = 10 * time.Second
		if err = cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w\n%s", program.pkg, errors.Join(err, context.Cause(ctx)), last.String())
		}
	}
	fmt.Fprintf(os.Stderr, "built in %s\n", time.Since(start).Round(time.Second))
	return os.Rename(partial, folder)
}

// kubernetesVersion returns the version of Kubernetes that the module requires.
func kubernetesVersion(module string) (string, error) {
	path := filepath.Join(module, "go.mod")
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	file, err := modfile.ParseLax(path, data, nil)
	if err != nil {
		return "", err
	}
	for _, required := range file.Require {
		if required.Mod.Path == kubernetes {
			return required.Mod.Version, nil
		}
	}
	return "", fmt.Errorf("%s requires no %s", path, kubernetes)
}

// goCommand returns a call of go in the module that ignores workspaces.
func goCommand(ctx context.Context, module string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "GOWORK=off", "PWD="+module)
	return cmd
}
