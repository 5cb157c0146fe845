package release

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// Proxy writes a module proxy to a directory, which serves the published modules of the tree below
// root at one version.
func Proxy(root, version, to string) error {
	for _, dir := range Published {
		if err := publish(module.Version{Path: path.Join(Root, dir), Version: version}, filepath.Join(root, dir), to); err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
	}
	return nil
}

func publish(m module.Version, from, to string) error {
	escaped, err := module.EscapePath(m.Path)
	if err != nil {
		return err
	}
	at := filepath.Join(to, filepath.FromSlash(escaped), "@v")
	if err = os.MkdirAll(at, 0o755); err != nil {
		return err
	}
	requirements, err := os.ReadFile(filepath.Join(from, "go.mod"))
	if err != nil {
		return err
	}
	info, err := json.Marshal(map[string]string{"Version": m.Version})
	if err != nil {
		return err
	}
	for name, text := range map[string][]byte{
		"list":              []byte(m.Version + "\n"),
		m.Version + ".info": info,
		m.Version + ".mod":  requirements,
	} {
		if err = os.WriteFile(filepath.Join(at, name), text, 0o644); err != nil {
			return err
		}
	}
	archive, err := os.Create(filepath.Join(at, m.Version+".zip"))
	if err != nil {
		return err
	}
	if err := zip.CreateFromDir(archive, m, from); err != nil {
		_ = archive.Close()
		return err
	}
	return archive.Close()
}
