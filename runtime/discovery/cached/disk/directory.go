package disk

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// ErrNotPrivate reports that users other than the current one, and root, may write to a directory or file.
var ErrNotPrivate = errors.New("may be written to by other users")

const (
	directoryMode = 0o700
	fileMode      = 0o600
	// maxFileBytes bounds the size of a file. The largest are OpenAPI documents, of a few megabytes.
	maxFileBytes = 128 << 20
)

// directory is a cache directory, which may be missing. Names of its files have slashes.
type directory string

// check returns an error that is [ErrNotPrivate] if the directory exists and is not private.
func (d directory) check() error {
	root, err := d.open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return root.Close()
}

// open opens the directory if it is private. It may be replaced at any time, so each read and write opens it.
func (d directory) open() (*os.Root, error) {
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return nil, fmt.Errorf("cache directory: %w", err)
	}
	info, err := root.Stat(".")
	if err == nil {
		err = private(info)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("cache directory %q %w", string(d), err), root.Close())
	}
	return root, nil
}

// read returns a file, if it is a private one.
func (d directory) read(name string) ([]byte, fs.FileInfo, error) {
	root, err := d.open()
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = root.Close() }()
	file, err := root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, nil, err
	case !info.Mode().IsRegular():
		return nil, nil, fmt.Errorf("cache file %q is not a regular file", name)
	case info.Size() > maxFileBytes:
		return nil, nil, fmt.Errorf("cache file %q has %d bytes, more than %d", name, info.Size(), maxFileBytes)
	}
	if err = private(info); err != nil {
		return nil, nil, fmt.Errorf("cache file %q %w", name, err)
	}
	content, err := io.ReadAll(io.LimitReader(file, maxFileBytes))
	return content, info, err
}

// write replaces a file, and creates the directories that are missing.
func (d directory) write(name string, content []byte) error {
	if err := os.MkdirAll(string(d), directoryMode); err != nil {
		return err
	}
	root, err := d.open()
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	if parent := path.Dir(name); parent != "." {
		if err = root.MkdirAll(filepath.FromSlash(parent), directoryMode); err != nil {
			return err
		}
	}
	final := filepath.FromSlash(name)
	temporary := final + "." + rand.Text()
	// The mode of a new file is not more than this, whatever the umask is.
	file, err := root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, root.Remove(temporary))
	}
	if err := root.Rename(temporary, final); err != nil {
		return errors.Join(err, root.Remove(temporary))
	}
	return nil
}
