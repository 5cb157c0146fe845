// Package assets makes a directory for KUBEBUILDER_ASSETS, in which cmd/apitest takes the place of kube-apiserver and
// etcd.
package assets

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/listwatch/listwatch/conformance/internal/peers"
)

// Build builds cmd/apitest in dir and returns the directory of the programs.
func Build(ctx context.Context, dir string) (string, error) {
	root, err := peers.Root()
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, "apitest")
	build := exec.CommandContext(ctx, "go", "build", "-mod=readonly", "-o", program, "./cmd/apitest")
	build.Dir = filepath.Join(root, "apitest")
	out, err := build.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build apitest: %w\n%s", err, out)
	}
	out, err = exec.CommandContext(ctx, program, "assets", filepath.Join(dir, "assets")).Output()
	if err != nil {
		return "", fmt.Errorf("apitest assets: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}
