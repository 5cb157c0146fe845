package rest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/flowcontrol"
	"github.com/listwatch/listwatch/runtime/rest"
)

// calls records a request's calls of its dependencies, in order. It does not wait.
type calls struct {
	flowcontrol.RateLimiter
	delay time.Duration // for each attempt
	got   []string
}

func (c *calls) add(format string, args ...any) { c.got = append(c.got, fmt.Sprintf(format, args...)) }

func (c *calls) Wait(context.Context) error {
	c.add("limit")
	return nil
}

func (c *calls) UpdateBackoffWithContext(_ context.Context, _ *url.URL, err error, code int) {
	c.add("update %d %t", code, err != nil)
}

func (c *calls) CalculateBackoffWithContext(context.Context, *url.URL) time.Duration {
	c.add("calculate")
	return c.delay
}

// SleepWithContext records the time without its jitter.
func (c *calls) SleepWithContext(_ context.Context, d time.Duration) {
	for _, known := range []time.Duration{time.Second, 5 * time.Second, time.Minute} {
		if known <= d && d < known*6/5 {
			d = known
		}
	}
	c.add("sleep %v", d)
}

// ways are the ways to send a request.
var ways = map[string]func(context.Context, *rest.Request) error{
	"Do":     func(ctx context.Context, r *rest.Request) error { return r.Do(ctx).Error() },
	"DoInto": func(ctx context.Context, r *rest.Request) error { return r.DoInto(ctx, &Gadget{}) },
	"DoRaw": func(ctx context.Context, r *rest.Request) error {
		_, err := r.DoRaw(ctx)
		return err
	},
	"Stream": func(ctx context.Context, r *rest.Request) error {
		body, err := r.Stream(ctx)
		if err == nil {
			_ = body.Close()
		}
		return err
	},
	"Watch": func(ctx context.Context, r *rest.Request) error {
		w, err := r.Watch(ctx)
		if err == nil {
			w.Stop()
			for range w.ResultChan() { // until it is closed
			}
		}
		return err
	},
}

func TestRetries(t *testing.T) {
	const lost = "lost"
	ok := answerJSON(gadgetJSON)
	for _, test := range []struct {
		name    string
		set     func(*rest.Request) *rest.Request
		answers []http.HandlerFunc
		want    int               // requests
		wantErr func(error) bool  // nil for none
		except  map[string]string // ways with another result: "n" requests, then "lost" or ""
	}{
		{"429", nil, []http.HandlerFunc{busy(429, "1"), ok}, 2, nil, nil},
		{"500", nil, []http.HandlerFunc{busy(500, "1"), busy(599, "0"), ok}, 3, nil, nil},
		{"429 without Retry-After", nil, []http.HandlerFunc{answer(429, "text/plain", ""), ok}, 1, apierrors.IsTooManyRequests, nil},
		{"429 with a date", nil, []http.HandlerFunc{busy(429, "Fri, 31 Dec 1999 23:59:59 GMT"), ok}, 2, nil, nil},
		{"429 with neither", nil, []http.HandlerFunc{busy(429, "soon"), ok}, 1, apierrors.IsTooManyRequests, nil},
		{"404 with Retry-After", nil, []http.HandlerFunc{busy(404, "1"), ok}, 1, apierrors.IsNotFound, nil},
		{"up to 10 times", nil, []http.HandlerFunc{busy(429, "1")}, 11, apierrors.IsTooManyRequests, nil},
		{"up to 2 times", func(r *rest.Request) *rest.Request { return r.MaxRetries(2) }, []http.HandlerFunc{busy(503, "1")}, 3, apierrors.IsServiceUnavailable, nil},
		{"never", func(r *rest.Request) *rest.Request { return r.MaxRetries(0) }, []http.HandlerFunc{busy(429, "1")}, 1, apierrors.IsTooManyRequests, nil},
		{"fewer than never", func(r *rest.Request) *rest.Request { return r.MaxRetries(-1) }, []http.HandlerFunc{busy(429, "1")}, 1, apierrors.IsTooManyRequests, nil},
		{"reader", func(r *rest.Request) *rest.Request { return r.Body(strings.NewReader("once")) }, []http.HandlerFunc{busy(429, "1")}, 1, apierrors.IsTooManyRequests, nil},
		{"body", func(r *rest.Request) *rest.Request { return r.Body([]byte("again")) }, []http.HandlerFunc{busy(429, "1"), ok}, 2, nil, nil},
		{"connection lost", nil, []http.HandlerFunc{hangUp, ok}, 2, nil, map[string]string{"Stream": "1 lost"}},
		{"connection lost for good", func(r *rest.Request) *rest.Request { return r.MaxRetries(3) }, []http.HandlerFunc{hangUp}, 4, isLost, map[string]string{"Stream": "1 lost", "Watch": "4"}},
		{"connection lost in a change", func(r *rest.Request) *rest.Request { return r.Verb("PUT") }, []http.HandlerFunc{hangUp, ok}, 1, isLost, map[string]string{"Watch": "2"}},
	} {
		for way, send := range ways {
			t.Run(test.name+"/"+way, func(t *testing.T) {
				s := serve(t, test.answers...)
				// A connection for each request, so that net/http repeats none itself.
				s.Client().Transport.(*http.Transport).DisableKeepAlives = true
				r := s.client(t).Get().Resource("gadgets").Name("one").BackOffWithContext(&calls{})
				if test.set != nil {
					r = test.set(r)
				}
				want, wantErr := test.want, test.wantErr
				if special, ok := test.except[way]; ok {
					wantErr = nil
					if _, _ = fmt.Sscan(special, &want); strings.HasSuffix(special, lost) {
						wantErr = isLost
					}
				}
				err := send(t.Context(), r)
				if wantErr == nil && err != nil || wantErr != nil && !wantErr(err) {
					t.Errorf("error is %v", err)
				}
				got := s.seen()
				if len(got) != want {
					t.Errorf("%d requests, want %d", len(got), want)
				}
				for _, request := range got {
					if request.body != got[0].body || request.uri != got[0].uri {
						t.Errorf("attempts differ: %v and %v", request, got[0])
					}
				}
			})
		}
	}
}

