package workqueue

import (
	"time"

	"k8s.io/utils/clock"

	. "github.com/listwatch/listwatch/runtime/workqueue"
)

// waitForWaitingQueueToFill has nothing to wait for: what AddAfter adds waits when it returns.
func waitForWaitingQueueToFill(DelayingInterface) error { return nil }

func newQueueWithConfig[T comparable](config TypedQueueConfig[T], period time.Duration) *Typed[T] {
	config.Clock = ticking{config.Clock, period}
	return NewTypedWithConfig(config)
}

// ticking is a clock whose tickers all have one period: that in which metrics are updated
// cannot be set from outside.
type ticking struct {
	clock.WithTicker
	period time.Duration
}

func (t ticking) NewTicker(time.Duration) clock.Ticker { return t.WithTicker.NewTicker(t.period) }
