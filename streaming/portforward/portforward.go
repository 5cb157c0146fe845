package portforward

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/util/httpstream"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/klog/v2"
	streaming "k8s.io/streaming/pkg/httpstream"

	"github.com/listwatch/listwatch/streaming/internal/httpstreams"
)

// PortForwardProtocolV1Name is the subprotocol of forwarded ports.
const PortForwardProtocolV1Name = "portforward.k8s.io"

// ErrLostConnectionToPod reports that the connection to the server has ended before the forwarder was stopped.
var ErrLostConnectionToPod = errors.New("lost connection to pod")

// PortForwarder listens on local ports, and forwards what connects to them to ports of a pod.
type PortForwarder struct {
	// Ready is closed when the forwarder listens; it may be nil.
	Ready chan struct{}

	addresses []address
	ports     []ForwardedPort // Local is set before Ready is closed
	stop      <-chan struct{}
	logger    klog.Logger
	dialer    httpstream.Dialer
	requests  atomic.Int64 // numbers the connections

	outMu       sync.Mutex // is held to write to out or errOut
	out, errOut io.Writer  // may be nil

	mu        sync.Mutex // guards the fields below
	listeners []net.Listener
	closed    bool
}

// New returns a forwarder that listens on localhost. ports are pairs of a local and a remote port, such as
// "8888:5000", "5000" for two equal ports, or ":5000" for any free local port. The forwarder stops when stopChan is
// closed, and closes readyChan, unless it is nil, when it listens. Messages are written to out, and errors to
// errOut; either may be nil.
func New(dialer httpstream.Dialer, ports []string, stopChan <-chan struct{}, readyChan chan struct{}, out, errOut io.Writer) (*PortForwarder, error) {
	return NewOnAddresses(dialer, []string{"localhost"}, ports, stopChan, readyChan, out, errOut)
}

// NewForStreaming is [New] for the interfaces of k8s.io/streaming.
func NewForStreaming(dialer streaming.Dialer, ports []string, stopChan <-chan struct{}, readyChan chan struct{}, out, errOut io.Writer) (*PortForwarder, error) {
	return NewOnAddressesForStreaming(dialer, []string{"localhost"}, ports, stopChan, readyChan, out, errOut)
}

// NewOnAddresses is [New] with local addresses to listen on: IPs, or "localhost", of whose two IPs one is enough.
func NewOnAddresses(dialer httpstream.Dialer, addresses []string, ports []string, stopChan <-chan struct{}, readyChan chan struct{}, out, errOut io.Writer) (*PortForwarder, error) {
	return NewOnAddressesWithContext(wait.ContextForChannel(stopChan), dialer, addresses, ports, readyChan, out, errOut)
}

// NewOnAddressesForStreaming is [NewOnAddresses] for the interfaces of k8s.io/streaming.
func NewOnAddressesForStreaming(dialer streaming.Dialer, addresses []string, ports []string, stopChan <-chan struct{}, readyChan chan struct{}, out, errOut io.Writer) (*PortForwarder, error) {
	return NewOnAddressesForStreamingWithContext(wait.ContextForChannel(stopChan), dialer, addresses, ports, readyChan, out, errOut)
}

// NewOnAddressesForStreamingWithContext is [NewOnAddressesWithContext] for the interfaces of k8s.io/streaming.
func NewOnAddressesForStreamingWithContext(ctx context.Context, dialer streaming.Dialer, addresses []string, ports []string, readyChan chan struct{}, out, errOut io.Writer) (*PortForwarder, error) {
	return NewOnAddressesWithContext(ctx, fromStreaming{dialer}, addresses, ports, readyChan, out, errOut)
}

// NewOnAddressesWithContext is [NewOnAddresses] that stops when ctx ends, and logs to its logger.
func NewOnAddressesWithContext(ctx context.Context, dialer httpstream.Dialer, addresses []string, ports []string, readyChan chan struct{}, out, errOut io.Writer) (*PortForwarder, error) {
	if len(addresses) == 0 {
		return nil, errors.New("you must specify at least 1 address")
	}
	parsedAddresses, err := parseAddresses(addresses)
	if err != nil {
		return nil, err
	}
	if len(ports) == 0 {
		return nil, errors.New("you must specify at least 1 port")
	}
	parsedPorts, err := parsePorts(ports)
	if err != nil {
		return nil, err
	}
	return &PortForwarder{
		Ready:     readyChan,
		addresses: parsedAddresses,
		ports:     parsedPorts,
		stop:      ctx.Done(),
		logger:    klog.FromContext(ctx),
		dialer:    dialer,
		out:       out,
		errOut:    errOut,
	}, nil
}

// fromStreaming is a dialer of k8s.io/streaming as one of apimachinery.
type fromStreaming struct{ streaming.Dialer }

func (d fromStreaming) Dial(protocols ...string) (httpstream.Connection, string, error) {
	return d.DialContext(context.Background(), protocols...)
}