func isLost(err error) bool {
	var urlErr *url.Error
	return errors.As(err, &urlErr) && strings.Contains(err.Error(), "EOF")
}

func TestLeaveRetryAfter(t *testing.T) {
	for name, send := range ways {
		if name == "DoRaw" {
			continue // apimachinery knows only the code of its errors
		}
		for _, code := range []int{429, 503} {
			server := serve(t, busy(code, "7"))
			c := &calls{}
			err := send(rest.WithoutRetryAfter(t.Context()), server.client(t).Get().Resource("gadgets").BackOffWithContext(c))
			if n := len(server.seen()); n != 1 {
				t.Errorf("%s: %d requests", name, n)
			}
			if seconds, ok := apierrors.SuggestsClientDelay(err); !ok || seconds != 7 {
				t.Errorf("%s, %d: %v", name, code, err)
			}
		}
	}
	server := serve(t, hangUp, answerJSON(gadgetJSON))
	if err := server.client(t).Get().Resource("gadgets").Name("one").BackOffWithContext(&calls{}).DoInto(rest.WithoutRetryAfter(t.Context()), &Gadget{}); err != nil {
		t.Errorf("lost connection: %v", err)
	}
}

func TestOrderOfRetry(t *testing.T) {
	for _, test := range []struct {
		name  string
		delay time.Duration
		sleep string // before the second attempt
	}{
		{"server requests longer", time.Second, "sleep 5s"},
		{"server requests less", time.Minute, "sleep 1m0s"},
	} {
		for way, send := range ways {
			t.Run(test.name+"/"+way, func(t *testing.T) {
				c := &calls{delay: test.delay}
				s := serve(t, func(w http.ResponseWriter, r *http.Request) {
					c.add("request")
					busy(429, "5")(w, r)
				}, func(w http.ResponseWriter, r *http.Request) {
					c.add("request")
					answerJSON(gadgetJSON)(w, r)
				})
				r := s.client(t).Get().Resource("gadgets").BackOffWithContext(c).Throttle(c)
				if err := send(t.Context(), r); err != nil {
					t.Fatal(err)
				}
				want := []string{
					"limit", "calculate", "sleep " + test.delay.String(), "request", "update 429 false",
					"calculate", test.sleep, "limit", "request", "update 200 false",
				}
				if way == "Watch" {
					want = want[1:] // watches are not limited
				}
				if !slices.Equal(c.got, want) {
					t.Errorf("got  %q\nwant %q", c.got, want)
				}
			})
		}
	}
}

