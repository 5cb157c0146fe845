package faults_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
)

// follow checks an outcome against the rules.
func follow(t *testing.T, f fault, c call, s *server, o outcome) {
	t.Helper()
	w := f.wanted(c)
	switch {
	case w == nil && o.err != nil:
		t.Fatalf("error is %v", o.err)
	case w != nil && o.err == nil:
		t.Fatal("there is no error")
	case w != nil && !w(o.err):
		t.Errorf("error is %s: %v", strings.Join(kinds(o.err), ", "), o.err)
	}
	if o.complete != (o.err == nil) && c.name != "watch" {
		t.Errorf("the call reported a complete result: %t; error is %v", o.complete, o.err)
	}
	if o.err != nil {
		short(t, o.err)
		if !told(o.err) {
			named(t, c, o.err)
		}
	}
	bounded(t, s, c, o)
}

// short checks that an error is short and not empty.
func short(t *testing.T, err error) {
	t.Helper()
	if n := len(err.Error()); n > 4<<10 {
		t.Errorf("error has %d bytes", n)
	}
	if err.Error() == "unknown" {
		t.Errorf("error is empty: %v", err)
	}
}

// told reports whether an error contains the server's own words, or is the error of a watch whose
// reader knows the request.
func told(err error) bool {
	if apiruntime.IsNotRegisteredError(err) {
		return true // apimachinery recognizes it by its type, so it cannot be wrapped
	}
	status, ok := err.(*apierrors.StatusError) //nolint:errorlint // a wrapped one contains more information
	return ok && !apierrors.HasStatusCause(status, metav1.CauseTypeUnexpectedServerResponse)
}

// bounded checks that a request was repeated unchanged and not too often, and not at all if it may
// have been executed and is not idempotent.
func bounded(t *testing.T, s *server, c call, o outcome) {
	t.Helper()
	const most = 11
	times := map[string]int{}
	for _, request := range s.seen() {
		times[request.method+" "+request.uri]++
	}
	if len(times) > 1 && c.name != "groups" {
		t.Errorf("requests differ: %v", times)
	}
	for request, n := range times {
		if n > most {
			t.Errorf("%s was sent %d times", request, n)
		}
		if changes := !strings.HasPrefix(request, "GET"); changes && n > 1 && errors.Is(o.err, io.EOF) {
			t.Errorf("%s was sent %d times, though it may have been carried out", request, n)
		}
	}
}

// named checks that an error identifies the failed request.
func named(t *testing.T, c call, err error) {
	t.Helper()
	for _, text := range c.told {
		if strings.Contains(err.Error(), text) {
			return
		}
	}
	t.Errorf("error does not name the request: %v", err)
}

func watchCall() call {
	for _, c := range calls {
		if c.name == "watch" {
			return c
		}
	}
	panic("no call is a watch")
}
