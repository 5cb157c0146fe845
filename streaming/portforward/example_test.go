package portforward_test

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"

	"k8s.io/apimachinery/pkg/util/httpstream"

	"github.com/listwatch/listwatch/streaming/portforward"
	"github.com/listwatch/listwatch/streaming/spdy"
)

// A local port is forwarded to port 80 of a pod, whose server here sends back what it receives.
func Example() {
	config, stopServer := start(true, echo, log.Fatal) // in a program, the config of a cluster
	defer stopServer()
	pod, err := url.Parse(config.Host + "/api/v1/namespaces/default/pods/web-1/portforward")
	if err != nil {
		log.Fatal(err)
	}

	// WebSockets are tried first, then SPDY.
	websockets, err := portforward.NewSPDYOverWebsocketDialer(pod, config)
	if err != nil {
		log.Fatal(err)
	}
	transport, upgrader, err := spdy.RoundTripperFor(config)
	if err != nil {
		log.Fatal(err)
	}
	dialer := portforward.NewFallbackDialer(websockets,
		spdy.NewDialer(upgrader, &http.Client{Transport: transport}, http.MethodPost, pod), httpstream.IsUpgradeFailure)

	stop, ready, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	forwarder, err := portforward.NewOnAddresses(dialer, []string{"127.0.0.1"}, []string{"0:80"}, stop, ready, io.Discard, os.Stderr)
	if err != nil {
		log.Fatal(err)
	}
	go func() { ended <- forwarder.ForwardPorts() }()
	<-ready
	ports, err := forwarder.GetPorts() // port 0 was replaced by a free one
	if err != nil {
		log.Fatal(err)
	}

	conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", ports[0].Local))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Fprint(conn, "hello")
	answer := make([]byte, len("hello"))
	_, err = io.ReadFull(conn, answer)
	fmt.Println(string(answer), err)
	if err = conn.Close(); err != nil {
		log.Fatal(err)
	}
	close(stop)
	fmt.Println(<-ended)
	// Output:
	// hello <nil>
	// <nil>
}
