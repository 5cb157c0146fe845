package script_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/features"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
)

// lock is a lock in memory, which fails when it is told to.
type lock struct {
	p        *tape
	mu       sync.Mutex
	record   *resourcelock.LeaderElectionRecord
	identity string
	fail     func(call string) error
}

func (l *lock) try(call string) error {
	if l.fail != nil {
		return l.fail(call)
	}
	return nil
}

func (l *lock) Get(context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.try("get"); err != nil {
		return nil, nil, err
	}
	if l.record == nil {
		return nil, nil, apierrors.NewNotFound(schema.GroupResource{Resource: "leases"}, "l")
	}
	r := *l.record
	return &r, fmt.Appendf(nil, "%+v", r), nil
}

func (l *lock) write(call string, r resourcelock.LeaderElectionRecord) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.try(call); err != nil {
		l.p.printf("%s fails", call)
		return err
	}
	l.p.printf("%s holder %q duration %d transitions %d", call, r.HolderIdentity, r.LeaseDurationSeconds, r.LeaderTransitions)
	l.record = &r
	return nil
}

func (l *lock) Create(_ context.Context, r resourcelock.LeaderElectionRecord) error {
	return l.write("create", r)
}

func (l *lock) Update(_ context.Context, r resourcelock.LeaderElectionRecord) error {
	return l.write("update", r)
}
func (l *lock) RecordEvent(s string) { l.p.printf("event %s", s) }
func (l *lock) Identity() string     { return l.identity }
func (l *lock) Describe() string     { return "n/l" }