func TestWaitAfterLostConnection(t *testing.T) {
	c := &calls{}
	s := serve(t, hangUp, answerJSON(gadgetJSON))
	s.Client().Transport.(*http.Transport).DisableKeepAlives = true
	if err := s.client(t).Get().BackOffWithContext(c).DoInto(t.Context(), &Gadget{}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"calculate", "sleep 0s", "update 0 true", "calculate", "sleep 1s", "update 200 false"}; !slices.Equal(c.got, want) {
		t.Errorf("got  %q\nwant %q", c.got, want)
	}
}

// bodies counts those that were created and not closed.
type bodies struct{ open int }

type countedBody struct {
	io.Reader
	bodies *bodies
	closed bool
}

func (b *countedBody) Close() error {
	if !b.closed {
		b.closed = true
		b.bodies.open--
	}
	return nil
}

func TestBodiesAreClosed(t *testing.T) {
	long := strings.Repeat(" ", 1<<16)
	for name, codes := range map[string][]int{"success": {200}, "repeated": {429, 503, 200}, "error": {404}, "error at last": {429, 500}, "other success": {202}} {
		for _, contentType := range []string{"application/json", "text/html"} {
			for way, send := range ways {
				t.Run(name+"/"+contentType+"/"+way, func(t *testing.T) {
					var all bodies
					n := 0
					c, err := rest.RESTClientForConfigAndClient(&rest.Config{
						Host:          "http://host",
						ContentConfig: rest.ContentConfig{GroupVersion: &gadgets, NegotiatedSerializer: streaming},
					}, &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
						code := codes[n]
						n++
						header := http.Header{"Content-Type": {contentType}}
						if n < len(codes) {
							header.Set("Retry-After", "0")
						}
						all.open++
						body := &countedBody{Reader: strings.NewReader(gadgetJSON + long), bodies: &all}
						return &http.Response{StatusCode: code, Header: header, Body: body, ContentLength: -1, Request: r}, nil
					})})
					if err != nil {
						t.Fatal(err)
					}
					_ = send(t.Context(), c.Get().Resource("gadgets").BackOffWithContext(&calls{})) // some fail
					if all.open != 0 || n != len(codes) {
						t.Errorf("%d of %d bodies are open", all.open, n)
					}
				})
			}
		}
	}
}

func TestRetryEndsWithContext(t *testing.T) {
	for way, send := range ways {
		t.Run(way, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			s := serve(t, busy(429, "3600"))
			r := s.client(t).Get().Resource("gadgets").BackOffWithContext(cancelSleep{&rest.NoBackoff{}, cancel})
			if err := send(ctx, r); !errors.Is(err, context.Canceled) {
				t.Errorf("error is %v", err)
			}
			if n := len(s.seen()); n != 1 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

// cancelSleep cancels a context when a long sleep starts.
type cancelSleep struct {
	*rest.NoBackoff
	cancel func()
}

func (c cancelSleep) SleepWithContext(ctx context.Context, d time.Duration) {
	if d >= time.Minute {
		c.cancel()
	}
	c.NoBackoff.SleepWithContext(ctx, d)
}

func TestContextThatIsDone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for way, send := range ways {
		s := serve(t, answerJSON(gadgetJSON))
		if err := send(ctx, s.client(t).Get()); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", way, err)
		}
		if len(s.seen()) != 0 {
			t.Errorf("%s: the request was sent", way)
		}
	}
}

// The last error is often a timeout: the one before contains the reason.
func TestErrorOfEarlierAttempt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := serve(t, hangUp)
	s.Client().Transport.(*http.Transport).DisableKeepAlives = true
	err := s.client(t).Get().Resource("gadgets").BackOffWithContext(&calls{}).MaxRetries(3).Throttle(cancelOnce{flowcontrol.NewFakeAlwaysRateLimiter(), s, cancel}).
		Do(ctx).Error()
	if !errors.Is(err, context.Canceled) || errors.Unwrap(err) == nil {
		t.Errorf("error is %v", err)
	}
	if !strings.HasSuffix(err.Error(), "context canceled - error from a previous attempt: EOF") {
		t.Errorf("error is %v", err)
	}

	// Equal errors are reported once.
	err = s.client(t).Get().Resource("gadgets").BackOffWithContext(&calls{}).MaxRetries(3).Do(t.Context()).Error()
	if strings.Contains(err.Error(), "previous") {
		t.Errorf("error is %v", err)
	}
}

