package connrotation_test

import (
	"context"
	"errors"
	"net"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	_ "github.com/listwatch/listwatch/internal/golden" // for the flag -update
	"github.com/listwatch/listwatch/runtime/internal/connrotation"
)

// conn is a connection that knows whether it was closed.
type conn struct {
	net.Conn
	closed   chan struct{} // gets a value when it is closed for the first time
	isClosed atomic.Bool
}

func (c *conn) Close() error {
	if !c.isClosed.Swap(true) {
		c.closed <- struct{}{}
	}
	return nil
}

// TestPatience has a user of a connection that does not release it.
func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var tracker connrotation.Tracker
		dial := tracker.Dial(func(context.Context, string, string) (net.Conn, error) {
			return &conn{closed: make(chan struct{}, 1)}, nil
		})
		for range 3 {
			if _, err := dial(t.Context(), "tcp", "server:443"); err != nil {
				t.Fatal(err)
			}
		}
		start := time.Now()
		tracker.CloseAll()
		if waited := time.Since(start); waited != time.Second {
			t.Errorf("waited for %v", waited) // by the clock of the test
		}
	})
}

func TestTracker(t *testing.T) {
	var tracker connrotation.Tracker
	var opened []*conn
	down := errors.New("down")
	dial := tracker.Dial(func(_ context.Context, network, _ string) (net.Conn, error) {
		if network == "down" {
			return nil, down
		}
		opened = append(opened, &conn{closed: make(chan struct{}, 1)})
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
	done := make(chan struct{})
	go func() {
		defer close(done)
		tracker.CloseAll()
	}()
	<-opened[1].closed
	select {
	case <-done:
		t.Error("did not wait for the one who uses the connection")
	default:
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
	<-done
	third := open()
	if opened[2].isClosed.Load() {
		t.Error("a new connection is closed")
	}
	if err := second.Close(); err != nil || opened[2].isClosed.Load() {
		t.Errorf("closing again what is closed: %v", err)
	}
	if err := third.Close(); err != nil || !opened[2].isClosed.Load() {
		t.Errorf("closing the last: %v", err)
	}
}
