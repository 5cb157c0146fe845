package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/bench/internal/chart"
	"github.com/listwatch/listwatch/bench/internal/growth"
	"github.com/listwatch/listwatch/bench/internal/measure"
	"github.com/listwatch/listwatch/bench/internal/report"
)

// series are projects of more and more of something, for which everything is generated.
type series struct {
	// title and x are texts of its pictures, and file the start of their names.
	title, x, file string
	// sizes are those for which gen-all runs, and theirs those for the peer's tools, which take seconds.
	sizes, theirs []int
	// write returns the files of a project of a size, given a function that reads those of the project in testdata, and
	// its API packages.
	write func(n int, read func(name string) string) (files map[string]string, versions []string)
}

var allSeries = []series{
	{
		title: "Generate everything for a project", x: "kinds, 10 in a group", file: "kinds",
		sizes: []int{1, 2, 5, 10, 20, 50, 100, 200}, theirs: []int{1, 10, 50, 200},
		write: manyKinds,
	},
	{
		title: "Generate everything for one kind", x: "types of its fields, in one file", file: "types",
		sizes: []int{100, 200, 400, 800}, theirs: []int{100, 800},
		write: manyTypes,
	},
}

// grow generates for projects of all series, and returns the pictures.
func grow(ctx context.Context, f folders, rounds int, progress io.Writer) ([]growth.Picture, error) {
	var pictures []growth.Picture
	for _, s := range allSeries {
		drawn, err := s.grow(ctx, f, rounds, progress)
		if err != nil {
			return nil, err
		}
		pictures = append(pictures, drawn...)
	}
	return pictures, nil
}

func (s series) grow(ctx context.Context, f folders, rounds int, progress io.Writer) ([]growth.Picture, error) {
	runs := map[string]map[int][]measure.Usage{}
	for _, n := range s.sizes {
		in, err := s.project(f, n)
		if err != nil {
			return nil, err
		}
		for _, c := range s.contenders(n) {
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
	draw := func(cost, y string, of func(measure.Summary) float64) growth.Picture {
		p := growth.Picture{File: s.file + "-" + cost, Chart: chart.Chart{Title: s.title, X: s.x, Y: y}}
		for _, c := range []contender{everything[1], everything[0]} {
			curve := chart.Curve{Name: short[c.name]}
			for _, n := range s.sizes {
				if r := runs[c.name][n]; r != nil {
					curve.Points = append(curve.Points, chart.Point{X: float64(n), Y: of(measure.Summarize(r))})
				}
			}
			p.Curves = append(p.Curves, curve)
		}
		return p
	}
	return []growth.Picture{
		draw("cpu", "CPU seconds", func(s measure.Summary) float64 { return s.Median.CPU.Seconds() }),
		draw("peak", "peak memory of a process, MiB", func(s measure.Summary) float64 { return float64(s.Median.Peak) / (1 << 20) }),
	}, nil
}

// short are the names of contenders beside their curves.
var short = map[string]string{everything[0].name: "peers", everything[1].name: "gen-all"}

// contenders are those for a size.
func (s series) contenders(n int) []contender {
	if slices.Contains(s.theirs, n) {
		return everything[:2]
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

// project writes a project of a size and returns it as an input.
func (s series) project(f folders, n int) (input, error) {
	of := inputs[len(inputs)-1]
	in := of
	in.name, in.module = fmt.Sprintf("%d %s", n, s.file), fmt.Sprintf("%s-%d", s.file, n)
	in.from = filepath.Join(f.bench, ".work", s.file, in.module)
	if err := os.RemoveAll(in.from); err != nil {
		return input{}, err
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(f.inputs(), of.module, name))
		if err != nil {
			return ""
		}
		return string(text)
	}
	files, versions := s.write(n, read)
	in.versions = versions
	for name, text := range files {
		to := filepath.Join(in.from, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return input{}, err
		}
		if err := os.WriteFile(to, []byte(text), 0o666); err != nil {
			return input{}, err
		}
	}
	return in, f.require(in.from, of.module)
}

// given is the API package of the project in testdata.
const given = "apis/widgets/v1alpha1/"

// perGroup is the number of kinds in an API group, and so in a package.
const perGroup = 10

// manyKinds returns a project of n kinds.
func manyKinds(n int, read func(string) string) (files map[string]string, versions []string) {
	files = map[string]string{}
	for i := range n {
		group := fmt.Sprintf("widgets%d", i/perGroup)
		dir := "apis/" + group + "/v1alpha1"
		if i%perGroup == 0 {
			versions = append(versions, group+"/v1alpha1")
			files[dir+"/doc.go"] = strings.ReplaceAll(read(given+"doc.go"), "widgets.example.com", group+".example.com")
		}
		files[fmt.Sprintf("%s/widget%d.go", dir, i)] = numbered(read(given+"types.go"), i)
	}
	return files, versions
}

// manyTypes returns a project of one kind whose spec has n fields, each of a type of its own, in one file.
func manyTypes(n int, read func(string) string) (files map[string]string, versions []string) {
	const spec = "type WidgetSpec struct {\n"
	var fields, types strings.Builder
	for i := range n {
		fmt.Fprintf(&fields, "\t// Part%d is part %d.\n\tPart%d Part%d `json:\"part%d\"`\n", i, i, i, i, i)
		fmt.Fprintf(&types, part, i, i)
	}
	text := strings.Replace(read(given+"types.go"), spec, spec+fields.String(), 1) + types.String()
	return map[string]string{given + "doc.go": read(given + "doc.go"), given + "types.go": text}, []string{"widgets/v1alpha1"}
}

// part declares a type of a field.
const part = `
// Part%d is a part of a widget.
type Part%d struct {
	// Name is the name of the part.
	//
	// +kubebuilder:validation:MinLength=1
	Name string ` + "`json:\"name\"`" + `
	// Weight is its weight in grams.
	//
	// +optional
	Weight *int64 ` + "`json:\"weight,omitempty\"`" + `
	// Notes are what is said of it.
	//
	// +optional
	Notes map[string]string ` + "`json:\"notes,omitempty\"`" + `
}
`

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
