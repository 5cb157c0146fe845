package clientcmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/clientcmd/api/latest"
)

// Write encodes config as YAML, credentials included.
func Write(config api.Config) ([]byte, error) {
	return runtime.Encode(latest.Codec, &config)
}

// WriteToFile writes config to a file, credentials included, and creates its directory if necessary. Afterwards,
// the file is readable and writable only for its owner: also if it existed with other permissions and belongs to
// the user of this process.
func WriteToFile(config api.Config, filename string) error {
	data, err := Write(config)
	if err != nil {
		return err
	}
	if err = os.MkdirAll(filepath.Dir(filename), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(filename, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(rewrite(file, data), file.Close())
}

// rewrite replaces the contents of file, after it has made it private.
func rewrite(file *os.File, data []byte) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
		if err = file.Chmod(0o600); err != nil && !errors.Is(err, fs.ErrPermission) {
			return err
		}
	}
	if err = file.Truncate(0); err != nil && info.Mode().IsRegular() {
		return err
	}
	_, err = file.Write(data)
	return err
}

// lock creates the lock file of a kubeconfig, which all programs that modify kubeconfigs respect, and returns the
// function that removes it. It does not wait.
func lock(filename string) (unlock func(), err error) {
	if err = os.MkdirAll(filepath.Dir(filename), 0o755); err != nil {
		return nil, err
	}
	name := filename + ".lock"
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL, 0)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%s is being modified by another process, or one ended without removing the lock file: %w", filename, err)
	}
	if err != nil {
		return nil, err
	}
	_ = file.Close()
	return func() { _ = os.Remove(name) }, nil
}
