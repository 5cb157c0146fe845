package fault_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/apitest/internal/fault"
)

func TestErrors(t *testing.T) {
	foos := schema.GroupResource{Group: "example.com", Resource: "foos"}
	for _, test := range []struct {
		name       string
		err        error
		code       int
		reason     metav1.StatusReason
		message    string
		retryAfter string
	}{
		{"too many requests", apierrors.NewTooManyRequests("slow down", 7), 429, metav1.StatusReasonTooManyRequests, "slow down", "7"},
		{"internal error", apierrors.NewInternalError(errors.New("broken")), 500, metav1.StatusReasonInternalError, "Internal error occurred: broken", ""},
		{"unavailable", apierrors.NewServiceUnavailable("away"), 503, metav1.StatusReasonServiceUnavailable, "away", ""},
		{"conflict", apierrors.NewConflict(foos, "one", errors.New("changed")), 409, metav1.StatusReasonConflict, `Operation cannot be fulfilled on foos.example.com "one": changed`, ""},
		{"any error", errors.New("any"), 500, "", "any", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			i := fault.New()
			i.Inject(fault.Rule{Error: test.err})
			w := ask(t, i, "GET", "/api/v1/pods", "")
			var status metav1.Status
			if err := json.Unmarshal(w.Body.Bytes(), &status); err != nil {
				t.Fatalf("%v: %s", err, w.Body)
			}
			if w.Code != test.code || status.Kind != "Status" || status.APIVersion != "v1" ||
				status.Reason != test.reason || status.Message != test.message || int(status.Code) != test.code {
				t.Errorf("response to a request that a rule rejects: got %d %s, want %d with reason %q and message %q", w.Code, w.Body, test.code, test.reason, test.message)
			}
			if got := w.Header().Get("Retry-After"); got != test.retryAfter {
				t.Errorf("retry after %q", got)
			}
		})
	}
}

// Rules act in the order in which they were added, each Times times.
func TestTimes(t *testing.T) {
	i := fault.New()
	first := i.Inject(fault.Rule{Error: apierrors.NewServiceUnavailable("first"), Times: 2})
	second := i.Inject(fault.Rule{Match: fault.Match{Verb: "get"}, Error: apierrors.NewTooManyRequests("second", 1), Times: 1})
	third := i.Inject(fault.Rule{Error: apierrors.NewInternalError(errors.New("third"))})
	var got []int
	for n := range 5 {
		if ended := isDone(first); ended != (n >= 2) {
			t.Errorf("after %d requests, the first rule has ended: %t", n, ended)
		}
		got = append(got, ask(t, i, "GET", "/readyz", "").Code)
	}
	third.Remove()
	third.Remove()
	got = append(got, ask(t, i, "GET", "/readyz", "").Code)
	for n, want := range []int{503, 503, 429, 500, 500, 200} {
		if got[n] != want {
			t.Errorf("request %d: %d, not %d", n, got[n], want)
		}
	}
	if first.Hits() != 2 || second.Hits() != 1 || third.Hits() != 2 {
		t.Errorf("hits: %d, %d, %d", first.Hits(), second.Hits(), third.Hits())
	}
	if !isDone(second) || !isDone(third) {
		t.Error("rules have not ended")
	}
}

func isDone(i *fault.Injection) bool {
	select {
	case <-i.Done():
		return true
	default:
		return false
	}
}

func TestDelay(t *testing.T) {
	for _, test := range []struct {
		name    string
		rule    fault.Rule
		timeout time.Duration
		took    time.Duration
		code    int
	}{
		{"served", fault.Rule{Delay: time.Hour}, 2 * time.Hour, time.Hour, 200},
		{"refused", fault.Rule{Delay: time.Minute, Error: apierrors.NewServiceUnavailable("away")}, time.Hour, time.Minute, 503},
		{"given up", fault.Rule{Delay: time.Hour}, time.Second, time.Second, 504},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				i := fault.New()
				i.Inject(test.rule)
				ctx, cancel := context.WithTimeout(t.Context(), test.timeout)
				defer cancel()
				began, w := time.Now(), httptest.NewRecorder()
				wrap(i, fine).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/readyz", nil).WithContext(ctx))
				if took := time.Since(began); took != test.took || w.Code != test.code {
					t.Errorf("%d after %v", w.Code, took)
				}
			})
		})
	}
}

// A rule can also act on requests without a RequestInfo.
func TestBareRequest(t *testing.T) {
	i := fault.New()
	i.Inject(fault.Rule{Match: fault.Match{Path: "/bare"}, Error: apierrors.NewServiceUnavailable("away")})
	w := httptest.NewRecorder()
	i.Wrap(fine).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/bare", nil))
	if w.Code != http.StatusServiceUnavailable {
		t.Errorf("a rule for a path, and a request without a RequestInfo: got %d, want 503", w.Code)
	}
}
