package perturb

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	clientgo "k8s.io/client-go/rest"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/runtime/rest"
)

var (
	budgetFlag = flag.Duration("perturb.budget", 0, "for how long each perturb.Run begins schedules; 0 is as the test says")
	allFlag    = flag.Bool("perturb.all", false, "let each perturb.Run run all schedules, whatever time they take")
	replayFlag = flag.String("perturb.replay", "", "run only this schedule, from a report of perturb.Run")
)

// Controller is a program, and what it is tested with. One of Start and StartClientGo is required.
type Controller struct {
	// Server configures the server of each run.
	Server []embedded.Option
	// Controllers, if set, returns stand-ins for Kubernetes' controllers, new ones for each run: they have state. The
	// garbage collector is another one.
	Controllers func() []embedded.Controller
	// WithoutGarbageCollector leaves objects whose owner is deleted. By default they are deleted with it.
	WithoutGarbageCollector bool
	// User and Groups are those as whom the program runs, as for [embedded.Server.ConfigFor]. By default it has all
	// permissions.
	User   string
	Groups []string
	// Start runs a process of the program until ctx ends. When it returns, the goroutines that it has started must
	// have ended, or end by themselves within an hour. A process that returns earlier is started again, as in a pod.
	Start func(ctx context.Context, config *rest.Config) error
	// StartClientGo takes the place of Start for programs that use client-go or controller-runtime.
	StartClientGo func(ctx context.Context, config *clientgo.Config) error
	// Users does what users do while the program runs, in one goroutine or several. Each of their requests but
	// watches waits until the program has changed nothing for two seconds. Nil if the objects in Server are all the work.
	Users func(ctx context.Context, config *rest.Config) error
	// UsersClientGo takes the place of Users for users with clients of client-go.
	UsersClientGo func(ctx context.Context, config *clientgo.Config) error
	// Always is evaluated after each write.
	Always []Invariant
	// Ignore removes from an object at the end what may differ between correct runs. It may modify the object.
	Ignore func(*unstructured.Unstructured)
	// Background has resources, such as "deployments.apps", whose requests are neither disturbed nor judged, besides
	// leases and events.
	Background []string
	// Factor bounds the changes that the program makes: Factor times those of the undisturbed run, and 20. 0 is 3.
	Factor int
	// Budget is for how long Run begins schedules, after the undisturbed runs. 0 is five seconds. The flag -perturb.budget
	// takes precedence.
	Budget time.Duration
}

func (c Controller) factor() int {
	if c.Factor > 0 {
		return c.Factor
	}
	return 3
}

func (c Controller) budget() time.Duration {
	switch {
	case *budgetFlag > 0:
		return *budgetFlag
	case c.Budget > 0:
		return c.Budget
	}
	return 5 * time.Second
}

// Run runs a program undisturbed, and then with one disturbance after the other, until the budget is used up. It
// reports the first that the program does not survive, as an error of t.
func Run(t *testing.T, c Controller) {
	t.Helper()
	if *replayFlag != "" {
		Replay(t, c, *replayFlag)
		return
	}
	limits := Limits{Findings: 1}
	if !*allFlag {
		limits.Budget = c.budget()
	}
	r, err := Search(t, c, limits)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		t.Error(f.Report)
	}
	t.Logf("perturbed: %d of %d schedules", r.Tried, r.Planned)
}

// Replay runs a program with a schedule that [Run] has reported. It reports an error to t if the program does not
// survive it, and if the write of the schedule does not take place.
func Replay(t *testing.T, c Controller, text string) {
	t.Helper()
	s, err := parseSchedule(text)
	if err != nil {
		t.Fatal(err)
	}
	undisturbed, err := reference(t, c)
	if err != nil {
		t.Fatal(err)
	}
	o, err := play(t, c, s)
	switch {
	case err != nil:
		t.Fatal(err)
	case !o.hit:
		t.Errorf("schedule %q: the program does not make this write", text)
	}
	if verdicts := o.judge(undisturbed, c); len(verdicts) > 0 {
		t.Error(o.report(t.Name(), verdicts))
	}
}

// reference returns the undisturbed run. It runs twice, because a program whose runs differ cannot be judged.
func reference(t *testing.T, c Controller) (*outcome, error) {
	var first *outcome
	for range 2 {
		o, err := play(t, c, schedule{})
		if err != nil {
			return nil, err
		}
		if len(o.verdicts) > 0 {
			return nil, errors.New("the program fails undisturbed\n" + o.report(t.Name(), o.verdicts))
		}
		if first == nil {
			first = o
		} else if diff := describeEnds(first.end, o.end); diff != "" {
			return nil, errors.New("two undisturbed runs end differently; make the program deterministic, or remove what may differ with Ignore:\n" + diff)
		}
	}
	if users := first.changing(userActor); len(users) > 0 {
		o, err := play(t, c, schedule{kind: stop, at: users[0].point, long: true})
		if err != nil {
			return nil, err
		}
		first.late = o.hit && describeEnds(first.end, o.end) == ""
	}
	return first, nil
}

// realLimit is the real time of a run, which takes some ten milliseconds on an idle machine.
const realLimit = 2 * time.Minute

// play runs a program with a schedule, in its own bubble.
func play(t *testing.T, c Controller, s schedule) (*outcome, error) {
	withoutPauses()
	tr := &trial{
		controller: c, schedule: s, done: map[string]int{}, listing: map[string]bool{}, kept: map[string]uint64{},
		watched: map[string]bool{}, listed: map[string]bool{}, holders: map[string]*process{}, former: map[*process]bool{},
	}
	ended := make(chan error, 1)
	go func() {
		var err error
		of := ""
		defer func() {
			if p := recover(); p != nil {
				text, _, _ := strings.Cut(fmt.Sprint(p), "\n")
				err = fmt.Errorf("goroutines of the program do not end with the context of Start: %s\n%s", text, left(of))
			}
			ended <- err
		}()
		synctest.Test(t, func(*testing.T) {
			of = bubble()
			tr.gates = make(chan gate) // of the bubble
			err = tr.run()
		})
	}()
	select {
	case err := <-ended:
		if err != nil {
			return nil, err
		}
	case <-time.After(realLimit):
		return nil, fmt.Errorf("a run has not ended in %s of real time: the program or its users wait for something outside of the run, such as the network, or go on after the end of their context", realLimit)
	}
	return tr.outcome()
}
