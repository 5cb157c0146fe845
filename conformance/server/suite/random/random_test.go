package random_test

import (
	"fmt"
	"testing"

	"github.com/listwatch/listwatch/conformance/server/suite/random"
)

// A trial depends on its seed and number only, and most trials change something.
func TestTrials(t *testing.T) {
	objects, values, err := random.Load()
	if err != nil {
		t.Fatal(err)
	}
	again, others, err := random.Load()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for number := range uint64(500) {
		trial := random.NewTrial(1, number, objects, values)
		text := fmt.Sprint(trial.Method, trial.Path, trial.What, trial.Body)
		twin := random.NewTrial(1, number, again, others)
		if other := fmt.Sprint(twin.Method, twin.Path, twin.What, twin.Body); text != other {
			t.Fatalf("trial %d is\n%s\nand then\n%s", number, text, other)
		}
		seen[text] = true
	}
	if len(seen) < 450 {
		t.Errorf("only %d of 500 trials differ", len(seen))
	}
}

func TestDifference(t *testing.T) {
	const refused = "422 Invalid\ndetails:\n  - field: a\n  - field: b[1]\nmessage: a and b\n  are wrong\nreason: Invalid\n"
	for _, c := range []struct {
		name, want, got string
		class           random.Class
		text            string
	}{
		{"equal", "200 OK\nb\n", "200 OK\nb\n", "", ""},
		{"code", "409 Conflict\nname \"x\"\n", "201 Created\nname \"x\"\n", random.ByCode, "0 Conflict / 0 Created"},
		{"object", "200 OK\nx: \"7\" 12\n", "200 OK\n", random.ByObject, `x: "..." 0 / `},
		{"text", refused, "422 Invalid\ndetails:\n  - field: a\nmessage: a\nreason: Invalid\n", random.ByText, "- field: b[0] / "},
		{"order", refused, "422 Invalid\ndetails:\n  - field: b[1]\n  - field: a\nmessage: b and a\nreason: Invalid\n", random.ByOrder, "a b[0]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if class, got := random.Difference(c.want, c.got); class != c.class || got != c.text {
				t.Errorf("%s: %q, want %s: %q", class, got, c.class, c.text)
			}
		})
	}
}
