// Scratch makes a copy of the tree for an older minor version of Kubernetes:
//
//	go run ./internal/minor/scratch v0.34.0 DIR
//
// It is run in the root of the tree. DIR must not exist, or be empty.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/listwatch/listwatch/internal/minor"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: scratch VERSION DIR")
		os.Exit(2)
	}
	dir, err := filepath.Abs(os.Args[2])
	if err == nil {
		err = minor.Make(context.Background(), ".", dir, os.Args[1], os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "scratch:", err)
		os.Exit(1)
	}
}
