package apitest

import (
	"testing"
	"time"

	"github.com/listwatch/listwatch/apitest/internal/builtin"
	"github.com/listwatch/listwatch/apitest/internal/clock"
)

// A recording keeps the last requests.
func TestRecordingIsBounded(t *testing.T) {
	r := &Recording{}
	for code := range 2*maxRecorded + 1 {
		r.add(Request{Code: code})
		if len(r.requests) > maxRecorded || cap(r.requests) > 2*maxRecorded {
			t.Fatalf("after %d: %d in %d", code, len(r.requests), cap(r.requests))
		}
	}
	requests := r.Requests()
	if last := requests[len(requests)-1]; last.Code != 2*maxRecorded || len(requests)+r.Dropped() != 2*maxRecorded+1 {
		t.Errorf("%d kept up to %d, %d dropped", len(requests), last.Code, r.Dropped())
	}
}

// Tokens that have expired are not kept.
func TestTokensAreBounded(t *testing.T) {
	u := newUsers(clock.NewStill(time.Unix(1e9, 0)))
	for i := range 5000 {
		now := u.clock.Now()
		if _, err := u.issue(builtin.Token{Namespace: "default", Account: "robot", Issued: now, Expires: now.Add(time.Hour)}); err != nil {
			t.Fatal(err)
		}
		if u.clock.Advance(10 * time.Minute); len(u.issued) > 1000 {
			t.Fatalf("after %d tokens, %d are kept", i+1, len(u.issued))
		}
	}
}
