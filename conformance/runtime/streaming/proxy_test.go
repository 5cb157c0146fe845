package streaming_test

import (
	"io"
	"net"
	"sync"
	"testing"
	"testing/iotest"
)

// fault is what a proxy does to a connection after some bytes.
type fault struct {
	down, up int64 // how many bytes pass from the server and to the server; -1 for all
	how      how
}

type how string

const (
	closes  how = "closes"   // the direction ends; nothing else does
	resets  how = "resets"   // the connection is gone
	stalls  how = "stalls"   // nothing more passes
	trickle how = "trickles" // all passes, byte by byte
	none    how = "does no harm"
)

// behind starts a proxy for a server, and returns its address.
func behind(t *testing.T, server net.Addr, f fault) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	end := make(chan struct{})
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { relay(client.(*net.TCPConn), server, f, end) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		close(end)
		serving.Wait()
	})
	return listener.Addr().String()
}

func relay(client *net.TCPConn, address net.Addr, f fault, end <-chan struct{}) {
	defer func() { _ = client.Close() }()
	conn, err := net.Dial("tcp", address.String())
	if err != nil {
		return
	}
	server := conn.(*net.TCPConn)
	defer func() { _ = server.Close() }()
	var copying sync.WaitGroup
	pass := func(to, from *net.TCPConn, limit int64) {
		var r io.Reader = from
		if limit >= 0 {
			r = io.LimitReader(from, limit)
		}
		if f.how == trickle {
			r = iotest.OneByteReader(r)
		}
		n, _ := io.Copy(struct{ io.Writer }{to}, struct{ io.Reader }{r})
		if n < limit || limit < 0 || f.how == closes {
			_ = to.CloseWrite()
			return
		}
		if f.how == resets {
			_ = client.SetLinger(0)
			_ = client.Close()
			_ = server.SetLinger(0)
			_ = server.Close()
			return
		}
		<-end
		_ = client.Close()
		_ = server.Close()
	}
	copying.Go(func() { pass(server, client, f.up) })
	copying.Go(func() { pass(client, server, f.down) })
	ended := make(chan struct{})
	go func() {
		copying.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-end:
		_ = client.Close()
		_ = server.Close()
		<-ended
	}
}
