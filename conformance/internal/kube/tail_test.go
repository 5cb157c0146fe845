package kube

import (
	"strings"
	"testing"
)

func TestTail(t *testing.T) {
	long := strings.Repeat("0123456789abcdef", 3*tailSize/16) + "x"
	for _, test := range []struct {
		name   string
		writes []string
		want   string // the minimum that is retained, and its end
	}{
		{"nothing", nil, ""},
		{"all of a short text", []string{"one\n", "", "two\n"}, "one\ntwo\n"},
		{"the end of a long write", []string{"before", long}, long[len(long)-tailSize:]},
		{"the end of many writes", strings.SplitAfter(long, "f"), long[len(long)-tailSize:]},
		{"the end just after the limit", strings.SplitAfter(long[:2*tailSize+16], "f"), long[:2*tailSize+16][tailSize+16:]},
		{"a write at the limit", []string{"a", long[:tailSize]}, "a" + long[:tailSize]},
		{"the end after a long write", []string{long, "end"}, long[len(long)-tailSize:] + "end"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var last tail
			for _, w := range test.writes {
				if n, err := last.Write([]byte(w)); n != len(w) || err != nil {
					t.Fatalf("Write of %d bytes returned %d, %v", len(w), n, err)
				}
			}
			got := last.String()
			if !strings.HasSuffix(got, test.want) {
				t.Errorf("the end is missing: %d bytes are retained", len(got))
			}
			if all := strings.Join(test.writes, ""); !strings.HasSuffix(all, got) {
				t.Errorf("the retained text is not the end of what was written")
			}
			if len(got) > 2*tailSize {
				t.Errorf("%d bytes are retained", len(got))
			}
		})
	}
}
