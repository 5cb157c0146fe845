package leaderelection_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr/funcr"
	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/kubernetes/leaderelection"
	"github.com/listwatch/listwatch/kubernetes/leaderelection/resourcelock"
)

// start is when bubbles of synctest begin.
var start = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// participant is an elector in a test, and a log of its callbacks.
type participant struct {
	*leaderelection.LeaderElector
	lock *lock
	stop context.CancelFunc
	done chan struct{} // closed when Run has returned

	mu     sync.Mutex // guards the fields below
	log    []string
	errors []string // that were logged
}

func (p *participant) add(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.log = append(p.log, text)
}

// join runs an elector until the test ends, with a lease of 15, a deadline of 10, and a period of 2 seconds.
func join(t *testing.T, on *server, identity string, options ...func(*leaderelection.LeaderElectionConfig, *lock)) *participant {
	t.Helper()
	p := &participant{lock: &lock{on: on, identity: identity}, done: make(chan struct{})}
	config := leaderelection.LeaderElectionConfig{
		Lock: p.lock, Name: "test",
		LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				p.add("started")
				<-ctx.Done()
				p.add("ended")
			},
			OnStoppedLeading: func() { p.add("stopped") },
			OnNewLeader:      func(leader string) { p.add("leader " + leader) },
		},
		Random: func() float64 { return 0 },
	}
	for _, option := range options {
		option(&config, p.lock)
	}
	var err error
	if p.LeaderElector, err = leaderelection.NewLeaderElector(config); err != nil {
		t.Fatal(err)
	}
	logged := funcr.New(func(_, args string) {
		if strings.Contains(args, `"error"=`) || strings.Contains(args, "context canceled") {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.errors = append(p.errors, args)
		}
	}, funcr.Options{})
	ctx, cancel := context.WithCancel(klog.NewContext(t.Context(), logged))
	p.stop = cancel
	go func() {
		defer close(p.done)
		p.Run(ctx)
	}()
	t.Cleanup(func() { p.stop(); <-p.done })
	synctest.Wait()
	return p
}

// hasLog checks the log of callbacks, in any order, and clears it.
func (p *participant) hasLog(t *testing.T, want ...string) {
	t.Helper()
	synctest.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	slices.Sort(want)
	slices.Sort(p.log)
	if diff := cmp.Diff(want, p.log); diff != "" {
		t.Errorf("%s after %s: log, -want +got:\n%s", p.lock.identity, time.Since(start), diff)
	}
	p.log = nil
}

// leads checks whether the elector leads.
func (p *participant) leads(t *testing.T, want bool) {
	t.Helper()
	synctest.Wait()
	if p.IsLeader() != want {
		t.Errorf("%s after %s: IsLeader is %v", p.lock.identity, time.Since(start), !want)
	}
}

// cut lets all requests of a lock hang, from now on, until their contexts are done.
func (l *lock) cut() {
	l.setSend(func(ctx context.Context, _ func()) error { <-ctx.Done(); return ctx.Err() })
}

func record(holder string, duration, transitions int) resourcelock.LeaderElectionRecord {
	return resourcelock.LeaderElectionRecord{
		HolderIdentity: holder, LeaseDurationSeconds: duration, LeaderTransitions: transitions,
		AcquireTime: metav1.NewTime(start), RenewTime: metav1.NewTime(start),
	}
}

// A leader that is stopped does not log that its context was canceled.
func TestStopLogsNoError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := join(t, &server{}, "a")
		a.leads(t, true)
		a.stop()
		<-a.done
		if len(a.errors) > 0 {
			t.Errorf("logged %q", a.errors)
		}
	})
}

// What a candidate does with the record that it finds.
func TestAcquire(t *testing.T) {
	for name, c := range map[string]struct {
		record *resourcelock.LeaderElectionRecord // nil if there is none
		after  time.Duration                      // until it leads
		term   int
	}{
		"no record":                    {nil, 0, 0},
		"empty record":                 {&resourcelock.LeaderElectionRecord{}, 0, 1},
		"released":                     {ptr(record("", 1, 7)), 0, 8},
		"held":                         {ptr(record("other", 15, 3)), 15 * time.Second, 4},
		"held, for less":               {ptr(record("other", 5, 3)), 5 * time.Second, 4},
		"held, without duration":       {ptr(record("other", 0, 3)), 0, 4},
		"its own, of a former process": {ptr(record("me", 15, 3)), 0, 4},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{record: c.record}
				me := join(t, s, "me")
				if c.after > 0 {
					time.Sleep(c.after - 1)
					me.leads(t, false)
					time.Sleep(time.Nanosecond)
				}
				me.leads(t, true)
				first := s.all()[0].record
				want := record("me", 15, c.term)
				want.AcquireTime, want.RenewTime = metav1.Now(), metav1.Now()
				if diff := cmp.Diff(want, first); diff != "" {
					t.Errorf("record, -want +got:\n%s", diff)
				}
			})
		})
	}
}