func (d fromStreaming) DialContext(ctx context.Context, protocols ...string) (httpstream.Connection, string, error) {
	conn, protocol, err := dial(ctx, anyDialer[streaming.Connection](d.Dialer), protocols...)
	if err != nil {
		return nil, "", err
	}
	return httpstreams.FromStreaming(conn), protocol, nil
}

// ForwardPorts connects to the server, listens, and forwards until the forwarder is stopped: then it returns nil,
// and all connections are closed. If the server closes the connection, the error is [ErrLostConnectionToPod]. It
// may be called once.
func (pf *PortForwarder) ForwardPorts() error {
	defer pf.Close()
	ctx, cancel := context.WithCancel(klog.NewContext(wait.ContextForChannel(pf.stop), pf.logger))
	defer cancel()
	conn, protocol, err := dial(ctx, anyDialer[httpstream.Connection](pf.dialer), PortForwardProtocolV1Name)
	if err != nil {
		if ctx.Err() != nil {
			return nil // it was stopped
		}
		return fmt.Errorf("error upgrading connection: %w", err)
	}
	var serving sync.WaitGroup
	defer serving.Wait()
	defer pf.Close()
	defer func() { _ = conn.Close() }() // what it forwards is lost either way
	if protocol != PortForwardProtocolV1Name {
		return fmt.Errorf("unable to negotiate protocol: client supports %q, server returned %q", PortForwardProtocolV1Name, protocol)
	}

	listening := false
	for i := range pf.ports {
		listeners, err := pf.listen(&pf.ports[i])
		if err != nil {
			pf.printError("Unable to listen on port %d: %v\n", pf.ports[i].Local, err)
		}
		listening = listening || err == nil
		for _, listener := range listeners {
			serving.Go(func() { pf.serve(&serving, conn, listener, pf.ports[i]) })
		}
	}
	if !listening {
		return fmt.Errorf("unable to listen on any of the requested ports: %v", pf.ports)
	}
	if pf.Ready != nil {
		close(pf.Ready)
	}
	select {
	case <-ctx.Done():
		return nil
	case <-conn.CloseChan():
		return ErrLostConnectionToPod
	}
}

// Close closes the forwarder's listeners. Connections are forwarded until ForwardPorts returns.
func (pf *PortForwarder) Close() {
	pf.mu.Lock()
	defer pf.mu.Unlock()
	pf.closed = true
	for _, listener := range pf.listeners {
		if err := listener.Close(); err != nil {
			pf.logger.Error(err, "Failed to close a listener", "address", listener.Addr())
		}
	}
	pf.listeners = nil
}

// GetPorts returns the ports with the local ports that were chosen. It is an error to call it before the channel
// Ready is closed, or if that is nil. The caller must not modify the result.
func (pf *PortForwarder) GetPorts() ([]ForwardedPort, error) {
	if pf.Ready == nil {
		return nil, errors.New("no Ready channel provided")
	}
	select {
	case <-pf.Ready:
		return pf.ports, nil
	default:
		return nil, errors.New("listeners not ready")
	}
}

// listen listens on a port of all addresses, and sets the local port if any is wanted. If there are listeners and an
// error, some addresses failed.
func (pf *PortForwarder) listen(port *ForwardedPort) (listeners []net.Listener, err error) {
	var failures []error
	local, localFailed, failed := false, false, false
	for _, address := range pf.addresses {
		listener, err := pf.listenOn(address, port)
		if err != nil {
			failures = append(failures, err)
			localFailed = localFailed || address.optional
			failed = failed || !address.optional
			continue
		}
		local = local || address.optional
		listeners = append(listeners, listener)
	}
	if failed || localFailed && !local {
		return listeners, fmt.Errorf("%s: %w", "Listeners failed to create with the following errors", errors.Join(failures...))
	}
	return listeners, nil
}

func (pf *PortForwarder) listenOn(address address, port *ForwardedPort) (net.Listener, error) {
	listener, err := net.Listen(address.network, net.JoinHostPort(address.ip, strconv.Itoa(int(port.Local))))
	if err != nil {
		return nil, fmt.Errorf("unable to create listener: %w", err)
	}
	pf.mu.Lock()
	defer pf.mu.Unlock()
	if pf.closed {
		_ = listener.Close() // it was not used
		return nil, net.ErrClosed
	}
	pf.listeners = append(pf.listeners, listener)
	port.Local = uint16(listener.Addr().(*net.TCPAddr).Port)
	pf.print("Forwarding from %s -> %d\n", net.JoinHostPort(address.ip, strconv.Itoa(int(port.Local))), port.Remote)
	return listener, nil
}

func (pf *PortForwarder) print(format string, args ...any) { pf.printTo(pf.out, format, args...) }

func (pf *PortForwarder) printError(format string, args ...any) {
	pf.printTo(pf.errOut, format, args...)
}

func (pf *PortForwarder) printTo(w io.Writer, format string, args ...any) {
	if w == nil {
		return
	}
	pf.outMu.Lock()
	defer pf.outMu.Unlock()
	fmt.Fprintf(w, format, args...)
}
