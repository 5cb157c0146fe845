package goldentest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRare(t *testing.T) {
	executes := func(list ...string) places {
		p := places{}
		for _, place := range list {
			p[place] = true
		}
		return p
	}
	all := executes("1", "2", "3", "4", "5")
	files, missed := rare(map[string]*result{
		"kept":  {kept: map[string]bool{"a": true}, coverage: &coverage{all, map[string]places{"a": executes("1")}}},
		"first": {coverage: &coverage{all, map[string]places{"b": executes("2", "3"), "a": executes("1", "2"), "c": executes("3")}}},
		"later": {coverage: &coverage{all, map[string]places{"a": executes("1", "3"), "b": executes("4")}}},
	})
	if d := cmp.Diff(map[string][]string{"first": {"a", "b"}, "later": {"b"}}, files); d != "" {
		t.Errorf("files: (-want +got)\n%s", d)
	}
	if d := cmp.Diff([]string{"5"}, missed); d != "" {
		t.Errorf("missed: (-want +got)\n%s", d)
	}
}