func ptr[T any](v T) *T { return &v }

// A candidate that sees renewals does not acquire the lease, and acquires it when there are none.
func TestTakeover(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		a := join(t, s, "a")
		b := join(t, s, "b")
		time.Sleep(time.Hour + time.Second) // a second after a renewal
		a.leads(t, true)
		a.hasLog(t, "leader a", "started")
		b.hasLog(t, "leader a")
		a.lock.cut()
		time.Sleep(9*time.Second - 1)
		a.leads(t, true)
		time.Sleep(time.Nanosecond)
		a.leads(t, false)
		a.hasLog(t, "ended", "stopped")
		b.hasLog(t)
		time.Sleep(7 * time.Second) // b saw that renewal up to two seconds later
		b.leads(t, true)
		b.hasLog(t, "leader b", "started")
		if got := b.GetLeader(); got != "b" {
			t.Errorf("leader is %q", got)
		}
		if diff := cmp.Diff([]string{"a", "b"}, s.holders()); diff != "" {
			t.Errorf("holders, -want +got:\n%s", diff)
		}
		if diff := cmp.Diff([]string{"became leader", "stopped leading"}, a.lock.events); diff != "" {
			t.Errorf("events, -want +got:\n%s", diff)
		}
	})
}

// Renewals come every RetryPeriod, however long a request takes.
func TestRenewals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		join(t, s, "a", func(_ *leaderelection.LeaderElectionConfig, l *lock) {
			l.setSend(func(_ context.Context, request func()) error {
				request()
				time.Sleep(1500 * time.Millisecond)
				return nil
			})
		})
		time.Sleep(time.Minute)
		for i, w := range s.all()[2:] {
			if pause := w.at.Sub(s.all()[i+1].at); pause != 2*time.Second {
				t.Errorf("write %d is %s after the one before", i+2, pause)
			}
		}
		if len(s.all()) < 28 {
			t.Errorf("%d writes in a minute", len(s.all()))
		}
	})
}

// A leader gives up RenewDeadline after it sent its last successful renewal: what it does until then depends on
// the failure, but not when.
func TestDeadline(t *testing.T) {
	for name, send := range map[string]func(context.Context, func()) error{
		"hanging":           func(ctx context.Context, _ func()) error { <-ctx.Done(); return ctx.Err() },
		"failing":           func(context.Context, func()) error { return errors.New("internal error") },
		"ignoring contexts": func(context.Context, func()) error { time.Sleep(time.Hour); return errors.New("late") },
		"slow": func(ctx context.Context, request func()) error {
			request()
			select {
			case <-time.After(time.Hour):
			case <-ctx.Done():
			}
			return ctx.Err()
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := join(t, &server{}, "a")
				time.Sleep(21 * time.Second) // a second after a renewal
				a.lock.setSend(send)
				a.hasLog(t, "leader a", "started")
				time.Sleep(9*time.Second - 1)
				a.leads(t, true)
				a.hasLog(t)
				time.Sleep(time.Nanosecond)
				a.leads(t, false)
				synctest.Wait()
				a.mu.Lock()
				defer a.mu.Unlock()
				if !slices.Contains(a.log, "ended") {
					t.Errorf("log is %q", a.log)
				}
			})
		})
	}
}

// A leader that fails now and then goes on leading.
func TestRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		n := 0
		a := join(t, s, "a", func(_ *leaderelection.LeaderElectionConfig, l *lock) {
			l.setSend(func(_ context.Context, request func()) error {
				n++
				if n%8 < 6 && n > 8 {
					return errors.New("internal error")
				}
				request()
				return nil
			})
		})
		time.Sleep(time.Hour)
		a.leads(t, true)
		a.hasLog(t, "leader a", "started")
	})
}

// That another replica creates the lease first is no error to log; a server that fails is one.
func TestLogs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		requests := 0
		b := join(t, s, "b", func(_ *leaderelection.LeaderElectionConfig, l *lock) {
			l.setSend(func(_ context.Context, request func()) error {
				switch requests++; requests {
				case 2: // the creation
					_, _ = s.create(record("a", 15, 0))
				case 3:
					return errors.New("internal error")
				}
				request()
				return nil
			})
		})
		time.Sleep(time.Minute)
		b.leads(t, true)
		b.mu.Lock()
		defer b.mu.Unlock()
		if len(b.errors) != 1 || !strings.Contains(b.errors[0], "internal error") {
			t.Errorf("logged %q", b.errors)
		}
	})
}

