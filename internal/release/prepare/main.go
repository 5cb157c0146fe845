// Prepare turns the tree in the current directory into a release's: its modules require each other
// at the version, and CHANGELOG.md names it. It prints the tags that the release needs.
//
//	go run ./internal/release/prepare v0.1.0
//
// After the tests of that tree, which need the replacements of the published modules, it removes these:
//
//	go run ./internal/release/prepare -unreplace
//
// In a copy of the tree whose modules were generated for older Kubernetes libraries, it makes these modules require each
// other, removes their replacements, and prints their tags:
//
//	go run ./internal/release/prepare -older v0.34.13 DIR v0.1.0
//
// In a tree that is released, it writes a module proxy of files with the version to a directory:
//
//	go run ./internal/release/prepare -proxy DIR v0.1.0
package main

import (
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/listwatch/listwatch/internal/release"
)

func main() {
	log.SetFlags(0)
	if err := run(os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func run(args []string) error {
	if len(args) == 4 && args[0] == "-older" {
		tags, err := release.OlderTags(args[2], args[3], args[1])
		for _, tag := range tags {
			fmt.Println(tag)
		}
		return err
	}
	if len(args) == 3 && args[0] == "-proxy" {
		return release.Proxy(".", args[2], args[1])
	}
	if len(args) != 1 {
		return errors.New("usage: prepare VERSION, prepare -unreplace, prepare -older KUBERNETES DIR VERSION or prepare -proxy DIR VERSION")
	}
	if args[0] == "-unreplace" {
		return release.Unreplace(".")
	}
	version := args[0]
	if err := release.Check(".", version); err != nil {
		return err
	}
	text, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		return err
	}
	changelog, err := release.Changelog(string(text), version, time.Now().UTC().Format(time.DateOnly))
	if err != nil {
		return err
	}
	if err := release.Require(".", version); err != nil {
		return err
	}
	if err := os.WriteFile("CHANGELOG.md", []byte(changelog), 0o644); err != nil {
		return err
	}
	for _, tag := range release.Tags(version) {
		fmt.Println(tag)
	}
	return nil
}
