package flowcontrol

import (
	"context"
	"errors"
	"sync"
)

// errNever is the error of Wait of a limiter that admits nothing.
var errNever = errors.New("can not be accept") // client-go's text

type always struct{}

// NewFakeAlwaysRateLimiter returns a limiter that admits all requests.
func NewFakeAlwaysRateLimiter() RateLimiter { return always{} }

func (always) TryAccept() bool            { return true }
func (always) Stop()                      {}
func (always) Accept()                    {}
func (always) QPS() float32               { return 1 }
func (always) Wait(context.Context) error { return nil }

type never struct {
	stopped chan struct{}
	stop    func() // closes stopped, once
}

// NewFakeNeverRateLimiter returns a limiter that admits no request: TryAccept returns false, Wait an error, and
// Accept blocks until the limiter is stopped.
func NewFakeNeverRateLimiter() RateLimiter {
	stopped := make(chan struct{})
	return &never{stopped: stopped, stop: sync.OnceFunc(func() { close(stopped) })}
}

func (n *never) TryAccept() bool            { return false }
func (n *never) Stop()                      { n.stop() }
func (n *never) Accept()                    { <-n.stopped }
func (n *never) QPS() float32               { return 1 }
func (n *never) Wait(context.Context) error { return errNever }
