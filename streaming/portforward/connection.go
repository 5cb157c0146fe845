package portforward

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"

	"k8s.io/apimachinery/pkg/util/httpstream"
)

// Headers of a forwarded connection's streams.
const (
	typeHeader    = "streamType"
	portHeader    = "port"
	requestHeader = "requestID"
)

// messageLimit is the number of bytes that are read of a server's error.
const messageLimit = 64 << 10

// serve forwards the connections of a listener until it is closed.
func (pf *PortForwarder) serve(serving *sync.WaitGroup, conn httpstream.Connection, listener net.Listener, port ForwardedPort) {
	for {
		local, err := listener.Accept()
		if err != nil {
			if !errors.Is(err, net.ErrClosed) {
				pf.logger.Error(err, "Failed to accept a connection, listening no more", "localPort", port.Local)
			}
			return
		}
		pf.print("Handling connection for %d\n", port.Local)
		serving.Go(func() {
			if err := pf.forward(conn, local, port); err != nil {
				pf.logger.Error(err, "Failed to forward a connection", "localPort", port.Local, "remotePort", port.Remote)
			}
		})
	}
}

// forward forwards a local connection until either end has closed it. If the server reports an error, or cannot be
// reached, it closes conn.
func (pf *PortForwarder) forward(conn httpstream.Connection, local net.Conn, port ForwardedPort) error {
	defer func() { _ = local.Close() }() // after all was sent, or after an error
	request := strconv.FormatInt(pf.requests.Add(1)-1, 10)
	create := func(kind string) (httpstream.Stream, error) {
		headers := http.Header{}
		headers.Set(typeHeader, kind)
		headers.Set(portHeader, strconv.Itoa(int(port.Remote)))
		headers.Set(requestHeader, request)
		return conn.CreateStream(headers)
	}
	errorStream, err := create("error")
	if err != nil {
		return err
	}
	defer conn.RemoveStreams(errorStream)
	_ = errorStream.Close() // nothing is written to it
	reported := make(chan error, 1)
	go func() { reported <- readError(errorStream) }()
	dataStream, err := create("data")
	if err != nil {
		return errors.Join(err, errorStream.Reset())
	}
	defer conn.RemoveStreams(dataStream)

	copyBoth(local, dataStream)

	err = <-reported
	if err != nil {
		_ = conn.Close() // the error says more
	}
	return err
}

// readError returns the error that a server reports, nil if the stream ends without one.
func readError(stream io.Reader) error {
	message, err := io.ReadAll(io.LimitReader(stream, messageLimit))
	if err == nil && len(message) > 0 {
		err = errors.New(string(message))
	}
	return err
}

// copyBoth copies both ways until the server ends, or the local connection fails. Then it resets the stream: unread
// data would delay the other streams.
func copyBoth(local net.Conn, remote httpstream.Stream) {
	over := make(chan struct{}, 2)
	var copying sync.WaitGroup
	copying.Go(func() {
		_, _ = io.Copy(local, remote) // either way, it is over
		over <- struct{}{}
	})
	copying.Go(func() {
		_, err := io.Copy(remote, struct{ io.Reader }{local})
		_ = remote.Close() // the server sees the end of the data, and may still answer
		if err != nil {
			over <- struct{}{}
		}
	})
	<-over
	_ = remote.Reset()
	_ = local.Close()
	copying.Wait()
}
