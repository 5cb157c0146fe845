package librarian

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

// TestPlay compares what happens with the story. Package migration runs this test on client-go too.
func TestPlay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got, err := Play()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(strings.TrimSpace(story), "\n"), got); diff != "" {
			t.Errorf("what happens is not the story (-want +got):\n%s", diff)
		}
	})
}
