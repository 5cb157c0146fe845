package election

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	theirfake "k8s.io/client-go/kubernetes/fake"
	theirtesting "k8s.io/client-go/testing"
	theirs "k8s.io/client-go/tools/leaderelection"
	theirlock "k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"

	ourfake "github.com/listwatch/listwatch/kubernetes/fake"
	ours "github.com/listwatch/listwatch/kubernetes/leaderelection"
	ourlock "github.com/listwatch/listwatch/kubernetes/leaderelection/resourcelock"
	ourtesting "github.com/listwatch/listwatch/runtime/testing"
)

// scenario is what an elector meets.
type scenario struct {
	lease       *coordinationv1.LeaseSpec // nil if there is none
	coordinated bool
	release     bool
	fails       func(write int) error // of writes, which are counted from 0; may be nil
	duration    time.Duration         // until the context of Run is cancelled
}

// written is a write of a Lease.
type written struct {
	Verb, Holder, Strategy, Preferred string
	Seconds, Transitions              int32
	Acquired                          time.Duration // since that of the first write
}

// script records the writes of an elector, and fails some.
type script struct {
	scenario
	count  int
	first  time.Time
	writes []written
}

func (s *script) react(verb string, obj runtime.Object) error {
	spec := obj.(*coordinationv1.Lease).Spec
	w := written{
		Verb: verb, Holder: *spec.HolderIdentity, Seconds: *spec.LeaseDurationSeconds, Transitions: *spec.LeaseTransitions,
	}
	if s.first.IsZero() {
		s.first = spec.AcquireTime.Time
	}
	w.Acquired = spec.AcquireTime.Sub(s.first)
	if spec.Strategy != nil {
		w.Strategy = string(*spec.Strategy)
	}
	if spec.PreferredHolder != nil {
		w.Preferred = *spec.PreferredHolder
	}
	s.writes = append(s.writes, w)
	s.count++
	if s.fails == nil {
		return nil
	}
	return s.fails(s.count - 1)
}

func (s *script) objects() []runtime.Object {
	if s.lease == nil {
		return nil
	}
	return []runtime.Object{&coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "lock"}, Spec: *s.lease}}
}

// both runs a scenario with both implementations.
func both(t *testing.T, c scenario) (their, our []written) {
	const deadline, period = 10 * time.Second, 2 * time.Second
	discard := klog.NewContext(context.Background(), logr.Discard())
	synctest.Test(t, func(t *testing.T) {
		s := &script{scenario: c}
		clientset := theirfake.NewClientset(s.objects()...)
		for _, verb := range []string{"create", "update"} {
			clientset.PrependReactor(verb, "leases", func(a theirtesting.Action) (bool, runtime.Object, error) {
				err := s.react(verb, a.(theirtesting.CreateAction).GetObject())
				return err != nil, nil, err
			})
		}
		ctx, cancel := context.WithTimeout(discard, c.duration)
		defer cancel()
		lock := &theirlock.LeaseLock{
			LeaseMeta: metav1.ObjectMeta{Namespace: namespace, Name: "lock"}, Client: clientset.CoordinationV1(),
			LockConfig: theirlock.ResourceLockConfig{Identity: "me"},
		}
		theirs.RunOrDie(ctx, theirs.LeaderElectionConfig{
			Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: deadline, RetryPeriod: period,
			ReleaseOnCancel: c.release, Coordinated: c.coordinated,
			Callbacks: theirs.LeaderCallbacks{OnStartedLeading: func(context.Context) {}, OnStoppedLeading: func() {}},
		})
		their = s.writes
	})
	synctest.Test(t, func(t *testing.T) {
		s := &script{scenario: c}
		clientset := ourfake.NewClientset(s.objects()...)
		for _, verb := range []string{"create", "update"} {
			clientset.PrependReactor(verb, "leases", func(a ourtesting.Action) (bool, runtime.Object, error) {
				err := s.react(verb, a.(ourtesting.CreateAction).GetObject())
				return err != nil, nil, err
			})
		}
		ctx, cancel := context.WithTimeout(discard, c.duration)
		defer cancel()
		lock := &ourlock.LeaseLock{
			LeaseMeta: metav1.ObjectMeta{Namespace: namespace, Name: "lock"}, Client: clientset.CoordinationV1(),
			LockConfig: ourlock.ResourceLockConfig{Identity: "me"},
		}
		ours.RunOrDie(ctx, ours.LeaderElectionConfig{
			Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: deadline, RetryPeriod: period,
			ReleaseOnCancel: c.release, Coordinated: c.coordinated,
			Callbacks: ours.LeaderCallbacks{OnStartedLeading: func(context.Context) {}, OnStoppedLeading: func() {}},
			Random:    func() float64 { return 0.5 },
		})
		our = s.writes
	})
	return their, our
}

