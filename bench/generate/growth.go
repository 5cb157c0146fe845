package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/listwatch/listwatch/bench/internal/chart"
	"github.com/listwatch/listwatch/bench/internal/growth"
	"github.com/listwatch/listwatch/bench/internal/measure"
	"github.com/listwatch/listwatch/bench/internal/report"
)

// kinds are the numbers of kinds for which everything is generated, with gen-all; theirKinds those with the
// peer's tools, which take seconds.
var kinds, theirKinds = []int{1, 2, 5, 10, 20, 50, 100, 200}, []int{1, 10, 50, 200}

// perGroup is the number of kinds in an API group, and so in a package.
const perGroup = 10

// grow generates for projects with more and more kinds, and returns the pictures.
func grow(ctx context.Context, f folders, rounds int, progress io.Writer) ([]growth.Picture, error) {
	runs := map[string]map[int][]measure.Usage{}
	for _, n := range kinds {
		in, err := f.project(n)
		if err != nil {
			return nil, err
		}
		for _, c := range grown(n) {
			if runs[c.name] == nil {
				runs[c.name] = map[int][]measure.Usage{}
			}
			for round := 1; round <= roundsOf(c, rounds); round++ {
				u, err := run(ctx, f, in, c)
				if err != nil {
					return nil, fmt.Errorf("%s, %s: %w", in.name, c.name, err)
				}
				runs[c.name][n] = append(runs[c.name][n], u)
				fmt.Fprintf(progress, "%s, %s: %s s CPU, %s s\n", in.name, c.name, report.Seconds(u.CPU), report.Seconds(u.Wall))
			}
		}
	}
	draw := func(file, y string, of func(measure.Summary) float64) growth.Picture {
		p := growth.Picture{File: file, Chart: chart.Chart{Title: "Generate everything for a project", X: "kinds, 10 in a group", Y: y}}
		for _, c := range []contender{everything[1], everything[0]} {
			curve := chart.Curve{Name: short[c.name]}
			for _, n := range kinds {
				if r := runs[c.name][n]; r != nil {
					curve.Points = append(curve.Points, chart.Point{X: float64(n), Y: of(measure.Summarize(r))})
				}
			}
			p.Curves = append(p.Curves, curve)
		}
		return p
	}
	return []growth.Picture{
		draw("kinds-cpu", "CPU seconds", func(s measure.Summary) float64 { return s.Median.CPU.Seconds() }),
		draw("kinds-peak", "peak memory of a process, MiB", func(s measure.Summary) float64 { return float64(s.Median.Peak) / (1 << 20) }),
	}, nil
}

// short are the names of contenders beside their curves.
var short = map[string]string{everything[0].name: "peers", everything[1].name: "gen-all"}

// grown are the contenders for n kinds.
func grown(n int) []contender {
	for _, theirs := range theirKinds {
		if n == theirs {
			return everything[:2]
		}
	}
	return everything[1:2]
}

// roundsOf is 1 for what takes seconds.
func roundsOf(c contender, rounds int) int {
	if c.name == everything[0].name {
		return 1
	}
	return rounds
}

// project writes a project of n kinds and returns it as an input.
func (f folders) project(n int) (input, error) {
	of := inputs[len(inputs)-1]
	in := of
	in.name, in.module, in.versions = fmt.Sprintf("%d kinds", n), fmt.Sprintf("kinds-%d", n), nil
	in.from = filepath.Join(f.bench, ".work", "kinds", in.module)
	if err := os.RemoveAll(in.from); err != nil {
		return input{}, err
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(f.source(of), name))
		if err != nil {
			return ""
		}
		return string(text)
	}
	files := map[string]string{"go.mod": read("go.mod"), "go.sum": read("go.sum")}
	const version = "apis/widgets/v1alpha1/"
	for i := range n {
		group := fmt.Sprintf("widgets%d", i/perGroup)
		dir := "apis/" + group + "/v1alpha1"
		if i%perGroup == 0 {
			in.versions = append(in.versions, group+"/v1alpha1")
			files[dir+"/doc.go"] = strings.ReplaceAll(read(version+"doc.go"), "widgets.example.com", group+".example.com")
		}
		files[fmt.Sprintf("%s/widget%d.go", dir, i)] = numbered(read(version+"types.go"), i)
	}
	for name, text := range files {
		to := filepath.Join(in.from, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return input{}, err
		}
		if err := os.WriteFile(to, []byte(text), 0o666); err != nil {
			return input{}, err
		}
	}
	return in, nil
}

// declared are the types of the project, and the short name of its resource.
var declared = regexp.MustCompile(`\b(Widget(?:Spec|Status|List)?|Policy|Window|shortName=wd)\b`)

// numbered returns a file with other names: a Widget7 in place of a Widget.
func numbered(text string, number int) string {
	return declared.ReplaceAllStringFunc(text, func(name string) string {
		if rest, ok := strings.CutPrefix(name, "Widget"); ok {
			return fmt.Sprintf("Widget%d%s", number, rest)
		}
		return fmt.Sprintf("%s%d", name, number)
	})
}
