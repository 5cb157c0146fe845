package delta

import "testing"

func TestScope(t *testing.T) {
	for _, test := range []struct {
		name  string
		scope Scope
		in    []string
		out   []string
	}{
		{"everything", Scope{}, []string{"a", "bay/a"}, nil},
		{"a namespace", Scope{Namespace: "bay"}, []string{"bay/a"}, []string{"a", "ba/a", "bay", "bays/a"}},
		{"the others", Scope{Except: []string{"bay", "sea"}}, []string{"a", "ba/a", "bays/a"}, []string{"bay/a", "sea/a"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, key := range test.in {
				if !test.scope.Contains(key) {
					t.Errorf("%q is not in it", key)
				}
			}
			for _, key := range test.out {
				if test.scope.Contains(key) {
					t.Errorf("%q is in it", key)
				}
			}
		})
	}
}
