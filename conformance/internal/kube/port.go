package kube

import (
	"errors"
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// port is a TCP port of 127.0.0.1 that no other process gets while it is held, whether a server
// listens on it or not. A server that listens on it must set SO_REUSEPORT; while none does,
// connections are refused.
type port struct {
	socket int // bound, and never listens
	number int
}

// holdPort picks a free port.
func holdPort() (*port, error) {
	syscall.ForkLock.RLock()
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err == nil {
		unix.CloseOnExec(socket)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, fmt.Errorf("hold a port: %w", err)
	}
	number, err := bind(socket)
	if err != nil {
		return nil, fmt.Errorf("hold a port: %w", errors.Join(err, unix.Close(socket)))
	}
	return &port{socket: socket, number: number}, nil
}

func bind(socket int) (int, error) {
	if err := unix.SetsockoptInt(socket, unix.SOL_SOCKET, unix.SO_REUSEPORT, 1); err != nil {
		return 0, err
	}
	if err := unix.Bind(socket, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return 0, err
	}
	address, err := unix.Getsockname(socket)
	if err != nil {
		return 0, err
	}
	ipv4, ok := address.(*unix.SockaddrInet4)
	if !ok {
		return 0, fmt.Errorf("bound to %v", address)
	}
	return ipv4.Port, nil
}

// release releases the port. It is called once.
func (p *port) release() error { return unix.Close(p.socket) }
