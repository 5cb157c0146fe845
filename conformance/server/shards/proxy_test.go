package shards

import (
	"io"
	"net"
	"sync"
)

// proxy forwards connections to a server. While it is cut, it forwards nothing and closes nothing; what was sent
// meanwhile is lost.
type proxy struct {
	listener net.Listener
	server   string
	running  sync.WaitGroup

	mu   sync.Mutex // guards the fields below
	cut  bool
	open map[net.Conn]bool // both sides
}

func newProxy(server string) (*proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{listener: listener, server: server, open: map[net.Conn]bool{}}
	p.running.Go(p.accept)
	return p, nil
}

func (p *proxy) address() string { return p.listener.Addr().String() }

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.running.Go(func() { p.serve(client) })
	}
}

func (p *proxy) serve(client net.Conn) {
	defer func() { _ = client.Close() }()
	server, err := net.Dial("tcp", p.server)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	p.mu.Lock()
	p.open[client], p.open[server] = true, true
	p.mu.Unlock()
	var both sync.WaitGroup
	both.Go(func() { p.forward(server, client) })
	both.Go(func() { p.forward(client, server) })
	both.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, client)
	delete(p.open, server)
}

// forward copies until one side is closed, and closes both.
func (p *proxy) forward(to, from net.Conn) {
	_, _ = io.Copy(unlessCut{to, p}, from)
	_, _ = to.Close(), from.Close()
}

// unlessCut writes nothing while the proxy is cut.
type unlessCut struct {
	to net.Conn
	p  *proxy
}

func (w unlessCut) Write(data []byte) (int, error) {
	w.p.mu.Lock()
	cut := w.p.cut
	w.p.mu.Unlock()
	if cut {
		return len(data), nil
	}
	return w.to.Write(data)
}

// setCut cuts the network, or heals it: connections are closed then, so that clients make new ones.
func (p *proxy) setCut(cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = cut
	if !cut {
		for conn := range p.open {
			_ = conn.Close()
		}
	}
}

func (p *proxy) close() {
	_ = p.listener.Close()
	p.setCut(false)
	p.running.Wait()
}
