package rest

import (
	"errors"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	// longestWait caps the time in Retry-After. A Kubernetes API server requests 32 seconds at most; a call
	// that waits much longer appears to hang.
	longestWait = time.Minute
	// shortestWait is the wait before the first retry, even if the server requests none. It doubles with each
	// retry, up to a second. A few of them fit into a request's timeout of a second.
	shortestWait = 20 * time.Millisecond
	// waitJitter is the largest fraction that is added to waits, so that clients that were rejected together do
	// not return together.
	waitJitter = 0.2
)

// waitBefore returns the wait before the nth retry, from 1, if the server requests the wait asked.
func waitBefore(n int, asked time.Duration) time.Duration {
	shortest := min(shortestWait<<min(n-1, 10), time.Second)
	return min(max(asked, shortest), longestWait)
}

// jittered returns a wait with its jitter.
func jittered(wait time.Duration) time.Duration {
	return wait + rand.N(time.Duration(waitJitter*float64(wait)))
}

// waitAsked returns how long the server requests the client to wait before a retry, or false if it does not.
func waitAsked(resp *http.Response) (time.Duration, bool) {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode < http.StatusInternalServerError {
		return 0, false
	}
	return retryAfter(resp.Header)
}

// retryAfter returns the time in the header Retry-After, which is a number of seconds, or a date that is
// compared with the server's own in the header Date. Past dates and negative numbers are 0. It returns false if
// there is neither.
func retryAfter(header http.Header) (time.Duration, bool) {
	const most = math.MaxInt64 / int64(time.Second)
	value := strings.TrimSpace(header.Get("Retry-After"))
	seconds, err := strconv.ParseInt(value, 10, 64) // the nearest value if it is out of range
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(max(seconds, 0), most)) * time.Second, true
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	now := time.Now()
	if sent, err := http.ParseTime(header.Get("Date")); err == nil {
		now = sent
	}
	return max(date.Sub(now), 0), true
}

// inSeconds returns a time in whole seconds, as a Status holds it.
func inSeconds(d time.Duration) int {
	return int(min(math.Ceil(d.Seconds()), math.MaxInt32))
}