func TestElection(t *testing.T) {
	config := func(p *tape, l resourcelock.Interface) leaderelection.LeaderElectionConfig {
		return leaderelection.LeaderElectionConfig{
			Lock: l, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second, Name: "e",
			// Callbacks run beside requests: they wait, so that the order of the records is always the same.
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(ctx context.Context) { time.Sleep(time.Millisecond); p.printf("started"); <-ctx.Done() },
				OnStoppedLeading: func() { p.printf("stopped") },
				OnNewLeader:      func(identity string) { time.Sleep(2 * time.Millisecond); p.printf("new leader %s", identity) },
			},
		}
	}
	run(t, "configs", func(_ *testing.T, p *tape) {
		l := &lock{p: p, identity: "me"}
		for name, change := range map[string]func(*leaderelection.LeaderElectionConfig){
			"lease not longer":   func(c *leaderelection.LeaderElectionConfig) { c.LeaseDuration = c.RenewDeadline },
			"deadline too short": func(c *leaderelection.LeaderElectionConfig) { c.RenewDeadline = c.RetryPeriod },
			"no lease": func(c *leaderelection.LeaderElectionConfig) {
				c.LeaseDuration, c.RenewDeadline, c.RetryPeriod = 0, 0, 0
			},
			"no deadline":     func(c *leaderelection.LeaderElectionConfig) { c.RenewDeadline = 0 },
			"negative period": func(c *leaderelection.LeaderElectionConfig) { c.RetryPeriod = -1 },
			"no started":      func(c *leaderelection.LeaderElectionConfig) { c.Callbacks.OnStartedLeading = nil },
			"no stopped":      func(c *leaderelection.LeaderElectionConfig) { c.Callbacks.OnStoppedLeading = nil },
			"no lock":         func(c *leaderelection.LeaderElectionConfig) { c.Lock = nil },
			"no identity":     func(c *leaderelection.LeaderElectionConfig) { c.Lock = &lock{p: p} },
			"fine":            func(*leaderelection.LeaderElectionConfig) {},
		} {
			c := config(p, l)
			change(&c)
			q := &tape{}
			_, err := leaderelection.NewLeaderElector(c)
			q.err(name, err)
			p.lines = append(p.lines, strings.Join(q.lines, "\n"))
		}
		slices.Sort(p.lines)
	})
	run(t, "locks", func(_ *testing.T, p *tape) {
		for _, kind := range []string{"endpoints", "configmaps", "endpointsleases", "configmapsleases", "leases", "nothing"} {
			_, err := resourcelock.New(kind, "n", "l", nil, nil, resourcelock.ResourceLockConfig{Identity: "me"})
			p.err(kind, err)
		}
		spec := coordinationv1.LeaseSpec{}
		p.json("record", resourcelock.LeaseSpecToLeaderElectionRecord(&spec))
		p.json("spec", resourcelock.LeaderElectionRecordToLeaseSpec(&resourcelock.LeaderElectionRecord{HolderIdentity: "me", LeaseDurationSeconds: 3}).HolderIdentity)
	})
	bubble := func(name string, l func(*lock), c func(*leaderelection.LeaderElectionConfig), after time.Duration) {
		run(t, name, func(t *testing.T, p *tape) {
			synctest.Test(t, func(t *testing.T) {
				lk := &lock{p: p, identity: "me"}
				if l != nil {
					l(lk)
				}
				cfg := config(p, lk)
				if c != nil {
					c(&cfg)
				}
				e, err := leaderelection.NewLeaderElector(cfg)
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithTimeout(t.Context(), after)
				defer cancel()
				e.Run(ctx)
				p.printf("leader %v %q", e.IsLeader(), e.GetLeader())
				p.err("Check", e.Check(time.Second))
				time.Sleep(time.Minute)
				p.err("Check", e.Check(time.Second))
			})
			p.lines = slices.Compact(p.lines) // how often it is renewed has jitter
		})
	}
	other := func(l *lock) {
		now := metav1.Now()
		l.record = &resourcelock.LeaderElectionRecord{HolderIdentity: "other", LeaseDurationSeconds: 15, AcquireTime: now, RenewTime: now}
	}
	bubble("alone", nil, nil, 30*time.Second)
	bubble("released", nil, func(c *leaderelection.LeaderElectionConfig) { c.ReleaseOnCancel = true }, 30*time.Second)
	bubble("behind another", other, nil, 10*time.Second)
	bubble("after another", other, nil, time.Minute)
	bubble("lost", func(l *lock) {
		begin := time.Now()
		l.fail = func(string) error {
			if time.Since(begin) > 20*time.Second {
				return errors.New("unreachable")
			}
			return nil
		}
	}, nil, time.Minute)
	bubble("forbidden", func(l *lock) { l.fail = func(string) error { return forbidden("get") } }, nil, 10*time.Second)
	bubble("conflict", func(l *lock) {
		l.fail = func(call string) error {
			if call == "update" {
				return apierrors.NewConflict(schema.GroupResource{Resource: "leases"}, "l", errors.New("changed"))
			}
			return nil
		}
	}, nil, time.Minute)
	bubble("never", nil, nil, 0)
}

// sink records what recorders write.
type sink struct {
	p    *tape
	fail func(n int) error
	n    int
}

func (s *sink) write(call string, e *corev1.Event) (*corev1.Event, error) {
	s.n++
	if s.fail != nil {
		if err := s.fail(s.n); err != nil {
			return nil, err
		}
	}
	s.p.printf("%s %s %s %s %q count %d from %+v related %v", call, e.InvolvedObject.Name, e.Type, e.Reason, e.Message, e.Count, e.Source, e.Related)
	return e, nil
}

func (s *sink) Create(e *corev1.Event) (*corev1.Event, error) { return s.write("create", e) }
func (s *sink) Update(e *corev1.Event) (*corev1.Event, error) { return s.write("update", e) }
func (s *sink) Patch(e *corev1.Event, _ []byte) (*corev1.Event, error) {
	return s.write("patch", e)
}

