package rest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"sync"
	"time"

	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/internal/secret"
	"github.com/listwatch/listwatch/runtime/metrics"
)

// outcome is the result of the last attempt to send a request: a response or an error.
type outcome struct {
	resp *http.Response // nil if err is not
	err  error
}

// exchange sends the request, with retries, and calls receive with the last response, which is valid until
// receive returns. An error means that sending failed and receive was not called.
func (r *Request) exchange(ctx context.Context, receive func(*http.Response)) error {
	if metrics.IsSet(metrics.RequestLatency) {
		start := time.Now()
		defer func() {
			metrics.RequestLatency.Observe(ctx, r.verb, r.urlTemplate(), time.Since(start))
		}()
	}

	if r.err != nil {
		klog.FromContext(ctx).V(4).Info("Error in request", "err", r.err)
		return r.err
	}
	if err := r.checkNamespace(); err != nil {
		return err
	}
	// The timeout starts when the rate limiter admits the request.
	if err := r.throttle(ctx, ""); err != nil {
		return err
	}
	if r.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.timeout)
		defer cancel()
	}

	s := newSender(r, lostGet)
	s.sized = true
	last, err := s.send(ctx)
	if err != nil {
		return err
	}
	if last.err != nil {
		return s.withPrevious(last.err)
	}
	defer drain(last.resp)
	receive(last.resp)
	return nil
}

// sender sends one request until a response is final. It is used once.
type sender struct {
	request *Request
	url     *url.URL // of the request
	sized   bool     // record the size of the request's body in metrics
	retries
}

func newSender(r *Request, retryable IsRetryableErrorFunc) *sender {
	return &sender{request: r, url: r.URL(), retries: retries{retryable: retryable}}
}

// send returns the outcome of the last attempt, or an error if an attempt could not be made.
func (s *sender) send(ctx context.Context) (outcome, error) {
	client := s.request.c.httpClient()
	for {
		if err := s.before(ctx); err != nil {
			return outcome{}, s.withPrevious(err)
		}
		req, err := s.newHTTPRequest(ctx)
		if err != nil {
			return outcome{}, secret.Error(err)
		}
		resp, err := client.Do(req)
		if err != nil {
			// The response that comes with an error is closed already.
			resp, err = nil, secret.Error(err)
		}
		s.observe(ctx, req, resp)
		s.request.updateBackoff(ctx, s.url, resp, err)
		if !s.again(req, resp, err) {
			return outcome{resp, err}, nil
		}
		if resp != nil {
			drain(resp)
		}
	}
}

func (s *sender) newHTTPRequest(ctx context.Context) (*http.Request, error) {
	r := s.request
	var body io.Reader
	switch {
	case r.body != nil:
		body = r.body
	case r.bodyBytes != nil:
		body = bytes.NewReader(r.bodyBytes) // each attempt reads the body separately
	}
	if metrics.IsSet(metrics.ResolverLatency) {
		ctx = httptrace.WithClientTrace(ctx, traceResolver(ctx))
	}
	req, err := http.NewRequestWithContext(ctx, r.verb, s.url.String(), body)
	if err != nil {
		return nil, err
	}
	req.Header = r.headers
	if codec.LacksManagedFields(ctx) {
		req.Header = withoutManagedFields(r.headers)
	}
	return req, nil
}

// observe records an attempt in metrics.
func (s *sender) observe(ctx context.Context, req *http.Request, resp *http.Response) {
	r := s.request
	// A length of 0 means unknown if there is a body.
	if s.sized && (req.ContentLength > 0 || req.ContentLength == 0 && req.Body == nil) {
		metrics.RequestSize.Observe(ctx, r.verb, s.url.Host, float64(req.ContentLength))
	}
	if !metrics.IsSet(metrics.RequestResult) && !metrics.IsSet(metrics.RequestRetry) {
		return
	}
	// The text of an error is unbounded, which metrics cannot count.
	host, code := "none", "<error>"
	if r.c.base != nil {
		host = r.c.base.Host
	}
	if resp != nil {
		code = strconv.Itoa(resp.StatusCode)
	}
	metrics.RequestResult.Increment(ctx, code, r.verb, host)
	if s.repeating() {
		metrics.RequestRetry.IncrementRetry(ctx, code, r.verb, host)
	}
}

func (r *Request) updateBackoff(ctx context.Context, u *url.URL, resp *http.Response, err error) {
	if r.c.base == nil {
		return
	}
	code := 0
	if resp != nil {
		code = resp.StatusCode
	}
	r.backoff.UpdateBackoffWithContext(ctx, u, err, code)
}

// traceResolver returns a trace that records in metrics how long resolving the host name took.
func traceResolver(ctx context.Context) *httptrace.ClientTrace {
	var (
		mu    sync.Mutex // guards the fields below: several connections may be tried at once
		host  string
		start time.Time
	)
	return &httptrace.ClientTrace{
		DNSStart: func(info httptrace.DNSStartInfo) {
			mu.Lock()
			defer mu.Unlock()
			host, start = info.Host, time.Now()
		},
		DNSDone: func(httptrace.DNSDoneInfo) {
			mu.Lock()
			defer mu.Unlock()
			metrics.ResolverLatency.Observe(ctx, host, time.Since(start))
		},
	}
}

// isContextError reports whether err is the error of a context that is done.
func isContextError(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
