// Minor writes the alias files of those packages of the module client-go whose symbols are the module
// kubernetes', for the version of client-go that the module around the current directory requires:
//
//	minor DIR
//
// DIR contains the module client-go. What the module kubernetes lacks is left out and printed. Of other
// packages, all versions of client-go get the same files.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/listwatch/listwatch/conformance/runtime/replace/aliases"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: minor DIR")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "minor:", err)
		os.Exit(1)
	}
}

// kubernetes is below the path of packages that depend on the version.
const kubernetes = "github.com/listwatch/listwatch/kubernetes/"

func write(module string) error {
	set, err := aliases.Load(".", module)
	if err != nil {
		return err
	}
	for _, p := range set.Packages {
		if len(p.Ours) == 0 || !strings.HasPrefix(p.Ours[len(p.Ours)-1], kubernetes) {
			continue
		}
		text, missing, err := set.Text(p)
		if err != nil {
			return err
		}
		for _, name := range missing {
			fmt.Printf("%s.%s is left out\n", p.Path, name)
		}
		if text == "" {
			continue
		}
		name := filepath.Join(module, filepath.FromSlash(p.Path), "aliases.go")
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}
