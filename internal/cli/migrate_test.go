package cli

import (
	"io"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestProgressIsReportedOnceInAPeriod(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lines []string
		report := every(2*time.Second, func(text string) { lines = append(lines, text) })
		for done := range 5 {
			report(done, 5)
			time.Sleep(time.Second)
		}
		if want := []string{"checked 2 of 5 packages", "checked 4 of 5 packages"}; !slices.Equal(lines, want) {
			t.Errorf("reported %q, want %q", lines, want)
		}
	})
}

func TestOnlyFilesAreTerminals(t *testing.T) {
	if terminal(io.Discard) {
		t.Error("io.Discard is a terminal")
	}
}
