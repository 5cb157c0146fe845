package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/listwatch/listwatch/bench/internal/measure"
	"github.com/listwatch/listwatch/bench/internal/report"
	"github.com/listwatch/listwatch/bench/wire/internal/input"
)

// result is what all rounds of a work cost, by contender.
type result struct {
	work work
	cost [][]measure.Cost
}

// competition is how the contenders are compared.
type competition struct {
	works    []work
	rounds   int
	profiles string
	progress io.Writer
}

// run has the contenders do all work, round after round, each time in a process of
// its own. They take turns in being first.
func (c competition) run() (results []*result, err error) {
	objects := 1
	for _, w := range c.works {
		objects = max(objects, w.objects)
	}
	url, stop, err := startServer(objects)
	if err != nil {
		return nil, err
	}
	defer func() {
		if stopErr := stop(); err == nil {
			err = stopErr
		}
	}()
	if err := c.verify(url); err != nil {
		return nil, err
	}
	for _, w := range c.works {
		results = append(results, &result{work: w, cost: make([][]measure.Cost, len(contenders))})
	}
	for round := 1; round <= c.rounds; round++ {
		for _, r := range results {
			if err := c.compare(r, round, url); err != nil {
				return nil, err
			}
		}
	}
	return results, nil
}

// verify checks that contenders decode the same, with as many objects as tell
// streams and lists from single objects.
func (c competition) verify(url string) error {
	const enough = 20
	bodies, err := input.NewBodies(prepared)
	if err != nil {
		return err
	}
	for _, w := range c.works {
		if err := w.verify(enough, inputs{server: input.Server{Bodies: bodies}, url: url}); err != nil {
			return err
		}
	}
	return nil
}

// compare has each contender do a work once.
func (c competition) compare(r *result, round int, url string) error {
	order := []int{0, 1}
	if round%2 == 0 {
		slices.Reverse(order)
	}
	var outcomes [2]outcome
	for _, i := range order {
		t := task{
			Work: r.work.name, Contender: contenders[i].name,
			Objects: r.work.objects, WarmUp: r.work.warmUp,
			URL: url, Profiles: c.profiles,
		}
		var err error
		if outcomes[i], err = t.measure(); err != nil {
			return fmt.Errorf("%s, %s: %w", t.Work, t.Contender, err)
		}
		r.cost[i] = append(r.cost[i], outcomes[i].Cost)
		fmt.Fprintf(c.progress, "round %d of %d: %s, %s: %s s CPU, %s s\n",
			round, c.rounds, t.Work, t.Contender, report.Seconds(outcomes[i].Cost.CPU), report.Seconds(outcomes[i].Cost.Wall))
	}
	if outcomes[0].Objects != r.work.objects || outcomes[0].Objects != outcomes[1].Objects || outcomes[0].Digest != outcomes[1].Digest {
		return fmt.Errorf("%s: contenders decoded different objects, %d and %d", r.work.name, outcomes[0].Objects, outcomes[1].Objects)
	}
	return nil
}
