package embedded

import "testing"

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
