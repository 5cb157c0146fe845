package servers

import (
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// inside is whether servers are in the process of the test.
const inside = false

func start(t *testing.T, crds ...string) {
	t.Helper()
	env := &envtest.Environment{CRDDirectoryPaths: crds}
	if _, err := env.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := env.Stop(); err != nil {
			t.Error(err)
		}
	})
}
