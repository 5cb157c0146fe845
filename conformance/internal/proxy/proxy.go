// Package proxy cuts the network between a process and a server.
package proxy

import (
	"net"
	"sync"
)

// Proxy forwards TCP connections to a server. While it is cut, it forwards nothing and closes nothing. Its methods are safe
// for concurrent use.
type Proxy struct {
	listener net.Listener
	server   string
	drops    bool
	running  sync.WaitGroup

	mu     sync.Mutex // guards the fields below
	healed *sync.Cond // signalled when cut ends
	cut    bool
	open   map[net.Conn]bool // both sides
}

// New returns a proxy for the server at an address, such as 127.0.0.1:6443. What is sent while it is cut is delivered when
// it is healed, or lost if drops is true.
func New(server string, drops bool) (*Proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{listener: listener, server: server, drops: drops, open: map[net.Conn]bool{}}
	p.healed = sync.NewCond(&p.mu)
	p.running.Go(p.accept)
	return p, nil
}

// Address returns the address at which the proxy listens.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// Cut cuts the network.
func (p *Proxy) Cut() { p.set(true) }

// Heal heals the network, and closes the connections, so that clients make new ones.
func (p *Proxy) Heal() { p.set(false) }

// Close heals the network, closes all connections, and returns when nothing runs any more.
func (p *Proxy) Close() error {
	err := p.listener.Close()
	p.Heal()
	p.running.Wait()
	return err
}

func (p *Proxy) set(cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = cut
	if !cut {
		p.healed.Broadcast()
		for conn := range p.open {
			_ = conn.Close()
		}
	}
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.running.Go(func() { p.serve(client) })
	}
}

func (p *Proxy) serve(client net.Conn) {
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
func (p *Proxy) forward(to, from net.Conn) {
	defer func() { _, _ = to.Close(), from.Close() }()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if p.passes() && n > 0 {
			if _, failed := to.Write(buffer[:n]); failed != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// passes reports whether what was read is to be forwarded. It may wait until the network is healed.
func (p *Proxy) passes() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.cut && !p.drops {
		p.healed.Wait()
	}
	return !p.cut
}