// cancelOnce cancels a context after a request was sent.
type cancelOnce struct {
	flowcontrol.RateLimiter
	server *server
	cancel func()
}

func (c cancelOnce) Wait(context.Context) error {
	if len(c.server.seen()) > 0 {
		c.cancel()
	}
	return nil
}

func TestRateLimiter(t *testing.T) {
	t.Run("error", func(t *testing.T) {
		s := serve(t, answerJSON(gadgetJSON))
		err := s.client(t).Get().Throttle(flowcontrol.NewFakeNeverRateLimiter()).Do(t.Context()).Error()
		if err == nil || !strings.HasPrefix(err.Error(), "client rate limiter Wait returned an error: ") {
			t.Errorf("error is %v", err)
		}
		if len(s.seen()) != 0 {
			t.Error("the request was sent")
		}
	})
	t.Run("context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		s := serve(t, answerJSON(gadgetJSON))
		limiter := flowcontrol.NewTokenBucketRateLimiter(1, 1)
		if err := s.client(t).Get().Throttle(limiter).Do(ctx).Error(); !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "limiter") {
			t.Errorf("error is %v", err)
		}
	})
	for _, test := range []struct {
		name   string
		config func(*rest.Config)
		qps    float32 // -1 for no limiter
	}{
		{"default", func(*rest.Config) {}, -1},
		{"negative", func(c *rest.Config) { c.QPS = -1 }, -1},
		{"negative, with a burst", func(c *rest.Config) { c.QPS, c.Burst = -1, 7 }, -1},
		{"limiter and burst", func(c *rest.Config) { c.Burst, c.RateLimiter = 7, flowcontrol.NewTokenBucketRateLimiter(4, 1) }, 4},
		{"QPS", func(c *rest.Config) { c.QPS = 3 }, 3},
		{"limiter", func(c *rest.Config) { c.QPS, c.RateLimiter = 3, flowcontrol.NewTokenBucketRateLimiter(4, 1) }, 4},
		{"limiter without QPS", func(c *rest.Config) { c.QPS, c.RateLimiter = -1, flowcontrol.NewTokenBucketRateLimiter(4, 1) }, 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			limiter := serve(t, answerJSON("")).client(t, test.config).GetRateLimiter()
			if (limiter == nil) != (test.qps < 0) || limiter != nil && limiter.QPS() != test.qps {
				t.Errorf("limiter is %v", limiter)
			}
		})
	}
	if limiter := (*rest.RESTClient)(nil).GetRateLimiter(); limiter != nil {
		t.Errorf("limiter of a nil client is %v", limiter)
	}
}

func TestDefaultBurst(t *testing.T) {
	limiter := serve(t, answerJSON("")).client(t, func(c *rest.Config) { c.QPS = 1e-6 }).GetRateLimiter()
	n := 0
	for limiter.TryAccept() {
		n++
	}
	if n != rest.DefaultBurst {
		t.Errorf("%d requests at once, want %d", n, rest.DefaultBurst)
	}
}

func TestTimeout(t *testing.T) {
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	slow := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, gadgetJSON[:20])
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
	for name, handler := range map[string]http.HandlerFunc{"no answer": hang, "slow body": slow} {
		for _, way := range []string{"Do", "DoInto", "DoRaw"} {
			t.Run(name+"/"+way, func(t *testing.T) {
				s := serve(t, handler)
				err := ways[way](t.Context(), s.client(t).Get().Resource("gadgets").Name("one").Timeout(200*time.Millisecond))
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("error is %v", err)
				}
				if got := s.seen()[0].uri; got != "/apis/test.dev/v1/gadgets/one?timeout=200ms" {
					t.Errorf("sent to %s", got)
				}
			})
		}
	}
}

