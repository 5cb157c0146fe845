package rest_test

import (
	"context"
	"errors"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	clock "k8s.io/utils/clock/testing"

	"github.com/listwatch/listwatch/runtime/flowcontrol"
	"github.com/listwatch/listwatch/runtime/rest"
)

func TestURLBackoff(t *testing.T) {
	now := clock.NewFakeClock(time.Unix(0, 0))
	b := &rest.URLBackoff{Backoff: flowcontrol.NewFakeBackOff(time.Second, 5*time.Second, now)}
	one, other := mustParse(t, "http://one/a"), mustParse(t, "http://other/a")
	for i, step := range []struct {
		code int
		err  error
		want time.Duration
	}{
		{200, nil, 0},
		{404, nil, 0},
		{0, errors.New("lost"), 0},
		{429, nil, time.Second},
		{500, nil, 2 * time.Second},
		{599, nil, 4 * time.Second},
		{503, nil, 5 * time.Second},
		{503, nil, 5 * time.Second},
		{499, nil, 0},
		{500, nil, time.Second},
		{0, errors.New("lost"), 0},
	} {
		b.UpdateBackoff(one, step.err, step.code)
		if got := b.CalculateBackoff(mustParse(t, "https://user@one/b?c")); got != step.want {
			t.Errorf("step %d: %v, want %v", i, got, step.want)
		}
		if got := b.CalculateBackoffWithContext(t.Context(), other); got != 0 {
			t.Errorf("step %d: %v for another host", i, got)
		}
	}
	b.Disable()
	b.UpdateBackoffWithContext(t.Context(), one, nil, 500)
	if got := b.CalculateBackoff(one); got != 0 {
		t.Errorf("%v when disabled", got)
	}
}

func TestSleep(t *testing.T) {
	for name, sleeper := range map[string]interface {
		rest.BackoffManager
		rest.BackoffManagerWithContext
	}{
		"NoBackoff":  &rest.NoBackoff{},
		"URLBackoff": &rest.URLBackoff{Backoff: flowcontrol.NewBackOff(time.Second, time.Second)},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				start := time.Now()
				for _, step := range []struct {
					sleep func()
					want  time.Duration // since the start
				}{
					{func() { sleeper.SleepWithContext(ctx, 0) }, 0},
					{func() { sleeper.SleepWithContext(ctx, -time.Second) }, 0},
					{func() { sleeper.SleepWithContext(ctx, 5*time.Second) }, 5 * time.Second},
					{func() { sleeper.SleepWithContext(ctx, time.Hour) }, time.Minute},
					{func() { sleeper.Sleep(time.Second) }, time.Minute + time.Second},
				} {
					step.sleep()
					if got := time.Since(start); got != step.want {
						t.Errorf("slept until %v, want %v", got, step.want)
					}
				}
			})
		})
	}
}

func TestNoBackoff(t *testing.T) {
	b := &rest.NoBackoff{}
	u := mustParse(t, "http://host")
	b.UpdateBackoff(u, nil, 500)
	if b.CalculateBackoff(u) != 0 {
		t.Error("it waits")
	}
}

// oldBackoff takes no context.
type oldBackoff struct{ got *calls }

func (b oldBackoff) UpdateBackoff(u *url.URL, err error, code int) {
	b.got.UpdateBackoffWithContext(context.Background(), u, err, code)
}

func (b oldBackoff) CalculateBackoff(u *url.URL) time.Duration {
	return b.got.CalculateBackoffWithContext(context.Background(), u)
}

func (b oldBackoff) Sleep(d time.Duration) { b.got.SleepWithContext(context.Background(), d) }

func TestBackoffOfRequest(t *testing.T) {
	s := serve(t, answerJSON(gadgetJSON))
	c := &calls{}
	if err := s.client(t).Get().BackOff(oldBackoff{c}).Do(t.Context()).Error(); err != nil {
		t.Fatal(err)
	}
	if len(c.got) != 3 || c.got[0] != "calculate" || c.got[1] != "sleep 0s" || c.got[2] != "update 200 false" {
		t.Errorf("got %q", c.got)
	}
	for _, r := range []*rest.Request{s.client(t).Get().BackOff(nil), s.client(t).Get().BackOffWithContext(nil)} {
		if err := r.Do(t.Context()).Error(); err != nil {
			t.Error(err)
		}
	}
}

func TestBackoffFromEnvironment(t *testing.T) {
	for _, test := range []struct {
		name, base, duration string
		waits                bool
	}{
		{"not set", "", "", false},
		{"base alone", "1", "", false},
		{"duration alone", "", "1", false},
		{"not numbers", "1s", "2s", false},
		{"zero", "0", "0", false},
		{"set", "3600", "7200", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("KUBE_CLIENT_BACKOFF_BASE", test.base)
			t.Setenv("KUBE_CLIENT_BACKOFF_DURATION", test.duration)
			s := serve(t, busy(429, "0"), answerJSON(gadgetJSON))
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			r := s.client(t).Get()
			if test.waits { // an hour, unless the context ends
				ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
				defer cancel()
			}
			if err := r.Do(ctx).Error(); (err != nil) != test.waits {
				t.Errorf("error is %v", err)
			}
		})
	}
}