// A renewal whose response is lost was a success.
func TestLostResponse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		a := join(t, s, "a")
		a.lock.setSend(func(_ context.Context, request func()) error {
			a.lock.setSend(nil)
			request()
			return errors.New("connection reset")
		})
		time.Sleep(time.Minute)
		a.leads(t, true)
		if got := s.last().LeaderTransitions; got != 0 {
			t.Errorf("term is %d", got)
		}
	})
}

// A leader that finds another record stops at once, and does not release the lease.
func TestLost(t *testing.T) {
	for name, found := range map[string]resourcelock.LeaderElectionRecord{
		"another holder":          record("b", 15, 1),
		"released by another":     record("", 1, 0),
		"another term of its own": record("a", 15, 1),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{}
				a := join(t, s, "a", func(c *leaderelection.LeaderElectionConfig, _ *lock) { c.ReleaseOnCancel = true })
				time.Sleep(5 * time.Second)
				s.mu.Lock()
				s.set("update", found)
				s.mu.Unlock()
				time.Sleep(time.Second)
				synctest.Wait()
				<-a.done
				a.leads(t, false)
				if last := s.all()[len(s.all())-1].record; last != found {
					t.Errorf("record is %+v", last)
				}
				a.mu.Lock()
				defer a.mu.Unlock()
				if !slices.Contains(a.log, "stopped") || !slices.Contains(a.log, "ended") {
					t.Errorf("log is %q", a.log)
				}
			})
		})
	}
}

// The others wait for a lease that was deleted, and the leader creates it again in the same term.
func TestDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{record: ptr(record("gone", 1, 4))}
		a := join(t, s, "a")
		time.Sleep(2 * time.Second)
		a.leads(t, true)
		b := join(t, s, "b")
		time.Sleep(time.Second)
		s.delete()
		time.Sleep(time.Minute)
		a.leads(t, true)
		b.leads(t, false)
		if got := s.last().LeaderTransitions; got != 5 {
			t.Errorf("term is %d, want 5", got)
		}
		a.lock.cut()
		time.Sleep(time.Second)
		s.delete()
		time.Sleep(time.Minute)
		b.leads(t, true)
		if got := s.last().LeaderTransitions; got != 6 {
			t.Errorf("term is %d, want 6", got)
		}
	})
}

// A wall clock that is set has no effect, except that RenewTime grows.
func TestJumps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		clocks := map[string]*skewed{"a": newSkewed(1), "b": newSkewed(1)}
		with := func(c *leaderelection.LeaderElectionConfig, l *lock) { c.Clock = clocks[l.identity] }
		a, b := join(t, s, "a", with), join(t, s, "b", with)
		for _, jump := range []time.Duration{time.Hour, -time.Hour, -1000 * time.Hour, 15 * time.Second, -15 * time.Second, -2 * time.Second} {
			for _, c := range clocks {
				c.jump(jump)
				time.Sleep(20 * time.Second)
			}
			for range 10 { // a clock that stands still
				time.Sleep(2 * time.Second)
				synctest.Wait() // the clock is set back after the renewal
				clocks["a"].jump(-2 * time.Second)
			}
		}
		a.leads(t, true)
		a.hasLog(t, "leader a", "started")
		b.hasLog(t, "leader a")
		if diff := cmp.Diff([]string{"a"}, s.holders()); diff != "" {
			t.Errorf("holders, -want +got:\n%s", diff)
		}
		last := metav1.Time{}
		for i, w := range s.all() {
			if !w.record.RenewTime.After(last.Time) {
				t.Errorf("write %d has the time %s after %s", i, w.record.RenewTime, last)
			}
			last = w.record.RenewTime
		}
	})
}

// A lease that cannot be released, because each write conflicts, is left to expire at RenewDeadline, after few requests, even if
// the lock ignores its context.
func TestReleaseInVain(t *testing.T) {
	for _, ignores := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := &server{}
			a := join(t, s, "a", func(c *leaderelection.LeaderElectionConfig, _ *lock) { c.ReleaseOnCancel = true })
			time.Sleep(time.Second)
			requests := 0
			a.lock.setSend(func(ctx context.Context, request func()) error {
				time.Sleep(time.Millisecond)
				if requests++; requests > 1000 {
					time.Sleep(time.Hour) // so that the test ends
				}
				s.mu.Lock()
				s.version++ // another one writes in between
				s.mu.Unlock()
				request()
				if ignores {
					return nil
				}
				return ctx.Err()
			})
			stopped := time.Now()
			a.stop()
			<-a.done
			if took := time.Since(stopped); took < 10*time.Second || took > 12*time.Second || requests > 100 {
				t.Errorf("lock ignores its context: %v: Run returned after %s and %d requests", ignores, took, requests)
			}
			if s.last().HolderIdentity != "a" {
				t.Errorf("record is %+v", s.last())
			}
		})
	}
}

