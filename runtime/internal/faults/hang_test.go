package faults_test

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// silent sends no response until the client has disconnected.
func silent(_ http.ResponseWriter, r *http.Request, _ string) { <-r.Context().Done() }

// slow sends one byte a minute, after sending a part of the body immediately.
func slow(w http.ResponseWriter, r *http.Request, good string) {
	w.Header().Set("Content-Type", "application/json")
	at := len(good) / 2
	_, _ = io.WriteString(w, good[:at])
	for ; at < len(good); at++ {
		_ = http.NewResponseController(w).Flush()
		select {
		case <-time.After(time.Minute):
			_, _ = io.WriteString(w, good[at:at+1])
		case <-r.Context().Done():
			return
		}
	}
}

// TestContextEnds checks that each call ends when its context does, whatever the server is doing,
// that its error reports this, and that the server is not kept busy.
func TestContextEnds(t *testing.T) {
	errStop := errors.New("the program is stopping")
	for _, f := range []fault{
		{name: "silent", answer: silent},
		{name: "slow", answer: slow},
		{name: "asks to wait", answer: status(http.StatusTooManyRequests, "text/plain", "slow down").with("Retry-After", "86400")},
	} {
		for name, end := range map[string]struct {
			context func(context.Context) (context.Context, context.CancelFunc)
			want    error
		}{
			"deadline": {func(ctx context.Context) (context.Context, context.CancelFunc) {
				return context.WithTimeout(ctx, 10*time.Second)
			}, context.DeadlineExceeded},
			"cancel": {func(ctx context.Context) (context.Context, context.CancelFunc) {
				ctx, cancel := context.WithCancel(ctx)
				time.AfterFunc(10*time.Second, cancel)
				return ctx, cancel
			}, context.Canceled},
			"cancel with a cause": {func(ctx context.Context) (context.Context, context.CancelFunc) {
				ctx, cancel := context.WithCancelCause(ctx)
				time.AfterFunc(10*time.Second, func() { cancel(errStop) }) // net/http returns the cause
				return ctx, func() { cancel(nil) }
			}, errStop},
		} {
			for _, c := range calls {
				t.Run(f.name+"/"+name+"/"+c.name, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						s := serve(t, f.answer.handler)
						clientset := clients(t, s.config())
						ctx, cancel := end.context(t.Context())
						defer cancel()
						o := c.do(ctx, clientset)

						if took := time.Since(s.begin); took != 10*time.Second {
							t.Errorf("it took %v", took)
						}
						if n := len(s.seen()); n != 1 {
							t.Errorf("%d requests were sent", n)
						}
						if c.name == "watch" && f.name == "slow" {
							if o.err != nil { // a watch that its caller ended
								t.Errorf("the watch ends with %v", o.err)
							}
							return
						}
						want := end.want
						if f.name == "asks to wait" && errors.Is(want, errStop) {
							want = context.Canceled // the waiting code is not net/http's
						}
						if o.complete || !errors.Is(o.err, want) {
							t.Errorf("error is %v, complete: %t", o.err, o.complete)
							return
						}
						if text := o.err.Error(); !strings.Contains(text, c.told[0]) || !strings.Contains(text, "http://server.test") {
							t.Errorf("error does not name the request: %v", text)
						}
						if f.name == "asks to wait" && !strings.Contains(o.err.Error(), "24h0m0s") {
							t.Errorf("error does not contain the cause: %v", o.err)
						}
					})
				})
			}
		}
	}
}

// TestTimeout checks that the config's timeout bounds each call, including its body.
func TestTimeout(t *testing.T) {
	for _, f := range []fault{{name: "silent", answer: silent}, {name: "slow", answer: slow}} {
		for _, c := range calls {
			t.Run(f.name+"/"+c.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := serve(t, f.answer.handler)
					config := s.config()
					config.Timeout = 20 * time.Second
					o := c.do(t.Context(), clients(t, config))
					if c.name == "watch" {
						if o.err != nil { // the caller is expected to restart it
							t.Errorf("error is %v", o.err)
						}
						return
					}
					if took := time.Since(s.begin); took != 20*time.Second {
						t.Errorf("it took %v", took)
					}
					if o.complete || !errors.Is(o.err, context.DeadlineExceeded) {
						t.Errorf("error is %v, complete: %t", o.err, o.complete)
						return
					}
					if text := o.err.Error(); !strings.Contains(text, c.told[0]) || !strings.Contains(text, "http://server.test") {
						t.Errorf("error does not name the request: %v", text)
					}
				})
			})
		}
	}
}

// TestSlowIsNotLost checks that a slow body is received completely.
func TestSlowIsNotLost(t *testing.T) {
	for _, c := range calls {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				good := serve(t, answer(well).handler)
				want := c.do(t.Context(), clients(t, good.config()))
				s := serve(t, answer(slow).handler)
				got := c.do(t.Context(), clients(t, s.config()))
				if got.err != nil || strings.Join(got.got, " ") != strings.Join(want.got, " ") {
					t.Errorf("got %v, %v; want %v", got.got, got.err, want.got)
				}
			})
		})
	}
}

// TestSuggestedDelay checks that the delay suggested by an error is neither infinite nor zero.
func TestSuggestedDelay(t *testing.T) {
	for header, seconds := range map[string]int{"7": 7, "0": 0, "-5": 0, "999999999999": math.MaxInt32, "soon": 0} {
		synctest.Test(t, func(t *testing.T) {
			s := serve(t, status(http.StatusTooManyRequests, "text/plain", "slow down").with("Retry-After", header).handler)
			err := clients(t, s.config()).LibraryV1().RESTClient().Get().Resource("books").MaxRetries(0).Do(t.Context()).Error()
			if got, _ := apierrors.SuggestsClientDelay(err); got != seconds {
				t.Errorf("%s: the error suggests %d seconds", header, got)
			}
		})
	}
}
