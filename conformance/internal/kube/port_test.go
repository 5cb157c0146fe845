package kube

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func TestPort(t *testing.T) {
	p := mustHold(t)
	address := fmt.Sprintf("127.0.0.1:%d", p.number)

	t.Run("is not given to others", func(t *testing.T) {
		l, err := net.Listen("tcp", address)
		if err == nil {
			_ = l.Close()
		}
		if !errors.Is(err, syscall.EADDRINUSE) {
			t.Errorf("listen returned %v", err)
		}
	})
	t.Run("refuses connections", func(t *testing.T) { expectRefused(t, address) })
	t.Run("is for servers that share it", func(t *testing.T) {
		share := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) (err error) {
			controlErr := c.Control(func(fd uintptr) {
				err = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_REUSEPORT, 1)
			})
			return errors.Join(controlErr, err)
		}}
		// The second simulates a restart.
		for range 2 {
			l, err := share.Listen(context.Background(), "tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			for range 8 { // the socket that holds the port must not get any of them
				connect(t, l)
			}
			if err = l.Close(); err != nil {
				t.Error(err)
			}
		}
		expectRefused(t, address)
	})
	t.Run("is given back", func(t *testing.T) {
		if err := p.release(); err != nil {
			t.Fatal(err)
		}
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if err = l.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestPortsDiffer(t *testing.T) {
	held := map[int]bool{}
	for range 32 {
		p := mustHold(t)
		defer func() {
			if err := p.release(); err != nil {
				t.Error(err)
			}
		}()
		if held[p.number] {
			t.Errorf("port %d is held twice", p.number)
		}
		held[p.number] = true
	}
}

func mustHold(t *testing.T) *port {
	t.Helper()
	p, err := holdPort()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// connect connects to the listener, and expects that it accepts the connection.
func connect(t *testing.T, l net.Listener) {
	t.Helper()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	accepted, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := accepted.RemoteAddr().String(), conn.LocalAddr().String(); got != want {
		t.Errorf("accepted a connection of %s, want %s", got, want)
	}
	// The side that closes first keeps its port in TIME_WAIT.
	_ = conn.Close()
	_ = accepted.Close()
}

func expectRefused(t *testing.T, address string) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("dial returned %v", err)
	}
	if err == nil {
		_ = conn.Close()
	}
}
