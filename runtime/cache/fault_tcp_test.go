package cache_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/listwatch/listwatch/runtime/cache"
)

// waiter is a handler that signals each event.
type waiter struct {
	*fleet
	changed chan struct{} // contains a token when there is an event
}

func (w waiter) tell() {
	select {
	case w.changed <- struct{}{}:
	default:
	}
}

func (w waiter) OnAdd(obj any, initial bool) { w.fleet.OnAdd(obj, initial); w.tell() }
func (w waiter) OnUpdate(before, after any)  { w.fleet.OnUpdate(before, after); w.tell() }
func (w waiter) OnDelete(obj any)            { w.fleet.OnDelete(obj); w.tell() }

// connections are the connections of a server.
type connections struct {
	mu   sync.Mutex // guards the fields below
	open map[net.Conn]bool
}

func (c *connections) note(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if state == http.StateNew {
		c.open[conn] = true
	}
	if state == http.StateClosed || state == http.StateHijacked {
		delete(c.open, conn)
	}
}

// each calls f for every open connection.
func (c *connections) each(f func(net.Conn)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for conn := range c.open {
		f(conn)
	}
}

// TestFaultTCP checks that nothing is lost over TCP, with HTTP/1.1 and HTTP/2, when connections are
// closed, half closed, or broken.
func TestFaultTCP(t *testing.T) {
	for _, version := range []int{1, 2} {
		for name, trouble := range map[string]func(net.Conn) error{
			"closed":      net.Conn.Close,
			"half closed": func(conn net.Conn) error { return conn.(interface{ CloseWrite() error }).CloseWrite() },
			"reset": func(conn net.Conn) error {
				if tcp, ok := conn.(*net.TCPConn); ok {
					if err := tcp.SetLinger(0); err != nil {
						return err
					}
				}
				return conn.Close()
			},
		} {
			t.Run(fmt.Sprintf("HTTP/%d, %s", version, name), func(t *testing.T) {
				barges := newBargeHandler()
				barges.add("a", "1")
				barges.add("b", "1")
				open := &connections{open: map[net.Conn]bool{}}
				server := httptest.NewUnstartedServer(barges)
				server.EnableHTTP2 = version == 2
				server.Config.ConnState = open.note
				if version == 2 {
					server.StartTLS()
				} else {
					server.Start()
				}
				defer server.Close()

				w := waiter{&fleet{barges: map[string]*barge{}}, make(chan struct{}, 1)}
				informer := cache.NewSharedIndexInformerWithOptions(listBarges(t, server.URL, server.Client(), ""), &barge{}, cache.SharedIndexInformerOptions{})
				if _, err := informer.AddEventHandler(w); err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithCancel(t.Context())
				stopped := make(chan struct{})
				go func() {
					informer.RunWithContext(ctx)
					close(stopped)
				}()
				defer func() {
					cancel()
					<-stopped
				}()
				if err := cache.WaitForSync(ctx, informer); err != nil {
					t.Fatal(err)
				}
				until := func() {
					for !slices.Equal(w.content(), barges.content()) {
						<-w.changed
					}
				}
				until()
				barges.add("c", "1")
				until()
				open.each(func(conn net.Conn) {
					if err := trouble(conn); err != nil {
						t.Error(err)
					}
				})
				barges.set("a", "2")
				barges.remove("b")
				barges.add("d", "1")
				until()
				if len(w.wrong) > 0 {
					t.Error(w.wrong)
				}
			})
		}
	}
}