func TestTimeoutOfHTTPClient(t *testing.T) {
	s := serve(t, answerJSON(gadgetJSON))
	s.Client().Timeout = time.Minute
	if got := s.client(t).Get().URL().RawQuery; got != "timeout=1m0s" {
		t.Errorf("query is %s", got)
	}
}

// A burst without a rate is a limit in client-go, and would have no effect here.
func TestBurstAlone(t *testing.T) {
	config := &rest.Config{Host: "http://host", Burst: 7, ContentConfig: rest.ContentConfig{GroupVersion: &gadgets, NegotiatedSerializer: streaming}}
	for name, build := range map[string]func() error{
		"RESTClientFor":                func() error { _, err := rest.RESTClientFor(config); return err },
		"UnversionedRESTClientFor":     func() error { _, err := rest.UnversionedRESTClientFor(config); return err },
		"RESTClientForConfigAndClient": func() error { _, err := rest.RESTClientForConfigAndClient(config, nil); return err },
		"UnversionedRESTClientForConfigAndClient": func() error {
			_, err := rest.UnversionedRESTClientForConfigAndClient(config, nil)
			return err
		},
	} {
		if err := build(); err == nil || !strings.Contains(err.Error(), "set QPS") {
			t.Errorf("%s: error is %v", name, err)
		}
	}
}

// TestWaitsForever checks how a request behaves if the server is busy forever: how often it is
// sent, and how long it takes in total at least and at most.
func TestWaitsForever(t *testing.T) {
	for _, test := range []struct {
		name, retryAfter, date string
		least, most            time.Duration
	}{
		{"none", "0", "", 5 * time.Second, 7 * time.Second},
		{"negative", "-5", "", 5 * time.Second, 7 * time.Second},
		{"a second", "1", "", 10 * time.Second, 12 * time.Second},
		{"half a minute", "30", "", 5 * time.Minute, 6 * time.Minute},
		{"68 years", "2147483647", "", 10 * time.Minute, 12 * time.Minute},
		{"more than a number", "99999999999999999999", "", 10 * time.Minute, 12 * time.Minute},
		{"less than a number", "-99999999999999999999", "", 5 * time.Second, 7 * time.Second},
		{"a date", "Sat, 01 Jan 2000 00:00:30 GMT", "Sat, 01 Jan 2000 00:00:20 GMT", 100 * time.Second, 2 * time.Minute},
		{"a date of old", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:27 1994", 100 * time.Second, 2 * time.Minute},
		{"a date by our clock", "Sat, 01 Jan 2000 00:00:05 GMT", "", 10 * time.Second, 14 * time.Second},
		{"a date that is over", "Fri, 31 Dec 1999 23:59:59 GMT", "Sat, 01 Jan 2000 00:00:00 GMT", 5 * time.Second, 7 * time.Second},
		{"a date that is far", "Fri, 31 Dec 9999 23:59:59 GMT", "", 10 * time.Minute, 12 * time.Minute},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sent := 0
				c := clientOf(t, func(r *http.Request) (*http.Response, error) {
					sent++
					header := http.Header{"Retry-After": {test.retryAfter}}
					if test.date != "" {
						header.Set("Date", test.date)
					}
					return &http.Response{StatusCode: http.StatusTooManyRequests, Header: header, Body: http.NoBody, Request: r}, nil
				})
				start := time.Now()
				if err := c.Get().Resource("gadgets").Do(t.Context()).Error(); !apierrors.IsTooManyRequests(err) {
					t.Errorf("error is %v", err)
				}
				if took := time.Since(start); sent != 11 || took < test.least || took > test.most {
					t.Errorf("%d requests in %v", sent, took)
				}
			})
		})
	}
}

