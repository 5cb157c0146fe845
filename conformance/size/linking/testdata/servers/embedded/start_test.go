package servers

import (
	"testing"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// inside is whether servers are in the process of the test.
const inside = true

func start(t *testing.T, crds ...string) {
	t.Helper()
	embedded.Start(t, embedded.WithCRDs(crds...))
}
