package remotecommand_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/util/httpstream"

	"github.com/listwatch/listwatch/runtime/rest"
	"github.com/listwatch/listwatch/streaming/exec"
	"github.com/listwatch/listwatch/streaming/internal/streamtest"
	"github.com/listwatch/listwatch/streaming/remotecommand"
)

// A command runs in a container, as "kubectl exec" does: over a WebSocket, or over SPDY if the server has none.
func Example() {
	// Instead of a cluster, a server whose command is a function.
	server, stop := streamtest.Start([]string{"v5.channel.k8s.io", "v4.channel.k8s.io"}, func(_ context.Context, p streamtest.Process) error {
		line, _ := io.ReadAll(p.Stdin)
		fmt.Fprintf(p.Stdout, "got %s\n", line)
		return streamtest.Exit(3)
	})
	defer stop()

	config := &rest.Config{Host: server.URL}
	pod, err := url.Parse(server.URL + "/api/v1/namespaces/default/pods/web-1/exec?command=cat&stdin=true&stdout=true")
	if err != nil {
		log.Fatal(err)
	}
	websocket, err := remotecommand.NewWebSocketExecutor(config, http.MethodGet, pod.String())
	if err != nil {
		log.Fatal(err)
	}
	spdy, err := remotecommand.NewSPDYExecutor(config, http.MethodPost, pod)
	if err != nil {
		log.Fatal(err)
	}
	executor, err := remotecommand.NewFallbackExecutor(websocket, spdy, httpstream.IsUpgradeFailure)
	if err != nil {
		log.Fatal(err)
	}

	err = executor.StreamWithContext(context.Background(), remotecommand.StreamOptions{
		Stdin:  strings.NewReader("hello"),
		Stdout: os.Stdout,
	})
	var exit exec.CodeExitError
	if errors.As(err, &exit) {
		fmt.Println("exit code", exit.ExitStatus())
	}
	// Output:
	// got hello
	// exit code 3
}
