package servers

import (
	"testing"

	"github.com/listwatch/listwatch/apitest"
)

// inside is whether servers are in the process of the test.
const inside = false

func start(t *testing.T, crds ...string) {
	t.Helper()
	apitest.Start(t, apitest.WithCRDs(crds...))
}
