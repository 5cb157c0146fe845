package rest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/util/net"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/internal/secret"
)

// IsRetryableErrorFunc reports whether a request that failed with err may be retried.
type IsRetryableErrorFunc func(request *http.Request, err error) bool

// IsErrorRetryable calls the function.
func (r IsRetryableErrorFunc) IsErrorRetryable(request *http.Request, err error) bool {
	return r(request, err)
}

// neverRetry leaves errors to the caller.
func neverRetry(*http.Request, error) bool { return false }

// lostGet retries requests that modify nothing when the connection was lost.
func lostGet(request *http.Request, err error) bool {
	return request.Method == http.MethodGet &&
		(net.IsConnectionReset(err) || net.IsProbableEOF(err) || net.IsHTTP2ConnectionLost(err))
}

// lostWatch retries watches, which resume where they were, when the connection was lost.
func lostWatch(_ *http.Request, err error) bool {
	return net.IsProbableEOF(err) || net.IsTimeout(err)
}

// withoutRetryAfterKey is the key of a context's value that disables waiting for Retry-After.
type withoutRetryAfterKey struct{}

// WithoutRetryAfter returns a context for requests that are not retried when the server requests it with
// Retry-After: they fail immediately, apimachinery's errors.SuggestsClientDelay returns the delay of the error, and
// the caller waits. Requests whose connection is lost are still retried.
func WithoutRetryAfter(ctx context.Context) context.Context {
	return context.WithValue(ctx, withoutRetryAfterKey{}, true)
}

// retries decides whether and when a request is retried.
type retries struct {
	retryable IsRetryableErrorFunc

	made int         // attempts that were considered for a retry
	next *repetition // the next or last attempt; nil for the first

	// The errors of the last attempt, and of the last earlier one that had an error.
	current, previous error
}

// repetition is an attempt after the first.
type repetition struct {
	attempt int           // number of earlier attempts
	wait    time.Duration // before the attempt, without jitter
	asked   string        // the server's request to wait, for errors
	reason  string
}

// repeating reports whether the attempt is a retry.
func (t *retries) repeating() bool { return t.next != nil }

func (t *retries) remember(err error) {
	if t.current != nil {
		t.previous = t.current
	}
	t.current = err
}

// before waits until the next attempt may be made.
func (s *sender) before(ctx context.Context) error {
	r := s.request
	if err := ctx.Err(); err != nil {
		s.remember(err)
		return s.wrap(err)
	}
	delay := r.backoff.CalculateBackoffWithContext(ctx, s.url)
	if !s.repeating() {
		r.backoff.SleepWithContext(ctx, delay)
		return nil
	}
	r.backoff.SleepWithContext(ctx, max(delay, jittered(s.next.wait)))
	if err := ctx.Err(); err != nil {
		s.remember(err)
		return s.wrap(fmt.Errorf("%w while waiting %v to retry the request%s", err, max(delay, s.next.wait), s.next.asked))
	}
	if err := r.throttle(ctx, s.next.reason); err != nil {
		s.remember(err)
		return err
	}
	if logger := klog.FromContext(ctx).V(4); logger.Enabled() {
		logger.Info("Got a Retry-After response", "delay", s.next.wait, "attempt", s.next.attempt, "url", secret.URL(s.url))
	}
	return nil
}

// wrap returns err with the request.
func (s *sender) wrap(err error) error {
	return requestRef{method: s.request.method(), url: s.url}.wrap(err)
}

// again reports whether the request is retried after an attempt that ended with a response or an error.
func (s *sender) again(req *http.Request, resp *http.Response, err error) bool {
	defer s.remember(err)
	if s.request.body != nil {
		return false // it cannot be read again
	}
	if req.Context().Err() != nil {
		return false // the caller no longer waits
	}
	s.made++
	if s.made > s.request.maxRetries {
		return false
	}
	var asked time.Duration
	why, how := "", ""
	if err != nil {
		if !s.retryable.IsErrorRetryable(req, err) {
			return false
		}
		asked, why = time.Second, fmt.Sprintf("due to retryable error, error: %v", err)
	} else {
		var ok bool
		if asked, ok = waitAsked(resp); !ok || req.Context().Value(withoutRetryAfterKey{}) != nil {
			return false
		}
		why = strconv.Itoa(resp.StatusCode)
		how = fmt.Sprintf(" (the server requested %v with status code %d)", asked, resp.StatusCode)
		if resp.StatusCode == http.StatusTooManyRequests {
			// Priority and fairness reports which of its rules applied.
			why = fmt.Sprintf("due to server-side throttling, FlowSchema UID: %q", resp.Header.Get("X-Kubernetes-PF-FlowSchema-UID"))
		}
	}
	s.next = &repetition{
		attempt: s.made,
		asked:   how,
		wait:    waitBefore(s.made, asked),
		reason:  fmt.Sprintf("retries: %d, retry-after: %ds - retry-reason: %s", s.made, inSeconds(asked), why),
	}
	return true
}

// withPrevious returns err together with the error of an earlier attempt, if that differs: after several
// attempts, the last error is often only a timeout.
func (t *retries) withPrevious(err error) error {
	if err == nil || t.previous == nil || err.Error() == t.previous.Error() {
		return err
	}
	previous := t.previous
	// The URL is the same in both.
	if urlErr := (*url.Error)(nil); errors.As(previous, &urlErr) && urlErr.Err != nil {
		previous = urlErr.Err
	}
	return &previousError{err, previous}
}
