// Package modules makes modules in temporary directories, for generators to run in.
package modules

import (
	"os"
	"path/filepath"
	"regexp"

	"github.com/listwatch/listwatch/conformance/internal/peers"
)

// Write makes dir the root of a module that can import what the conformance module can, except for
// the modules of this repository and for a released module of the same name.
func Write(dir, name string) error {
	from, err := peers.Dir()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(from, "go.mod"))
	if err != nil {
		return err
	}
	text = moduleLine.ReplaceAllLiteral(text, []byte("module "+name))
	text = own.ReplaceAllLiteral(text, nil)
	text = regexp.MustCompile(`(?m)^.*\s`+regexp.QuoteMeta(name)+` v.*$`).ReplaceAllLiteral(text, nil)
	if err = os.WriteFile(filepath.Join(dir, "go.mod"), text, 0o666); err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(from, "go.sum"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o666)
}

var (
	moduleLine = regexp.MustCompile(`(?m)^module .*$`)
	// own matches the replaced modules of this repository, and their requirements.
	own = regexp.MustCompile(`(?m)^\s*(replace )?.* => \.\..*$|^.*listwatch/listwatch\S* v.*$`)
)
