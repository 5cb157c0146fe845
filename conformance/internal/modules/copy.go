package modules

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Go runs the go command in dir and returns what it prints. An error contains what it prints on standard error.
func Go(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, exit.Stderr)
	}
	return out, err
}

// Copy copies a module of the Go module proxy to dir, without what it vendors, unless dir exists already.
func Copy(ctx context.Context, path, version, dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	source, err := Download(ctx, path+"@"+version)
	if err != nil {
		return err
	}
	return filepath.WalkDir(source, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(source, name)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, rel)
		switch {
		case entry.IsDir() && rel == "vendor":
			return fs.SkipDir
		case entry.IsDir():
			return os.MkdirAll(to, 0o755)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o644)
	})
}

// Download returns the directory of a module, such as example.com/m@v1.0.0, in Go's cache of modules.
func Download(ctx context.Context, module string) (string, error) {
	text, err := Go(ctx, os.TempDir(), "mod", "download", "-json", module)
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, text)
	}
	var downloaded struct{ Dir string }
	if err = json.Unmarshal(text, &downloaded); err != nil {
		return "", fmt.Errorf("go mod download: %w", err)
	}
	return downloaded.Dir, nil
}

// Files returns the texts of the files below a directory, by their paths in it.
func Files(dir string) (map[string]string, error) {
	texts := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(name)
		rel, fault := filepath.Rel(dir, name)
		texts[rel] = string(text)
		return errors.Join(err, fault)
	})
	return texts, err
}
