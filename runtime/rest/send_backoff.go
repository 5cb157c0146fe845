package rest

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"

	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/flowcontrol"
)

// BackoffManager decides how long to wait before a request is sent.
//
// Deprecated: use [BackoffManagerWithContext], whose waits end with the context.
type BackoffManager interface {
	UpdateBackoff(actualURL *url.URL, err error, responseCode int)
	CalculateBackoff(actualURL *url.URL) time.Duration
	Sleep(d time.Duration)
}

// BackoffManagerWithContext decides how long to wait before a request is sent. It must not modify the URLs.
type BackoffManagerWithContext interface {
	// UpdateBackoffWithContext is called after each attempt with its error or status code.
	UpdateBackoffWithContext(ctx context.Context, actualURL *url.URL, err error, responseCode int)
	// CalculateBackoffWithContext returns how long to wait before the next attempt.
	CalculateBackoffWithContext(ctx context.Context, actualURL *url.URL) time.Duration
	// SleepWithContext waits for a time, or until the context is done.
	SleepWithContext(ctx context.Context, d time.Duration)
}

var (
	_ BackoffManager            = (*NoBackoff)(nil)
	_ BackoffManagerWithContext = (*NoBackoff)(nil)
	_ BackoffManager            = (*URLBackoff)(nil)
	_ BackoffManagerWithContext = (*URLBackoff)(nil)
	_ BackoffManagerWithContext = backoffWithoutContext{}

	noBackoff = &NoBackoff{}
)

// NoBackoff waits only if the server requests it. It is the default.
type NoBackoff struct{}

// UpdateBackoff does nothing.
func (n *NoBackoff) UpdateBackoff(*url.URL, error, int) {}

// UpdateBackoffWithContext does nothing.
func (n *NoBackoff) UpdateBackoffWithContext(context.Context, *url.URL, error, int) {}

// CalculateBackoff returns 0.
func (n *NoBackoff) CalculateBackoff(*url.URL) time.Duration { return 0 }

// CalculateBackoffWithContext returns 0.
func (n *NoBackoff) CalculateBackoffWithContext(context.Context, *url.URL) time.Duration { return 0 }

// Sleep sleeps.
func (n *NoBackoff) Sleep(d time.Duration) { time.Sleep(d) }

// SleepWithContext sleeps until the time is over or the context is done.
func (n *NoBackoff) SleepWithContext(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// URLBackoff waits longer each time a server reports overload with status 429 or 5xx.
type URLBackoff struct {
	// Backoff stores the delays by host.
	Backoff *flowcontrol.Backoff
}

// Disable makes all delays 0.
func (b *URLBackoff) Disable() { b.Backoff = flowcontrol.NewBackOff(0, 0) }

// UpdateBackoff records the error or status code of an attempt.
func (b *URLBackoff) UpdateBackoff(actualURL *url.URL, err error, responseCode int) {
	b.UpdateBackoffWithContext(context.Background(), actualURL, err, responseCode)
}

// UpdateBackoffWithContext records the error or status code of an attempt.
func (b *URLBackoff) UpdateBackoffWithContext(ctx context.Context, actualURL *url.URL, err error, responseCode int) {
	if responseCode == http.StatusTooManyRequests || responseCode >= http.StatusInternalServerError {
		b.Backoff.Next(actualURL.Host, b.Backoff.Clock.Now())
		return
	}
	if err != nil || responseCode >= http.StatusMultipleChoices {
		klog.FromContext(ctx).V(4).Info("Client is returning errors", "code", responseCode, "err", err)
	}
	b.Backoff.Reset(actualURL.Host)
}

// CalculateBackoff returns the delay of the URL's host.
func (b *URLBackoff) CalculateBackoff(actualURL *url.URL) time.Duration {
	return b.Backoff.Get(actualURL.Host)
}

// CalculateBackoffWithContext returns the delay of the URL's host.
func (b *URLBackoff) CalculateBackoffWithContext(_ context.Context, actualURL *url.URL) time.Duration {
	return b.CalculateBackoff(actualURL)
}

// Sleep sleeps by the clock of the Backoff.
func (b *URLBackoff) Sleep(d time.Duration) { b.Backoff.Clock.Sleep(d) }

// SleepWithContext sleeps by the clock of the Backoff until the time is over or the context is done.
func (b *URLBackoff) SleepWithContext(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	timer := b.Backoff.Clock.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C():
	}
}

// backoffWithoutContext adapts a manager whose waits do not end with the context.
type backoffWithoutContext struct {
	BackoffManager
}

func (b backoffWithoutContext) UpdateBackoffWithContext(_ context.Context, actualURL *url.URL, err error, responseCode int) {
	b.UpdateBackoff(actualURL, err, responseCode)
}

func (b backoffWithoutContext) CalculateBackoffWithContext(_ context.Context, actualURL *url.URL) time.Duration {
	return b.CalculateBackoff(actualURL)
}

func (b backoffWithoutContext) SleepWithContext(_ context.Context, d time.Duration) { b.Sleep(d) }

// backoffFromEnvironment returns a function that creates the manager of a request: a [URLBackoff] with the
// delays in KUBE_CLIENT_BACKOFF_BASE and KUBE_CLIENT_BACKOFF_DURATION, both in whole seconds, or nil if one of
// them is not set.
func backoffFromEnvironment() func() BackoffManagerWithContext {
	initial, err := seconds("KUBE_CLIENT_BACKOFF_BASE")
	if err != nil {
		return nil
	}
	longest, err := seconds("KUBE_CLIENT_BACKOFF_DURATION")
	if err != nil {
		return nil
	}
	return func() BackoffManagerWithContext {
		return &URLBackoff{Backoff: flowcontrol.NewBackOff(initial, longest)}
	}
}

func seconds(variable string) (time.Duration, error) {
	n, err := strconv.ParseInt(os.Getenv(variable), 10, 64)
	return time.Duration(n) * time.Second, err
}
