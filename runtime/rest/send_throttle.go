package rest

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/internal/secret"
	"github.com/listwatch/listwatch/runtime/metrics"
)

const (
	longThrottle     = 50 * time.Millisecond // longer waits are logged
	veryLongThrottle = time.Second           // longer waits are also logged without verbosity, at intervals
)

// throttle waits for the rate limiter. reason is why the request is retried, or empty.
func (r *Request) throttle(ctx context.Context, reason string) error {
	if r.rateLimiter == nil {
		return nil
	}
	start := time.Now()
	err := r.rateLimiter.Wait(ctx)
	waited := time.Since(start)
	if err != nil && !isContextError(err) {
		err = fmt.Errorf("client rate limiter Wait returned an error: %w", err)
	}
	if waited > longThrottle {
		r.logThrottle(klog.FromContext(ctx), reason, waited)
	}
	if metrics.IsSet(metrics.RateLimiterLatency) {
		metrics.RateLimiterLatency.Observe(ctx, r.verb, r.urlTemplate(), waited)
	}
	return err
}

func (r *Request) logThrottle(logger klog.Logger, reason string, waited time.Duration) {
	if reason == "" {
		reason = "client-side throttling, not priority and fairness"
	}
	log := func(logger klog.Logger) {
		if logger.Enabled() {
			logger.Info("Waited before sending request", "delay", waited, "reason", reason, "verb", r.verb, "URL", secret.URL(r.URL()))
		}
	}
	log(logger.V(3))
	if waited <= veryLongThrottle {
		return
	}
	if v := logger.V(2); v.Enabled() {
		if verboseThrottles.allow(time.Now()) {
			log(v)
		}
	} else if quietThrottles.allow(time.Now()) {
		log(logger)
	}
}

// Very long waits are logged at most this often by all requests together.
var (
	verboseThrottles = seldom{every: time.Second}
	quietThrottles   = seldom{every: 10 * time.Second}
)

// seldom allows an action at intervals.
type seldom struct {
	every time.Duration
	last  atomic.Pointer[time.Time] // when the action was last allowed
}

func (s *seldom) allow(now time.Time) bool {
	last := s.last.Load()
	if last != nil && now.Sub(*last) < s.every {
		return false
	}
	return s.last.CompareAndSwap(last, &now)
}