func TestRecorder(t *testing.T) {
	bubble := func(name string, fail func(int) error, f func(p *tape, r record.EventRecorder)) {
		run(t, name, func(t *testing.T, p *tape) {
			synctest.Test(t, func(*testing.T) {
				b := record.NewBroadcaster()
				b.StartRecordingToSink(&sink{p: p, fail: fail})
				f(p, b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "c", Host: "h"}))
				time.Sleep(10 * time.Minute)
				b.Shutdown()
			})
		})
	}
	object := newPod("a", 1)
	bubble("events", nil, func(_ *tape, r record.EventRecorder) {
		r.Event(object, corev1.EventTypeNormal, "Reason", "text")
		r.Eventf(object, corev1.EventTypeWarning, "Reason", "text %d", 5)
		r.AnnotatedEventf(object, map[string]string{"x": "y"}, corev1.EventTypeNormal, "Reason", "annotated")
		r.Event(object, "Unknown", "Reason", "text")
		r.Event(&corev1.ObjectReference{Name: "ref", Namespace: "n", Kind: "Pod"}, corev1.EventTypeNormal, "Reason", "text")
		r.Event(&unknownKind{}, corev1.EventTypeNormal, "Reason", "text")
		r.Event(nil, corev1.EventTypeNormal, "Reason", "text")
		r.Event(object, corev1.EventTypeNormal, "", "")
	})
	bubble("spam", nil, func(_ *tape, r record.EventRecorder) {
		for i := range 40 {
			r.Eventf(object, corev1.EventTypeNormal, "Spam", "text %d", i)
			time.Sleep(time.Second)
		}
		for range 5 {
			r.Event(object, corev1.EventTypeNormal, "Same", "same")
			time.Sleep(10 * time.Minute)
		}
	})
	for name, err := range map[string]error{
		"forbidden":      forbidden("create"),
		"missing":        missing,
		"unavailable":    apierrors.NewServiceUnavailable("later"),
		"refused":        refused,
		"plain":          errors.New("plain"),
		"namespace ends": &apierrors.StatusError{ErrStatus: metav1.Status{Reason: metav1.StatusReasonForbidden, Code: http.StatusForbidden, Message: "terminating", Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}}}},
	} {
		bubble("sink "+name, func(n int) error {
			if n < 20 {
				return err
			}
			return nil
		}, func(_ *tape, r record.EventRecorder) {
			r.Event(object, corev1.EventTypeNormal, "Reason", "text")
		})
	}
	run(t, "fake", func(_ *testing.T, p *tape) {
		f := record.NewFakeRecorder(10)
		f.Event(object, "Normal", "Reason", "text")
		f.Eventf(object, "Warning", "Reason", "text %d", 5)
		f.AnnotatedEventf(object, map[string]string{"x": "y"}, "Normal", "Reason", "annotated")
		f.IncludeObject = true
		f.Event(object, "Normal", "Reason", "text")
		close(f.Events)
		for e := range f.Events {
			p.printf("%s", e)
		}
	})
}

// Features, of which the environment is read once in a process.
func TestFeatures(t *testing.T) {
	run(t, "gates", func(t *testing.T, p *tape) {
		t.Setenv("KUBE_FEATURE_WatchListClient", "false")
		t.Setenv("KUBE_FEATURE_InOrderInformers", "maybe")
		t.Setenv("KUBE_FEATURE_ClientsAllowCBOR", "true")
		for _, f := range []features.Feature{
			features.WatchListClient, features.InOrderInformers, features.ClientsAllowCBOR, features.ClientsPreferCBOR, features.InformerResourceVersion,
		} {
			p.printf("%s %v", f, features.FeatureGates().Enabled(f))
		}
		p.try("unknown", func() { p.printf("%v", features.FeatureGates().Enabled("Nothing")) })
		r := &registry{p}
		p.err("AddFeaturesToExistingFeatureGates", features.AddFeaturesToExistingFeatureGates(r))
		slices.Sort(p.lines)
		_ = os.Unsetenv("KUBE_FEATURE_WatchListClient")
	})
}

type registry struct{ p *tape }

func (r *registry) Add(specs map[features.Feature]features.FeatureSpec) error {
	for name, spec := range specs {
		r.p.printf("spec %s %v %v %s", name, spec.Default, spec.LockToDefault, spec.PreRelease)
	}
	return nil
}