func TestReleaseOnCancel(t *testing.T) {
	release := func(c *leaderelection.LeaderElectionConfig, _ *lock) { c.ReleaseOnCancel = true }
	for name, c := range map[string]struct {
		work     time.Duration // of OnStartedLeading after its context is done
		released bool
		returns  time.Duration // until Run returns
	}{
		"work that ends at once":     {0, true, 0},
		"work that ends in time":     {5 * time.Second, true, 5 * time.Second},
		"work that goes on for long": {time.Hour, false, 9 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{}
				a := join(t, s, "a", release, func(config *leaderelection.LeaderElectionConfig, _ *lock) {
					config.Callbacks.OnStartedLeading = func(ctx context.Context) {
						<-ctx.Done()
						time.Sleep(c.work)
					}
				})
				time.Sleep(11 * time.Second)
				stopped := time.Now()
				a.stop()
				<-a.done
				if got := time.Since(stopped); got != c.returns {
					t.Errorf("Run returned after %s, want %s", got, c.returns)
				}
				a.leads(t, false)
				if got := s.last().HolderIdentity == ""; got != c.released {
					t.Errorf("released is %v", got)
				}
				if c.released {
					want := record("", 1, 0)
					want.AcquireTime, want.RenewTime = metav1.Now(), metav1.Now()
					if diff := cmp.Diff(want, *s.last()); diff != "" {
						t.Errorf("record, -want +got:\n%s", diff)
					}
				}
				time.Sleep(2 * time.Hour) // until the work ends
			})
		})
	}

	t.Run("off", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := &server{}
			a := join(t, s, "a")
			a.stop()
			<-a.done
			if s.last().HolderIdentity != "a" {
				t.Errorf("record is %+v", s.last())
			}
		})
	})
	t.Run("conflict with a renewal on its way", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := &server{}
			a := join(t, s, "a", release)
			a.lock.setSend(func(ctx context.Context, request func()) error {
				a.lock.setSend(func(ctx context.Context, request func()) error {
					// The release has read the record when the renewal arrives.
					request()
					a.lock.setSend(nil)
					s.mu.Lock()
					defer s.mu.Unlock()
					s.set("update", *s.record)
					return nil
				})
				<-ctx.Done()
				return ctx.Err()
			})
			time.Sleep(2 * time.Second)
			synctest.Wait()
			a.stop()
			<-a.done
			if s.last().HolderIdentity != "" {
				t.Errorf("record is %+v", s.last())
			}
		})
	})
	t.Run("slow response", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := &server{}
			a := join(t, s, "a", release)
			b := join(t, s, "b")
			a.lock.setSend(func(_ context.Context, request func()) error {
				request()
				time.Sleep(5 * time.Second)
				return nil
			})
			a.stop()
			time.Sleep(11 * time.Second)
			b.leads(t, true)
			a.leads(t, false)
		})
	})
	t.Run("without a lease", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := &server{record: ptr(record("other", 15, 0))}
			a := join(t, s, "a", release)
			a.stop()
			<-a.done
			a.hasLog(t, "leader other", "stopped")
			if len(s.all()) > 0 {
				t.Errorf("writes are %v", s.all())
			}
		})
	})
}

func TestCoordinated(t *testing.T) {
	coordinated := func(c *leaderelection.LeaderElectionConfig, _ *lock) { c.Coordinated, c.ReleaseOnCancel = true, true }
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		a := join(t, s, "a", coordinated)
		put := func(r resourcelock.LeaderElectionRecord) {
			s.mu.Lock()
			s.set("controller", r)
			s.mu.Unlock()
			time.Sleep(3 * time.Second)
		}
		time.Sleep(time.Minute)
		a.leads(t, false) // it does not create the lease
		put(record("b", 15, 0))
		time.Sleep(time.Minute)
		a.leads(t, false) // nor takes it
		mine := record("a", 15, 1)
		mine.Strategy = "OldestEmulationVersion"
		put(mine)
		a.leads(t, true)
		if s.last().Strategy != mine.Strategy || s.last().LeaderTransitions != 1 {
			t.Errorf("record is %+v", s.last())
		}
		time.Sleep(time.Minute)
		a.leads(t, true)
		preferred := *s.last()
		preferred.PreferredHolder = "b"
		put(preferred)
		<-a.done
		a.hasLog(t, "leader b", "leader a", "started", "ended", "stopped")
		if s.last().HolderIdentity != "" {
			t.Errorf("record is %+v", s.last())
		}
	})
}

func TestFencingToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{record: ptr(record("", 1, 41))}
		var token int
		var ok bool
		join(t, s, "a", func(c *leaderelection.LeaderElectionConfig, _ *lock) {
			c.Callbacks.OnStartedLeading = func(ctx context.Context) { token, ok = leaderelection.FencingToken(ctx) }
		})
		synctest.Wait()
		if token != 42 || !ok {
			t.Errorf("token is %d, %v", token, ok)
		}
	})
	if token, ok := leaderelection.FencingToken(t.Context()); ok {
		t.Errorf("token of any context is %d", token)
	}
}

// The health check fails for a leader whose process goes on after its lease.
func TestCheck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		dog := leaderelection.NewLeaderHealthzAdaptor(20 * time.Second)
		if err := dog.Check(nil); err != nil {
			t.Error(err)
		}
		a := join(t, s, "a")
		dog.SetLeaderElection(a.LeaderElector)
		b := join(t, s, "b")
		time.Sleep(time.Hour + time.Second) // a second after a renewal
		a.lock.cut()
		b.lock.cut()
		time.Sleep(33 * time.Second) // 15 of the lease, and 20
		if err := errors.Join(dog.Check(nil), b.Check(0)); err != nil {
			t.Error(err)
		}
		time.Sleep(2 * time.Second)
		if err := dog.Check(nil); err == nil || err.Error() != "failed election to renew leadership on lease test" {
			t.Errorf("error is %v", err)
		}
	})
}

func TestOnNewLeader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{record: ptr(record("x", 15, 0))}
		var seen []string
		join(t, s, "a", func(c *leaderelection.LeaderElectionConfig, _ *lock) {
			c.Callbacks.OnNewLeader = func(leader string) {
				time.Sleep(3 * time.Second) // slower than the changes
				seen = append(seen, leader)
			}
		})
		for i, holder := range []string{"y", "y", "z"} {
			time.Sleep(2 * time.Second)
			s.mu.Lock()
			s.set("update", record(holder, 15, i+1))
			s.mu.Unlock()
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if diff := cmp.Diff([]string{"x", "y", "z", "a"}, seen); diff != "" {
			t.Errorf("leaders, -want +got:\n%s", diff)
		}
	})
}

func TestConfig(t *testing.T) {
	valid := leaderelection.LeaderElectionConfig{
		Lock:          &lock{identity: "a"},
		LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: func(context.Context) {}, OnStoppedLeading: func() {}},
	}
	for want, change := range map[string]func(*leaderelection.LeaderElectionConfig){
		"": func(*leaderelection.LeaderElectionConfig) {},
		"leaseDuration must be greater than renewDeadline":            func(c *leaderelection.LeaderElectionConfig) { c.LeaseDuration = c.RenewDeadline },
		"renewDeadline must be greater than retryPeriod*JitterFactor": func(c *leaderelection.LeaderElectionConfig) { c.RenewDeadline = 2400 * time.Millisecond },
		"retryPeriod must be greater than zero":                       func(c *leaderelection.LeaderElectionConfig) { c.RetryPeriod = 0 },
		"OnStartedLeading callback must not be nil":                   func(c *leaderelection.LeaderElectionConfig) { c.Callbacks.OnStartedLeading = nil },
		"OnStoppedLeading callback must not be nil":                   func(c *leaderelection.LeaderElectionConfig) { c.Callbacks.OnStoppedLeading = nil },
		"Lock must not be nil.":                                       func(c *leaderelection.LeaderElectionConfig) { c.Lock = nil },
		"Lock identity is empty":                                      func(c *leaderelection.LeaderElectionConfig) { c.Lock = &lock{} },
	} {
		config := valid
		change(&config)
		_, err := leaderelection.NewLeaderElector(config)
		if got := errorText(err); got != want {
			t.Errorf("error is %q, want %q", got, want)
		}
		if want != "" {
			func() {
				defer func() {
					if err, _ := recover().(error); !strings.Contains(errorText(err), want) {
						t.Errorf("RunOrDie panics with %v, want %q", err, want)
					}
				}()
				leaderelection.RunOrDie(t.Context(), config)
			}()
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