func spec(holder string, seconds, transitions int32) *coordinationv1.LeaseSpec {
	at := metav1.NewMicroTime(time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC))
	return &coordinationv1.LeaseSpec{
		HolderIdentity: &holder, LeaseDurationSeconds: &seconds, LeaseTransitions: &transitions, AcquireTime: &at, RenewTime: &at,
	}
}

// An elector writes what client-go's writes. Where more than the first writes are compared, both write at the same
// times; a lease that has to expire is acquired earlier by ours.
func TestWrites(t *testing.T) {
	coordinated := spec("me", 15, 4)
	strategy := coordinationv1.OldestEmulationVersion
	coordinated.Strategy = &strategy
	preferred := spec("me", 15, 4)
	preferred.PreferredHolder = new(string)
	*preferred.PreferredHolder = "other"
	failing := func(from, to int) func(int) error {
		return func(n int) error {
			if from <= n && n < to {
				return errors.New("internal error")
			}
			return nil
		}
	}
	for name, c := range map[string]struct {
		scenario
		first int // how many writes are compared, 0 for all
	}{
		"no lease":                {scenario{duration: time.Minute - 1}, 0},
		"released":                {scenario{lease: spec("", 1, 7), duration: time.Minute - 1}, 0},
		"empty":                   {scenario{lease: &coordinationv1.LeaseSpec{}, duration: time.Minute - 1}, 0},
		"held":                    {scenario{lease: spec("other", 15, 7), duration: time.Minute - 1}, 10},
		"held, for long":          {scenario{lease: spec("other", 3600, 7), duration: time.Minute - 1}, 0},
		"release":                 {scenario{release: true, duration: 11 * time.Second}, 0},
		"release without a lease": {scenario{lease: spec("other", 3600, 7), release: true, duration: time.Minute - 1}, 0},
		"a failed renewal":        {scenario{fails: failing(3, 4), duration: time.Minute - 1}, 0},
		"failed renewals":         {scenario{fails: failing(3, 7), duration: time.Minute - 1}, 0},
		"a failed release":        {scenario{release: true, fails: failing(7, 8), duration: 11 * time.Second}, 0},
		"coordinated":             {scenario{lease: coordinated, coordinated: true, duration: time.Minute - 1}, 0},
		"coordinated, released":   {scenario{lease: coordinated, coordinated: true, release: true, duration: time.Minute - 1}, 0},
		"coordinated, no lease":   {scenario{coordinated: true, duration: time.Minute - 1}, 0},
		"coordinated, of another": {scenario{lease: spec("other", 15, 1), coordinated: true, duration: time.Minute - 1}, 0},
		"coordinated, preferred":  {scenario{lease: preferred, coordinated: true, duration: time.Minute - 1}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			their, our := both(t, c.scenario)
			if c.first > 0 {
				their, our = their[:c.first], our[:c.first]
			}
			if diff := cmp.Diff(their, our); diff != "" {
				t.Errorf("writes, -client-go's +ours:\n%s", diff)
			}
			t.Logf("%d writes", len(our))
		})
	}
}
