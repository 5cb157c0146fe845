package chart

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/internal/golden"
)

// curve returns a curve of y = factor * x^exponent.
func curve(name string, factor, exponent float64, xs ...float64) Curve {
	c := Curve{Name: name}
	for _, x := range xs {
		c.Points = append(c.Points, Point{x, factor * math.Pow(x, exponent)})
	}
	return c
}

func TestExponent(t *testing.T) {
	for name, c := range map[string]struct {
		curve Curve
		want  float64
	}{
		"constant":    {curve("", 3, 0, 1, 10, 100), 0},
		"linear":      {curve("", 0.01, 1, 1, 5, 1000, 1e6), 1},
		"quadratic":   {curve("", 7, 2, 2, 3), 2},
		"decreasing":  {curve("", 7, -0.5, 1, 2, 3, 4), -0.5},
		"with noise":  {Curve{Points: []Point{{1, 1.1}, {10, 9}, {100, 110}, {1000, 900}}}, (3*math.Log10(900/1.1) + math.Log10(110.0/9)) / 10},
		"its end":     {Curve{Points: []Point{{1, 50}, {10, 50}, {100, 50}, {1000, 500}}}.From(100), 1},
		"one point":   {curve("", 1, 1, 5), math.NaN()},
		"beyond ends": {curve("", 1, 1, 5, 6).From(7), math.NaN()},
	} {
		if got := c.curve.Exponent(); math.Abs(got-c.want) > 1e-9 || math.IsNaN(got) != math.IsNaN(c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

func TestAxis(t *testing.T) {
	for name, c := range map[string]struct {
		values []float64
		want   string
	}{
		"decades":            {[]float64{1_000, 30_000, 1_000_000}, "1,000 10,000 100,000 1 million"},
		"parts of a decade":  {[]float64{1, 64}, "1 10 100"},
		"less than two":      {[]float64{3, 64}, "2 5 10 20 50 100"},
		"fractions":          {[]float64{0.0032, 0.9}, "0.001 0.01 0.1 1"},
		"within a decade":    {[]float64{0.03, 0.04}, "0.02 0.05"},
		"one marked value":   {[]float64{5}, "5 10 20 50"},
		"ends at the values": {[]float64{0.1, 0.2}, "0.1 0.2"},
		"millions":           {[]float64{2e6, 3e7}, "2 million 5 million 10 million 20 million 50 million"},
	} {
		a := newAxis(c.values, 0, 100)
		var labels []string
		for _, v := range a.marks() {
			labels = append(labels, label(v))
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
		for _, v := range c.values {
			if at := a.place(v); at < -1e-6 || at > 100+1e-6 {
				t.Errorf("%s: %v is at %v", name, v, at)
			}
		}
	}
	a := axis{least: 1, most: 100, from: 200, to: 0}
	if got := []float64{a.place(1), a.place(10), a.place(100)}; !slices.Equal(got, []float64{200, 100, 0}) {
		t.Errorf("places are %v", got)
	}
}

// drawn has curves that end at the same place, at different X, and with a character that XML escapes.
var drawn = Chart{
	Title: "Sync over HTTP", X: "objects", Y: "CPU seconds, <1 & more",
	Curves: []Curve{
		curve("listwatch", 1e-6, 1, 1e3, 1e4, 1e5, 1e6),
		curve("client-go", 1e-5, 1.01, 1e3, 1e4, 1e5),
		curve("near", 1.05e-6, 1, 1e3, 1e6),
		curve("one point", 1e-6, 1, 1e6),
	},
}

// TestSVG compares with an image that was looked at.
func TestSVG(t *testing.T) {
	got := drawn.SVG()
	if again := drawn.SVG(); again != got {
		t.Error("a second image differs")
	}
	file := filepath.Join("testdata", "chart.svg")
	if golden.Update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the image differs from %s; to accept it, run LISTWATCH_UPDATE=1 go test. It is\n%s", file, got)
	}
}

func TestSVGIsXML(t *testing.T) {
	for decoder := xml.NewDecoder(strings.NewReader(drawn.SVG())); ; {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestNamesDoNotOverlap(t *testing.T) {
	names := drawn.names(drawn.axes())
	if len(names) != len(drawn.Curves) {
		t.Fatalf("%d names", len(names))
	}
	for i, n := range names {
		if n.y > height-bottom || n.x > width-right+9 {
			t.Errorf("%s is at %v, %v", n.text, n.x, n.y)
		}
		if i > 0 && n.y-names[i-1].y < line {
			t.Errorf("%s is over %s", n.text, names[i-1].text)
		}
	}
}
