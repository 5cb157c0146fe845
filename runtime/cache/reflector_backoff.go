package cache

import (
	"math/rand/v2"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/utils/clock"
)

const (
	backoffReset  = 2 * time.Minute // without failure, after which backoff restarts
	maxRetryAfter = 5 * time.Minute // longest wait that a server can request
)

// defaultBackoff spreads requests to a server in trouble: from 0.8 to 1.6 s at first up
// to 30 to 60 s.
var defaultBackoff = wait.Backoff{
	Duration: 800 * time.Millisecond,
	Factor:   2,
	Jitter:   1,
	Steps:    10,
	Cap:      30 * time.Second,
}

// backoff computes how long to wait after failures. It is used by one goroutine.
type backoff struct {
	options wait.Backoff
	clock   clock.Clock
	next    wait.DelayFunc
	until   time.Time // the end of the last wait
}

func newBackoff(b *wait.Backoff, c clock.Clock) backoff {
	if b == nil {
		b = &defaultBackoff
	}
	return backoff{options: *b, clock: c}
}

// delay returns how long to wait after another failure, err. It is at least what the server
// requests in it, plus a random time, since the server requests the same of others.
func (b *backoff) delay(err error) time.Duration {
	now := b.clock.Now()
	if b.next == nil || now.Sub(b.until) > backoffReset {
		b.next = b.options.DelayFunc()
	}
	delay := b.next()
	if seconds, ok := apierrors.SuggestsClientDelay(err); ok {
		asked := min(time.Duration(seconds)*time.Second, maxRetryAfter)
		if asked > delay {
			delay = asked + time.Duration(rand.Float64()*float64(delay))
		}
	}
	b.until = now.Add(delay)
	return delay
}

// window limits how long failures in a row are tolerated. It is used by one goroutine. The zero
// value has no failures.
type window struct{ first, last time.Time }

// open adds a failure, and reports whether it is within limit of the first. Failures more than a
// minute apart do not belong together.
func (w *window) open(now time.Time, limit time.Duration) bool {
	if now.Sub(w.last) >= time.Minute {
		w.first = now
	}
	w.last = now
	if limit > 0 && now.Sub(w.first) <= limit {
		return true
	}
	*w = window{}
	return false
}

// roundDuration rounds a duration for display.
func roundDuration(d time.Duration) time.Duration {
	if d < time.Second {
		return d.Round(time.Millisecond)
	}
	return d.Round(100 * time.Millisecond)
}
