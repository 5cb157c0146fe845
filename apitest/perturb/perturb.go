package perturb

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"sync/atomic"
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
	// Server configures the server of each run. WithWebhookTransport has no effect: it is used by this package.
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
	// Ignore removes from an object at the end what may differ between correct runs. It may modify the object; one whose
	// Object it sets to nil is left out. The order of conditions is ignored without it.
	Ignore func(*unstructured.Unstructured)
	// Background has resources, such as "deployments.apps", whose requests are neither disturbed nor judged, besides
	// leases and events.
	Background []string
	// Factor bounds the changes that the program makes: Factor times those of the undisturbed run, and 20. 0 is 3.
	Factor int
	// Budget is for how long Run begins schedules, after the undisturbed runs. 0 is five seconds. The flag -perturb.budget
	// takes precedence.
	Budget time.Duration
	// Recovery is how long after a disturbance, and at the end, a program must have changed nothing before it has recovered:
	// longer than the longest pause between its retries. 0 is one minute, or five times RealTime.
	Recovery time.Duration
	// RealTime is for programs that cannot run in a bubble: runs are in real time, with a server on the loopback
	// interface, and the program rests when it has done nothing for so long, such as 200 milliseconds. The configuration
	// of Start has the address of a server, for other processes too, and no credentials. 0 is virtual time.
	RealTime time.Duration
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
	t.Logf("perturbed: %d of %d schedules, and %d with two disturbances", r.Tried, r.Planned, r.Pairs)
}

// Replay runs a program with a schedule that [Run] has reported. It reports an error to t if the program does not
// survive it, and if the write of the schedule does not take place.
func Replay(t *testing.T, c Controller, text string) {
	t.Helper()
	report, err := replay(t, c, text)
	if err != nil {
		t.Fatal(err)
	}
	if report != "" {
		t.Error(report)
	}
}

// replay returns the report of a run, which is empty if the program survives it.
func replay(t *testing.T, c Controller, text string) (report string, err error) {
	s, err := parseSchedule(text)
	if err != nil {
		return "", err
	}
	undisturbed, err := reference(t, c)
	if err != nil {
		return "", err
	}
	o, err := play(t, c, s)
	if err != nil {
		return "", err
	}
	verdicts := o.judge(undisturbed, c)
	switch {
	case len(verdicts) > 0:
		f, err := find(t, c, undisturbed, o, verdicts)
		if err != nil {
			return "", err
		}
		return f.Report, nil
	case !o.hit:
		return fmt.Sprintf("schedule %q: the program does not make this write", text), nil
	}
	return "", nil
}

// reference returns the undisturbed run. It runs twice, because a program whose runs differ cannot be judged, the second time
// on a server that does not stream lists, so that it is seen which states these accept.
func reference(t *testing.T, c Controller) (*outcome, error) {
	var first *outcome
	for _, plain := range []bool{false, true} {
		tr := newTrial(c, schedule{})
		tr.plain = plain
		o, err := tr.play(t)
		if err != nil {
			return nil, err
		}
		if len(o.verdicts) > 0 {
			return nil, errors.New("the program fails undisturbed\n" + o.report(t.Name(), o.verdicts, 0))
		}
		if first == nil {
			first = o
		} else if diff := describeEnds(first.end, o.end); diff != "" {
			return nil, errors.New("two undisturbed runs end differently; make the program deterministic, or remove what may differ with Ignore:\n" + diff)
		}
		first.lenient = o.lenient
	}
	if users := first.changing(userActor); len(users) > 0 {
		o, err := play(t, c, schedule{first: disturbance{kind: stop, at: users[0].point, long: true}})
		if err != nil {
			return nil, err
		}
		first.late = o.hit && describeEnds(first.end, o.end) == ""
	}
	return first, nil
}

// newTrial prepares a run with a schedule.
func newTrial(c Controller, s schedule) *trial {
	return &trial{
		controller: c, schedule: s, pace: c.pace(), done: map[string]int{}, listing: map[string]bool{}, kept: map[string]uint64{},
		watched: map[string]bool{}, listed: map[string]bool{}, lenient: map[string]bool{}, holders: map[string]*process{}, former: map[*process]bool{}, sent: map[string]sent{},
	}
}

// play runs a program with a schedule.
func play(t *testing.T, c Controller, s schedule) (*outcome, error) { return newTrial(c, s).play(t) }

// unsuited is the advice in the errors of programs that wait for something outside of their bubble.
const unsuited = "a program that needs the network, other processes or the time of the world runs with Controller.RealTime"

// play runs the trial, unless it is in real time in its own bubble.
func (tr *trial) play(t *testing.T) (*outcome, error) {
	ended := make(chan error, 1)
	var name atomic.Value // of the bubble
	go func() {
		var err error
		defer func() {
			if p := recover(); p != nil {
				text, _, _ := strings.Cut(fmt.Sprint(p), "\n")
				err = fmt.Errorf("goroutines of the program do not end with the context of Start: %s\n%s", text, left(fmt.Sprint(name.Load())))
			}
			ended <- err
		}()
		if !tr.pace.virtual {
			tr.gates = make(chan gate)
			err = tr.run()
			return
		}
		synctest.Test(t, func(*testing.T) {
			name.Store(bubble())
			tr.gates = make(chan gate) // of the bubble
			err = tr.run()
		})
	}()
	select {
	case err := <-ended:
		if err != nil {
			return nil, err
		}
	case <-time.After(tr.pace.bound):
		err := fmt.Errorf("a run has not ended in %s of real time: the program or its users wait for something outside of the run, such as the network, or go on after the end of their context", tr.pace.bound)
		if tr.pace.virtual {
			err = fmt.Errorf("%w; %s\n%s", err, unsuited, waiting(fmt.Sprint(name.Load())))
		}
		return nil, err
	}
	return tr.outcome()
}
