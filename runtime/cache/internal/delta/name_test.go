package delta

import "testing"

func TestPrecedesIsTheOrderOfKeys(t *testing.T) {
	for _, keys := range [][]string{{"a", "a-b", "a.b", "ab", "b"}, {"a-b/x", "a-b/y", "a/x", "a0/a", "ab/a", "b/a", "b/b"}} {
		for _, a := range keys {
			for _, b := range keys {
				if got, want := NameOfKey(a).Precedes(NameOfKey(b)), a < b; got != want {
					t.Errorf("%s precedes %s = %t, want %t", a, b, got, want)
				}
			}
		}
	}
}
