package growth

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/bench/internal/chart"
)

func curve(name string, points ...float64) chart.Curve {
	c := chart.Curve{Name: name}
	for i := 0; i < len(points); i += 2 {
		c.Points = append(c.Points, chart.Point{X: points[i], Y: points[i+1]})
	}
	return c
}

var (
	slow = Picture{File: "slow", Chart: chart.Chart{Title: "Slow", X: "n", Y: "CPU seconds", Curves: []chart.Curve{
		curve("ours", 1, 5, 10, 5, 100, 50, 1000, 800),
		curve("theirs", 1, 1, 10, 100),
	}}}
	fast = Picture{File: "fast", Chart: chart.Chart{Title: "Fast", X: "n", Y: "seconds", Curves: []chart.Curve{
		curve("ours", 1, 5, 1000, 5), curve("theirs", 1, 5),
	}}}
)

func TestSection(t *testing.T) {
	got := Section("go1", "growth", []Picture{slow, fast})
	want := strings.Join([]string{
		"go1", "",
		"<p>",
		`<img src="growth/slow.svg" width="49%" alt="Slow, CPU seconds">`,
		`<img src="growth/fast.svg" width="49%" alt="Fast, seconds">`,
		"</p>", "",
		"| work              | of     | from | cost |   to | cost | exponent | last decade |",
		"|-------------------|--------|-----:|-----:|-----:|-----:|---------:|------------:|",
		"| Slow, CPU seconds | ours   |    1 |    5 | 1000 |  800 |     0.76 |        1.20 |",
		"| Slow, CPU seconds | theirs |    1 |    1 |   10 |  100 |     2.00 |        2.00 |",
		"| Fast, seconds     | ours   |    1 |    5 | 1000 |    5 |     0.00 |             |",
		"| Fast, seconds     | theirs |    1 |    5 |    1 |    5 |          |             |",
		"",
		"Exponents of ours above 1.05: *Slow* (CPU seconds, 1.20).",
		"",
	}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := Section("go1", "growth", []Picture{fast}); !strings.HasSuffix(got, "\nNo exponent of ours is above 1.05.\n") {
		t.Errorf("got\n%s", got)
	}
}

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "growth")
	for range 2 { // a second time, it exists
		if err := Write(dir, []Picture{slow, fast}); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range []Picture{slow, fast} {
		got, err := os.ReadFile(filepath.Join(dir, p.File+".svg"))
		if err != nil || string(got) != p.SVG() {
			t.Errorf("%s: %v", p.File, err)
		}
	}
	if err := Write(filepath.Join(dir, "fast.svg"), []Picture{slow}); err == nil {
		t.Error("pictures are written into a file")
	}
}
