// Package portforward forwards local ports to ports of a pod.
//
//	dialer := spdy.NewDialer(upgrader, &http.Client{Transport: transport}, "POST", url)
//	forwarder, err := portforward.New(dialer, []string{"8080:80"}, stop, ready, os.Stdout, os.Stderr)
//	...
//	err = forwarder.ForwardPorts()
//
// # Terminology
//
// A dialer opens the connection to the server, which carries all forwarded connections: each has a data stream and
// a stream for the server's error. [NewSPDYOverWebsocketDialer] returns a dialer for SPDY inside a WebSocket, which
// is what servers prefer; package spdy has the other one, and [NewFallbackDialer] tries both.
//
// # Limits
//
// An error of one forwarded connection, such as a port of the pod on which nothing listens, ends the connection to
// the server, as in kubectl. A forwarder is used once.
package portforward