// A request with a short timeout is repeated a few times immediately, as long as the server
// requests no wait.
func TestWaitsWithinTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sent := 0
		c := clientOf(t, func(r *http.Request) (*http.Response, error) {
			sent++
			if sent > 4 {
				return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Request: r}, nil
			}
			return &http.Response{StatusCode: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"0"}}, Body: http.NoBody, Request: r}, nil
		})
		start := time.Now()
		if _, err := c.Post().Timeout(time.Second).DoRaw(t.Context()); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took < 300*time.Millisecond || took > 400*time.Millisecond {
			t.Errorf("it took %v", took)
		}
	})
}

// Clients that were rejected together do not return together.
func TestWaitsDiffer(t *testing.T) {
	waits := map[time.Duration]bool{}
	for range 20 {
		w := &longest{}
		c := clientOf(t, func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"5"}}, Body: http.NoBody, Request: r}, nil
		})
		_, _ = c.Get().MaxRetries(1).BackOffWithContext(w).DoRaw(t.Context())
		waits[w.slept] = true
	}
	if len(waits) < 10 {
		t.Errorf("20 clients wait for %v", waits)
	}
}

// clientOf returns a client whose requests a function handles.
func clientOf(t *testing.T, send roundTripper) *rest.RESTClient {
	t.Helper()
	c, err := rest.NewRESTClient(mustParse(t, "http://host"), "", rest.ClientContentConfig{Negotiator: runtime.NewClientNegotiator(streaming, gadgets)}, nil, &http.Client{Transport: send})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// longest is a manager that records the longest sleep.
type longest struct {
	rest.NoBackoff
	slept time.Duration
}

func (l *longest) SleepWithContext(_ context.Context, d time.Duration) { l.slept = max(l.slept, d) }

func FuzzRetryAfter(f *testing.F) {
	for _, seed := range []string{
		"", "1", "0", "-1", "+5", "1.5", " 7", "3600", "9223372036", "9223372037", "9223372036854775807", "-9227000000", "-9223372036854775808", "99999999999999999999",
		"Fri, 31 Dec 1999 23:59:59 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "soon",
	} {
		f.Add(seed, "")
		f.Add(seed, "0")
		f.Add(seed, "Fri, 31 Dec 1999 23:59:50 GMT")
	}
	f.Fuzz(func(t *testing.T, value, date string) {
		sent := 0
		c := clientOf(t, func(r *http.Request) (*http.Response, error) {
			sent++
			header := http.Header{"Retry-After": {value}, "Date": {date}}
			return &http.Response{StatusCode: http.StatusTooManyRequests, Header: header, Body: http.NoBody, Request: r}, nil
		})
		waits := &longest{}
		if _, refused := c.Get().MaxRetries(1).BackOffWithContext(waits).DoRaw(t.Context()); !apierrors.IsTooManyRequests(refused) {
			t.Errorf("error is %v", refused)
		}
		if sent == 1 && waits.slept == 0 {
			if _, err := strconv.Atoi(value); err == nil {
				t.Errorf("%q: the request was not repeated", value)
			}
			return
		}
		least, most := 20*time.Millisecond, time.Minute
		if seconds, err := strconv.Atoi(value); err == nil {
			least = max(time.Duration(max(min(seconds, 60), 0))*time.Second, least)
			most = least
		}
		if sent != 2 || waits.slept < least || waits.slept > most*6/5 {
			t.Errorf("%q, %q: %d attempts, waited %v, want %v to %v", value, date, sent, waits.slept, least, most)
		}
	})
}

// patience adds up what a request waits.
type patience struct {
	rest.NoBackoff
	waited time.Duration
}

func (p *patience) SleepWithContext(_ context.Context, d time.Duration) { p.waited += d }

// A request that is always told to come back at once gives up after about six seconds, as documented.
func TestRetryAfterNothing(t *testing.T) {
	s := serve(t, busy(429, "0"))
	var p patience
	err := s.client(t).Get().Resource("gadgets").BackOffWithContext(&p).Do(t.Context()).Error()
	if !apierrors.IsTooManyRequests(err) || len(s.seen()) != 11 || p.waited < 5*time.Second || p.waited > 7*time.Second {
		t.Errorf("error %v after %d requests and %v", err, len(s.seen()), p.waited)
	}
}
