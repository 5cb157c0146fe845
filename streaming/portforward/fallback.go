package portforward

import (
	"context"

	"k8s.io/apimachinery/pkg/util/httpstream"
	"k8s.io/klog/v2"
	streaming "k8s.io/streaming/pkg/httpstream"
)

// contextDialer is a dialer that can be stopped while it dials.
type contextDialer[C any] interface {
	DialContext(ctx context.Context, protocols ...string) (C, string, error)
}

// anyDialer is a dialer of either set of interfaces.
type anyDialer[C any] interface {
	Dial(protocols ...string) (C, string, error)
}

// dial calls DialContext of a dialer that has it, and otherwise Dial, whose connection is closed if ctx ends before.
func dial[C interface{ Close() error }](ctx context.Context, d anyDialer[C], protocols ...string) (C, string, error) {
	if stoppable, ok := d.(contextDialer[C]); ok {
		return stoppable.DialContext(ctx, protocols...)
	}
	type dialed struct {
		conn     C
		protocol string
		err      error
	}
	done := make(chan dialed, 1)
	go func() {
		conn, protocol, err := d.Dial(protocols...)
		done <- dialed{conn, protocol, err}
	}()
	select {
	case r := <-done:
		return r.conn, r.protocol, r.err
	case <-ctx.Done():
		go func() {
			if r := <-done; r.err == nil {
				_ = r.conn.Close() // nobody is left to tell
			}
		}()
		var none C
		return none, "", ctx.Err()
	}
}

// fallback is the common part of both fallback dialers.
type fallback[C interface{ Close() error }] struct {
	primary, secondary anyDialer[C]
	shouldFallback     func(error) bool
}

// Dial calls the first dialer, and the second one if the first fails with an error that allows it.
func (f *fallback[C]) Dial(protocols ...string) (C, string, error) {
	return f.DialContext(context.Background(), protocols...)
}

// DialContext is Dial until ctx ends.
func (f *fallback[C]) DialContext(ctx context.Context, protocols ...string) (C, string, error) {
	conn, protocol, err := dial(ctx, f.primary, protocols...)
	if err == nil || !f.shouldFallback(err) {
		return conn, protocol, err
	}
	klog.FromContext(ctx).V(4).Info("Dialer failed, falling back to the second", "err", err)
	return dial(ctx, f.secondary, protocols...)
}

// FallbackDialer is a dialer with a second one for servers that do not support the first.
type FallbackDialer struct {
	fallback[httpstream.Connection]
}

// NewFallbackDialer returns a dialer that calls primary, and then secondary if shouldFallback returns true for the
// error, as httpstream.IsUpgradeFailure does for a server without WebSockets.
func NewFallbackDialer(primary, secondary httpstream.Dialer, shouldFallback func(error) bool) httpstream.Dialer {
	return &FallbackDialer{fallback[httpstream.Connection]{primary, secondary, shouldFallback}}
}

// StreamingFallbackDialer is a [FallbackDialer] for the interfaces of k8s.io/streaming.
type StreamingFallbackDialer struct{ fallback[streaming.Connection] }

// NewFallbackDialerForStreaming is [NewFallbackDialer] for the interfaces of k8s.io/streaming.
func NewFallbackDialerForStreaming(primary, secondary streaming.Dialer, shouldFallback func(error) bool) streaming.Dialer {
	return &StreamingFallbackDialer{fallback[streaming.Connection]{primary, secondary, shouldFallback}}
}
