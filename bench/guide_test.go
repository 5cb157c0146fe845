package bench_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/bench/internal/report"
	"github.com/listwatch/listwatch/internal/golden"
)

// ways are the ways to store Pods, with the works that measure them, and whether the figure is client-go's.
var ways = []struct {
	name, work string
	peer       bool
}{
	{"client-go", "100,000 Pods by protobuf", true},
	{"listwatch", "100,000 Pods by protobuf", false},
	{"Share", "100,000 Pods by protobuf, equal parts shared", false},
	{"Keep, ten fields", "100,000 Pods by protobuf, ten fields kept", false},
	{"Packed", "100,000 Pods by protobuf, packed", false},
	{"a view, ten fields", "100,000 Pods by protobuf, a view of ten fields", false},
}

// TestMemoryPicture compares the picture of the guide about memory with the figures that it draws.
func TestMemoryPicture(t *testing.T) {
	const guide, each = "../docs/guides/memory.md", 250 // bytes
	document := read(t, documentFile)
	var b strings.Builder
	b.WriteString("```text\n")
	for _, way := range ways {
		bytes := 0
		for line := range strings.Lines(document) {
			if c := cells(line); len(c) > 3 && c[0] == way.work && c[1] == "live heap, bytes each" {
				text := c[3]
				if way.peer {
					text = c[2]
				}
				var err error
				if bytes, err = strconv.Atoi(text); err != nil {
					t.Fatal(err)
				}
			}
		}
		if bytes == 0 {
			t.Fatalf("no figure of %s in %s", way.work, documentFile)
		}
		fmt.Fprintf(&b, "%-18s %s %d\n", way.name, strings.Repeat("#", max(1, (bytes+each/2)/each)), bytes)
	}
	b.WriteString("```\n")
	want, err := report.FillSection(guide, "bytes", b.String())
	if err != nil {
		t.Fatal(err)
	}
	if want == read(t, guide) {
		return
	}
	if !golden.Update {
		t.Errorf("the picture of %s is not that of %s; run this test with LISTWATCH_UPDATE=1", guide, documentFile)
		return
	}
	if err := os.WriteFile(guide, []byte(want), 0o666); err != nil {
		t.Fatal(err)
	}
}
