package servers

import "testing"

// edition changes between two builds.
const edition = "0"

func TestServer(t *testing.T) {
	t.Log(edition)
	start(t)
}
