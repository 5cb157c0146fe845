package connrotation_test

import (
	"context"
	"errors"
	"net"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/listwatch/listwatch/runtime/internal/connrotation"
)

// conn is a connection that records whether it was closed.
type conn struct {
	net.Conn
	isClosed atomic.Bool
}

func (c *conn) Close() error {
	c.isClosed.Store(true)
	return nil
}

func TestTracker(t *testing.T) {
	var tracker connrotation.Tracker
	var opened []*conn
	down := errors.New("down")
	dial := tracker.Dial(func(_ context.Context, network, _ string) (net.Conn, error) {
		if network == "down" {
			return nil, down
		}
		opened = append(opened, &conn{})
		return opened[len(opened)-1], nil
	})
	open := func() net.Conn {
		t.Helper()
		conn, err := dial(t.Context(), "tcp", "server:443")
		if err != nil {
			t.Fatal(err)
		}
		return conn
	}
	if _, err := dial(t.Context(), "down", ""); !errors.Is(err, down) {
		t.Errorf("got %v", err)
	}
	tracker.CloseAll() // of nothing

	first, second := open(), open()
	if err := first.Close(); err != nil || !opened[0].isClosed.Load() || opened[1].isClosed.Load() {
		t.Errorf("closing one: %v", err)
	}
	go func() { _ = second.Close() }() // as users that find it closed do
	tracker.CloseAll()
	if !opened[1].isClosed.Load() {
		t.Error("a connection is still open")
	}
	third := open()
	if opened[2].isClosed.Load() {
		t.Error("a new connection is closed")
	}
	if err := second.Close(); err != nil || opened[2].isClosed.Load() {
		t.Errorf("closing a closed connection: %v", err)
	}
	if err := third.Close(); err != nil || !opened[2].isClosed.Load() {
		t.Errorf("closing the last: %v", err)
	}
}

// TestCloseAllWaits checks that CloseAll waits for all users of connections, but not forever.
func TestCloseAllWaits(t *testing.T) {
	for _, released := range []int{0, 2, 3} {
		synctest.Test(t, func(t *testing.T) {
			var tracker connrotation.Tracker
			dial := tracker.Dial(func(context.Context, string, string) (net.Conn, error) { return &conn{}, nil })
			var conns []net.Conn
			for range 3 {
				c, err := dial(t.Context(), "tcp", "server:443")
				if err != nil {
					t.Fatal(err)
				}
				conns = append(conns, c)
			}
			start := time.Now()
			done := make(chan time.Duration, 1)
			go func() {
				tracker.CloseAll()
				done <- time.Since(start)
			}()
			synctest.Wait()
			for _, c := range conns[:released] {
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			}
			want := time.Second
			if released == len(conns) {
				want = 0
			}
			if waited := <-done; waited != want { // by the bubble's clock
				t.Errorf("%d of 3 were released: waited for %v", released, waited)
			}
		})
	}
}
