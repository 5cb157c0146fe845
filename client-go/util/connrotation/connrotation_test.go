package connrotation_test

import (
	"context"
	"errors"
	"net"
	"testing"

	"k8s.io/client-go/util/connrotation"
)

// conn counts how often it is closed.
type conn struct {
	net.Conn
	closed int
}

func (c *conn) Close() error {
	c.closed++
	return errors.New("closed")
}

// dialer returns a dial function, and the connections that it opened.
func dialer() (connrotation.DialFunc, *[]*conn) {
	var conns []*conn
	return func(context.Context, string, string) (net.Conn, error) {
		conns = append(conns, &conn{})
		return conns[len(conns)-1], nil
	}, &conns
}

func TestCloseAll(t *testing.T) {
	dial, conns := dialer()
	d := connrotation.NewDialer(dial)
	var opened []net.Conn
	for range 3 {
		c, err := d.Dial("tcp", "a.test:1")
		if err != nil {
			t.Fatal(err)
		}
		opened = append(opened, c)
	}
	if err := opened[0].Close(); err == nil {
		t.Error("the error of the connection is lost")
	}
	d.CloseAll()
	d.CloseAll()
	for i, c := range *conns {
		if c.closed != 1 {
			t.Errorf("connection %d was closed %d times", i, c.closed)
		}
	}
	// A connection that was closed by CloseAll may be closed again.
	_ = opened[1].Close()
	if (*conns)[1].closed != 2 {
		t.Error("not closed again")
	}
	if _, err := d.DialContext(t.Context(), "tcp", "a.test:1"); err != nil {
		t.Fatal(err)
	}
	d.CloseAll()
	if (*conns)[3].closed != 1 {
		t.Error("a later connection is not tracked")
	}
}

// Dialers may share a tracker.
func TestTracker(t *testing.T) {
	tracker := connrotation.NewConnectionTracker()
	var all []*conn
	for range 2 {
		dial, conns := dialer()
		if _, err := connrotation.NewDialerWithTracker(dial, tracker).Dial("tcp", "a.test:1"); err != nil {
			t.Fatal(err)
		}
		all = append(all, *conns...)
	}
	tracker.CloseAll()
	for i, c := range all {
		if c.closed != 1 {
			t.Errorf("connection %d was closed %d times", i, c.closed)
		}
	}
}

func TestDialErrors(t *testing.T) {
	failure := errors.New("refused")
	d := connrotation.NewDialer(func(context.Context, string, string) (net.Conn, error) { return nil, failure })
	if c, err := d.Dial("tcp", "a.test:1"); c != nil || !errors.Is(err, failure) {
		t.Errorf("%v, %v", c, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := connrotation.NewDialer(nil).DialContext(ctx, "tcp", "127.0.0.1:1"); err == nil {
		t.Error("connected")
	}
}
