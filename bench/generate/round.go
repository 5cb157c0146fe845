package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/listwatch/listwatch/bench/internal/measure"
	"github.com/listwatch/listwatch/bench/internal/report"
)

// result is the cost and the output size of one contender for one input.
type result struct {
	input, contender string
	runs             []measure.Usage
	files            int
	bytes            int64
}

// build builds the binaries: theirs at the version in the benchmarks' go.mod, ours as users build
// them, with the root module's dependencies.
func build(ctx context.Context, f folders) error {
	if err := os.MkdirAll(f.programs(), 0o777); err != nil {
		return err
	}
	to := f.programs() + string(filepath.Separator)
	if _, err := goCommand(ctx, f.bench, "build", "-o", to, "tool"); err != nil {
		return err
	}
	if _, err := goCommand(ctx, filepath.Join(f.root(), "conformance"), "build", "-modfile="+controllerTools, "-o", to, "tool"); err != nil {
		return err
	}
	_, err := goCommand(ctx, f.root(), "build", "-o", to, "./cmd/...")
	return err
}

// controllerTools is the file of requirements, in the module of the conformance tests, that pins controller-gen. It needs
// newer libraries than everything else, which would otherwise be compiled for the benchmarks once more.
const controllerTools = "internal/peers/testdata/controllertools.mod"

// compete runs every contender on every input in each round, so that they run under the same
// conditions. The first round is not measured: it downloads modules and fills caches.
func compete(ctx context.Context, f folders, inputs []input, rounds int, progress io.Writer) ([]*result, error) {
	var results []*result
	for _, in := range inputs {
		for _, c := range in.contenders {
			results = append(results, &result{input: in.name, contender: c.name})
		}
	}
	for round := 0; round <= rounds; round++ {
		next := 0
		for _, in := range inputs {
			for _, c := range in.contenders {
				u, err := run(ctx, f, in, c)
				if err != nil {
					return nil, fmt.Errorf("%s, %s: %w", in.name, c.name, err)
				}
				r := results[next]
				next++
				if round > 0 {
					r.runs = append(r.runs, u)
				}
				if r.files, r.bytes, err = f.size(in); err != nil {
					return nil, err
				}
				fmt.Fprintf(progress, "round %d of %d: %s, %s: %s s CPU, %s s\n",
					round, rounds, in.name, c.name, report.Seconds(u.CPU), report.Seconds(u.Wall))
			}
		}
	}
	return results, nil
}

// run runs one contender for one input.
func run(ctx context.Context, f folders, in input, c contender) (measure.Usage, error) {
	if !c.upToDate {
		if err := f.empty(in); err != nil {
			return measure.Usage{}, err
		}
	}
	return measure.Run(ctx, c.commands(in, f)...)
}
