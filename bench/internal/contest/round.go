package contest

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/listwatch/listwatch/bench/internal/report"
)

// result is the cost of all rounds of a work, by contender.
type result struct {
	work     Work
	outcomes [2][]outcome
}

// competition contains the settings of a comparison.
type competition struct {
	Contest
	rounds   int
	profiles string
	progress io.Writer

	programs [2]string // those that were built
}

// run runs all work of all contenders in each round, each time in its own process. The contenders
// alternate in running first.
func (c competition) run() (results []*result, err error) {
	objects := 1
	for _, w := range c.Works {
		objects = max(objects, w.Objects)
	}
	env, stop, err := c.startServer(objects)
	if err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, stop()) }()
	remove, err := c.build()
	if err != nil {
		return nil, err
	}
	defer remove()
	if c.Verify != nil {
		if err := c.Verify(c.Works, env); err != nil {
			return nil, err
		}
	}
	for _, w := range c.Works {
		results = append(results, &result{work: w})
	}
	for round := 1; round <= c.rounds; round++ {
		for _, r := range results {
			if err := c.compare(r, round, env, []int{peer, ours}); err != nil {
				return nil, err
			}
		}
	}
	return results, nil
}

// build builds the programs of the contenders, if they have their own. The function removes them.
func (c *competition) build() (remove func(), err error) {
	if c.Build == nil {
		return func() {}, nil
	}
	dir, err := os.MkdirTemp("", "contest")
	if err != nil {
		return nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	for i := range c.programs {
		if c.programs[i], err = c.Build(i, dir); err != nil {
			remove()
			return nil, err
		}
	}
	return remove, nil
}

// startServer starts the server, if the contest has one. The function stops it.
func (c competition) startServer(objects int) (env Env, stop func() error, err error) {
	if c.Serve == nil {
		return Env{}, func() error { return nil }, nil
	}
	env.URL, stop, err = startServer(objects)
	return env, stop, err
}

// compare runs a work once for each of some contenders.
func (c competition) compare(r *result, round int, env Env, order []int) error {
	if round%2 == 0 {
		slices.Reverse(order)
	}
	var outcomes [2]outcome
	for _, i := range order {
		t := task{
			Work: r.work.Name, Contender: i,
			Objects: r.work.Objects, WarmUp: r.work.WarmUp,
			Env: env, Profiles: c.profiles, program: c.programs[i],
		}
		var err error
		if outcomes[i], err = t.measure(); err != nil {
			return fmt.Errorf("%s, %s: %w", t.Work, c.Contenders[i], err)
		}
		r.outcomes[i] = append(r.outcomes[i], outcomes[i])
		fmt.Fprintf(c.progress, "round %d of %d: %s, %s: %s s CPU, %s s\n", round, c.rounds,
			t.Work, c.Contenders[i], report.Seconds(outcomes[i].Cost.CPU), report.Seconds(outcomes[i].Cost.Wall))
	}
	if len(order) == 1 {
		return nil
	}
	if outcomes[0].Seen != outcomes[1].Seen || outcomes[0].Digest != outcomes[1].Digest {
		return fmt.Errorf("%s: contenders saw different objects, %d and %d", r.work.Name, outcomes[0].Seen, outcomes[1].Seen)
	}
	if want := r.work.Objects; !r.work.SeesOthers && outcomes[0].Seen != want {
		return fmt.Errorf("%s: contenders saw %d objects, want %d", r.work.Name, outcomes[0].Seen, want)
	}
	return nil
}
