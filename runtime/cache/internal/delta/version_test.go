package delta

import (
	"cmp"
	"testing"
)

func TestCompareVersions(t *testing.T) {
	for _, test := range []struct {
		name  string
		a, b  string
		want  int
		valid bool
	}{
		{"equal", "12", "12", 0, true},
		{"older", "12", "13", -1, true},
		{"newer", "13", "12", 1, true},
		{"older, of fewer digits", "9", "10", -1, true},
		{"newer, of more digits", "10", "9", 1, true},
		{"larger than 64 bits", "36893488147419103233", "36893488147419103232", 1, true},
		{"empty", "", "1", 0, false},
		{"compared with empty", "1", "", 0, false},
		{"zero", "0", "0", 0, false},
		{"leading zero", "01", "1", 0, false},
		{"negative", "-1", "1", 0, false},
		{"a word", "1", "new", 0, false},
		{"digits of another script", "١", "1", 0, false},
		{"space", "1", "1 ", 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := CompareVersions(test.a, test.b)
			if (err == nil) != test.valid {
				t.Fatalf("got error %v, want valid: %v", err, test.valid)
			}
			if cmp.Compare(got, 0) != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
			if valid := IsVersion(test.a) && IsVersion(test.b); valid != test.valid {
				t.Errorf("IsVersion reports %v, want %v", valid, test.valid)
			}
		})
	}
}
