package rest_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr/funcr"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/flowcontrol"
	"github.com/listwatch/listwatch/runtime/rest"
)

// logged contains what was logged, at any verbosity.
type logged struct {
	mu   sync.Mutex // guards text
	text strings.Builder
}

func (l *logged) context(ctx context.Context, verbosity int) context.Context {
	return klog.NewContext(ctx, funcr.New(func(prefix, args string) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.text.WriteString(args + "\n")
	}, funcr.Options{Verbosity: verbosity}))
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// No content of a request, its response or the server's URL is in a log or in an error of sending.
func TestSecretsStaySecret(t *testing.T) {
	const secret = "hush-hush"
	object := strings.Replace(gadgetJSON, `"one"`, `"`+secret+`"`, 1)
	for name, answers := range map[string][]http.HandlerFunc{
		"success":         {answerJSON(object)},
		"retries":         {busy(429, "0"), busy(503, "0"), answerJSON(object)},
		"connection lost": {hangUp},
		"body cut":        {cut("application/json", object)},
		"error":           {answer(500, "application/json", object)},
		"other success":   {answer(202, "application/json", object)},
		"redirects": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/again", http.StatusTemporaryRedirect)
		}},
	} {
		for way, send := range ways {
			t.Run(name+"/"+way, func(t *testing.T) {
				s := serve(t, answers...)
				s.Client().Transport.(*http.Transport).DisableKeepAlives = true
				base := mustParse(t, s.URL)
				base.User = url.UserPassword(secret, secret)
				var log logged
				ctx := log.context(t.Context(), 10)
				c := s.client(t, func(c *rest.Config) { c.Host = base.String() })
				request := c.Get().Resource("gadgets").Param("token", secret).Param("command", secret).Param("labelSelector", "a=b")
				request = request.Body([]byte(secret)).MaxRetries(3).BackOffWithContext(&calls{})
				if text := fmt.Sprintf("%v %+v %#v %s", request, *request, request, *request); strings.Contains(text, secret) || !strings.Contains(text, "labelSelector=a%3Db") {
					t.Errorf("printed as %s", text)
				}
				err := send(ctx, request)
				if strings.Contains(log.String(), secret) {
					t.Errorf("logged:\n%s", &log)
				}
				if seen := s.seen()[0]; seen.body != secret || seen.header.Get("Authorization") == "" {
					t.Errorf("sent %v", seen)
				}
				if text := fmt.Sprintf("%v %+v", err, err); strings.Contains(text, secret) {
					t.Errorf("error is %s", text)
				}
			})
		}
	}
}

func TestErrorsOfBadURLs(t *testing.T) {
	c, err := rest.NewRESTClient(&url.URL{Scheme: "http", Host: "not a host", User: url.User("hush")}, "", rest.ClientContentConfig{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Get().DoRaw(t.Context())
	var urlErr *url.Error
	if !errors.As(err, &urlErr) || strings.Contains(err.Error(), "hush") {
		t.Errorf("error is %v", err)
	}
	if _, err := rest.NewRESTClient(nil, "", rest.ClientContentConfig{}, nil, nil); err == nil {
		t.Error("no URL: no error")
	}
}

// slow is a limiter that waits.
type slow struct {
	flowcontrol.RateLimiter
	wait time.Duration
}

func (s slow) Wait(context.Context) error {
	<-time.After(s.wait)
	return nil
}

func TestLongWaitsAreLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rest.ForgetThrottleLogs()
		c, err := rest.NewRESTClient(mustParse(t, "http://host"), "", rest.ClientContentConfig{}, nil, roundTrip(func(*http.Request) {}))
		if err != nil {
			t.Fatal(err)
		}
		for i, step := range []struct {
			wait      time.Duration
			verbosity int
			lines     int
		}{
			{50 * time.Millisecond, 3, 0},
			{51 * time.Millisecond, 3, 1},
			{51 * time.Millisecond, 2, 0},
			{1001 * time.Millisecond, 3, 2}, // at high verbosity, and for all
			{999 * time.Millisecond, 2, 0},  // too short
			{1001 * time.Millisecond, 2, 1}, // a second later
			{1001 * time.Millisecond, 0, 1}, // less verbose loggers have their own interval,
			{9 * time.Second, 0, 0},         // which is 10 seconds
			{2 * time.Second, 0, 1},
		} {
			var log logged
			if _, err := c.Get().Throttle(slow{wait: step.wait}).DoRaw(log.context(t.Context(), step.verbosity)); err != nil {
				t.Fatal(err)
			}
			got := log.String()
			if strings.Count(got, "\n") != step.lines {
				t.Errorf("step %d logged %q", i, got)
			}
			for line := range strings.Lines(got) {
				if !strings.Contains(line, `"reason"="client-side throttling, not priority and fairness"`) || !strings.Contains(line, `"verb"="GET"`) {
					t.Errorf("step %d logged %q", i, line)
				}
			}
		}
	})
}

func TestRetryIsLogged(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Kubernetes-PF-FlowSchema-UID", "rule")
		busy(429, "3")(w, r)
	}, answerJSON(gadgetJSON))
	var log logged
	if err := s.client(t).Get().BackOffWithContext(&calls{}).Do(log.context(t.Context(), 4)).Error(); err != nil {
		t.Fatal(err)
	}
	if got := log.String(); !strings.Contains(got, `"delay"="3s" "attempt"=1`) {
		t.Errorf("logged %q", got)
	}
}
