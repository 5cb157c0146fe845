package connrotation_test

import (
	"context"
	"errors"
	"net"
	"testing"

	_ "github.com/listwatch/listwatch/internal/golden" // for the flag -update
	"github.com/listwatch/listwatch/runtime/internal/connrotation"
)

// conn is a connection that knows whether it was closed.
type conn struct {
	net.Conn
	isClosed bool
}

func (c *conn) Close() error {
	c.isClosed = true
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
	if err := first.Close(); err != nil || !opened[0].isClosed || opened[1].isClosed {
		t.Errorf("closing one: %v", err)
	}
	tracker.CloseAll()
	if !opened[1].isClosed {
		t.Error("a connection is still open")
	}
	third := open()
	if opened[2].isClosed {
		t.Error("a new connection is closed")
	}
	if err := second.Close(); err != nil || opened[2].isClosed {
		t.Errorf("closing again what is closed: %v", err)
	}
	if err := third.Close(); err != nil || !opened[2].isClosed {
		t.Errorf("closing the last: %v", err)
	}
}
