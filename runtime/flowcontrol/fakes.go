package flowcontrol

import (
	"context"
	"errors"
	"sync"
)

// errNever is what a limiter that lets nothing through answers to Wait.
var errNever = errors.New("this rate limiter lets no request through")

type always struct{}

// NewFakeAlwaysRateLimiter returns a limiter that lets all requests through.
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

// NewFakeNeverRateLimiter returns a limiter that lets no request through: TryAccept is false, Wait is an
// error, and Accept returns when the limiter is stopped.
func NewFakeNeverRateLimiter() RateLimiter {
	stopped := make(chan struct{})
	return &never{stopped: stopped, stop: sync.OnceFunc(func() { close(stopped) })}
}

func (n *never) TryAccept() bool            { return false }
func (n *never) Stop()                      { n.stop() }
func (n *never) Accept()                    { <-n.stopped }
func (n *never) QPS() float32               { return 1 }
func (n *never) Wait(context.Context) error { return errNever }
