package kube

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
)

var errNotYet = errors.New("not yet")

func TestAwait(t *testing.T) {
	notYet := func(context.Context) error { return errNotYet }
	running := func(name string) *process { return &process{name: name, ended: make(chan struct{})} }
	ended := func(name string) *process {
		p := running(name)
		p.err = errors.New("broken")
		_, _ = p.last.Write([]byte("output of " + name))
		close(p.ended)
		return p
	}
	canceled, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("no time"))

	for _, test := range []struct {
		name      string
		ctx       context.Context
		probe     func(context.Context) error
		processes []*process
		want      []string // parts of the error; none means success
	}{
		{"it succeeds at last", context.Background(), succeedAt(3), []*process{running("a")}, nil},
		{"it succeeds once", context.Background(), succeedAt(1), []*process{ended("a")}, nil},
		{"it ends", context.Background(), notYet, []*process{running("a"), ended("b")}, []string{"b ended by itself: broken", "output of b"}},
		{"its dependency ends", context.Background(), notYet, []*process{ended("a"), running("b")}, []string{"a ended by itself: broken", "output of a"}},
		{"the caller's context ends", canceled, notYet, []*process{running("a"), running("b")}, []string{"wait for b: no time", "not yet"}},
		{"it takes for ever", context.Background(), notYet, []*process{running("a")}, []string{"wait for a: not ready after 2m0s", "not yet"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				err := await(test.ctx, test.probe, test.processes...)
				if (err == nil) != (test.want == nil) {
					t.Fatalf("await returned %v", err)
				}
				for _, want := range test.want {
					if !strings.Contains(err.Error(), want) {
						t.Errorf("await returned %q, want it to hold %q", err, want)
					}
				}
			})
		})
	}
}

// succeedAt returns a probe that succeeds at the nth call, and not after that.
func succeedAt(n int) func(context.Context) error {
	calls := 0
	return func(context.Context) error {
		if calls++; calls == n {
			return nil
		}
		return errNotYet
	}
}

func TestAPIServerReady(t *testing.T) {
	for _, test := range []struct {
		name    string
		missing string // the path at which the server responds with an error
		want    string // part of the error; empty means ready
	}{
		{name: "it is"},
		{"it reports that it is not", "/readyz", "/readyz: 503 Service Unavailable: wait"},
		{"there is no namespace yet", "/api/v1/namespaces/default", "/namespaces/default: 503 Service Unavailable: wait"},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
				if req.URL.Path == test.missing {
					http.Error(w, "wait", http.StatusServiceUnavailable)
				}
			}))
			defer server.Close()
			err := apiServerReady(server.Client(), server.URL)(t.Context())
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("the probe returned %v, want %q", err, test.want)
			}
		})
	}
}
