package kube

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/conformance/internal/peers"
)

// APIServerVariable is the environment variable with the path of another kube-apiserver for [Shared], such as one of
// [BuildCovered].
const APIServerVariable = "LISTWATCH_KUBE_APISERVER"

// BuildCovered builds a kube-apiserver that counts which code of the packages runs which chosen selects by their import
// paths. When it ends, it writes the counters into the directory GOCOVERDIR. It returns the directory with the source of
// Kubernetes.
func BuildCovered(ctx context.Context, program string, chosen func(path string) bool) (source string, err error) {
	root, err := peers.Root()
	if err != nil {
		return "", err
	}
	module := filepath.Join(root, "tools", "kubernetes")
	version, err := kubernetesVersion(module)
	if err != nil {
		return "", err
	}
	run := func(args ...string) string {
		if err != nil {
			return ""
		}
		var stderr bytes.Buffer
		cmd := goCommand(ctx, module, args...)
		cmd.Stderr = &stderr
		out, failed := cmd.Output()
		if failed != nil {
			err = fmt.Errorf("%s: %w\n%s", cmd, failed, stderr.Bytes())
		}
		return strings.TrimSpace(string(out))
	}
	packages := strings.Fields(run("list", "-deps", apiServerPackage))
	packages = slices.DeleteFunc(packages, func(path string) bool { return path != apiServerPackage && !chosen(path) })
	source = run("list", "-m", "-f", "{{.Dir}}", kubernetes)
	if err == nil && len(packages) < 2 {
		err = errors.New("kube-apiserver has none of the chosen packages")
	}
	// The program's own package writes the counters.
	run("build", "-p=2", "-buildvcs=false", "-cover", "-coverpkg="+strings.Join(packages, ","),
		"-ldflags=-s -w -X "+versionVariable+"="+version, "-o", program, apiServerPackage)
	return source, err
}
