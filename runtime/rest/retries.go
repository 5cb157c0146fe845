package rest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/util/net"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/internal/secret"
)

// IsRetryableErrorFunc reports whether a request that failed with err may be sent again.
type IsRetryableErrorFunc func(request *http.Request, err error) bool

// IsErrorRetryable calls the function.
func (r IsRetryableErrorFunc) IsErrorRetryable(request *http.Request, err error) bool {
	return r(request, err)
}

// neverRetry is for requests whose errors are left to the caller.
func neverRetry(*http.Request, error) bool { return false }

// lostGet is for requests that can be repeated where they change nothing, when the connection was lost.
func lostGet(request *http.Request, err error) bool {
	return request.Method == http.MethodGet &&
		(net.IsConnectionReset(err) || net.IsProbableEOF(err) || net.IsHTTP2ConnectionLost(err))
}

// lostWatch is for watches, which go on where they were when the connection was lost.
func lostWatch(_ *http.Request, err error) bool {
	return net.IsProbableEOF(err) || net.IsTimeout(err)
}

// leaveKey is that of a context's value which says that the caller heeds Retry-After.
type leaveKey struct{}

// LeaveRetryAfter returns a context for requests that are not sent again where the server asks for it
// (Retry-After): the error says so at once, in the way of apimachinery's errors.SuggestsClientDelay, and it is
// the caller who waits. Where a connection is lost, requests are sent again as ever.
func LeaveRetryAfter(ctx context.Context) context.Context {
	return context.WithValue(ctx, leaveKey{}, true)
}

// retries decides whether a request is sent again, and when.
type retries struct {
	retryable IsRetryableErrorFunc

	made int         // attempts that were considered for repetition
	next *repetition // the attempt to be made or just made; nil for the first

	// The errors of the last attempt and of the last before it that had one.
	current, previous error
}

// repetition is an attempt after the first.
type repetition struct {
	attempt int           // how many were made before
	wait    time.Duration // what the server asks for
	asked   string        // how it asks, if it does
	reason  string
}

// repeating reports whether the attempt is one after the first.
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
		return s.tell(err)
	}
	delay := r.backoff.CalculateBackoffWithContext(ctx, s.url)
	if !s.repeating() {
		r.backoff.SleepWithContext(ctx, delay)
		return nil
	}
	delay = max(delay, s.next.wait)
	r.backoff.SleepWithContext(ctx, delay)
	if err := ctx.Err(); err != nil {
		s.remember(err)
		return s.tell(fmt.Errorf("%w while waiting %v to send the request again%s", err, delay, s.next.asked))
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

// tell returns err with the request.
func (s *sender) tell(err error) error {
	return origin{method: s.request.method(), url: s.url}.tell(err)
}

// again reports whether the request is to be sent again after an attempt that ended with a response or an
// error.
func (s *sender) again(req *http.Request, resp *http.Response, err error) bool {
	defer s.remember(err)
	if s.request.body != nil {
		return false // it cannot be read again
	}
	if req.Context().Err() != nil {
		return false // nobody waits for the answer any more
	}
	s.made++
	if s.made > s.request.maxRetries {
		return false
	}
	seconds, why, how := 0, "", ""
	if err != nil {
		if !s.retryable.IsErrorRetryable(req, err) {
			return false
		}
		seconds, why = 1, fmt.Sprintf("due to retryable error, error: %v", err)
	} else {
		asked, ok := waitAsked(resp)
		if !ok || req.Context().Value(leaveKey{}) != nil {
			return false
		}
		seconds, why = asked, strconv.Itoa(resp.StatusCode)
		how = fmt.Sprintf(", as the server asked with status code %d", resp.StatusCode)
		if resp.StatusCode == http.StatusTooManyRequests {
			// Priority and fairness says by which of its rules.
			why = fmt.Sprintf("due to server-side throttling, FlowSchema UID: %q", resp.Header.Get("X-Kubernetes-PF-FlowSchema-UID"))
		}
	}
	s.next = &repetition{
		attempt: s.made,
		asked:   how,
		wait:    time.Duration(min(max(int64(seconds), 0), math.MaxInt64/int64(time.Second))) * time.Second,
		reason:  fmt.Sprintf("retries: %d, retry-after: %ds - retry-reason: %s", s.made, seconds, why),
	}
	return true
}

// waitAsked returns how many seconds the server asks the client to wait before it tries again. false is that
// it does not ask it to.
func waitAsked(resp *http.Response) (int, bool) {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode < http.StatusInternalServerError {
		return 0, false
	}
	return retryAfter(resp.Header)
}

// retryAfter returns the number of seconds in the header Retry-After. false is that there is none; a date is
// not taken for one.
func retryAfter(header http.Header) (int, bool) {
	value := header.Get("Retry-After")
	if value == "" {
		return 0, false
	}
	seconds, err := strconv.Atoi(value)
	if err != nil {
		return 0, false
	}
	return seconds, true
}

// withPrevious returns err together with that of an earlier attempt, where it says something else: after
// several, the last is often only that time is up.
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
