package peers

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"golang.org/x/mod/semver"
)

// ControllerGen builds the command controller-gen of a version of controller-tools, such as v0.23.0, from the Go module proxy, with
// libraries that compile with the current Go, and returns its path.
func ControllerGen(version string) (string, error) {
	dir, err := Work("bin", "controller-gen-"+version)
	if err != nil {
		return "", err
	}
	binary := filepath.Join(dir, "controller-gen")
	if _, err = os.Stat(binary); err == nil {
		return binary, nil
	}
	// Aliases are represented as they were when the version was released.
	aliases := 1
	if semver.Compare(version, "v0.17.0") < 0 {
		aliases = 0
	}
	requirements := fmt.Sprintf("module example.com/old\n\ngo 1.25.0\n\ngodebug gotypesalias=%d\n\nrequire sigs.k8s.io/controller-tools %s\n\nrequire golang.org/x/tools v0.47.0\n", aliases, version)
	const source = "package old\n\nimport _ \"sigs.k8s.io/controller-tools/pkg/crd\"\n"
	if err = errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "go.mod"), []byte(requirements), 0o644),
		os.WriteFile(filepath.Join(dir, "old.go"), []byte(source), 0o644)); err != nil {
		return "", err
	}
	cmd := exec.Command("go", "build", "-mod=mod", "-o", binary, "sigs.k8s.io/controller-tools/cmd/controller-gen")
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, text)
	}
	return binary, nil
}
