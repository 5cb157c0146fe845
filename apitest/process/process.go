// Package process runs apitest's server as a program, so that a test does not link the server.
//
// A test package that uses it compiles and links about as little as its clients do. The program is built once, by the
// go command, and is in its cache then:
//
//	go get -tool github.com/listwatch/listwatch/apitest/cmd/apitest
//
// A test starts it for itself:
//
//	func TestShelve(t *testing.T) {
//		srv := process.Start(t, process.Options{CRDs: []string{"../config/crd"}})
//		clients := versioned.NewForConfigOrDie(srv.Config())
//		...
//	}
//
// # Limits
//
// What package apitest does with a [Server] in its own process is not available: faults, snapshots, recordings, the
// clock, and objects as Go values. Start takes longer, some tenths of a second, and so does the first request for each
// resource of a test; tests of one package can share a server.
package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/listwatch/listwatch/runtime/clientcmd"
	"github.com/listwatch/listwatch/runtime/rest"
)

// Options of a server. The zero value has no objects but those of every server.
type Options struct {
	// Program is the path of the program cmd/apitest. The default is the environment variable APITEST, otherwise the
	// tool apitest of the module in the working directory, which is built if necessary.
	Program string
	// CRDs and Manifests are paths as in apitest.WithCRDs and apitest.WithManifests. They must not contain commas.
	CRDs, Manifests []string
}

// Server is a server in a process of its own. It is safe for concurrent use.
type Server struct {
	config     *rest.Config
	kubeconfig []byte
	command    *exec.Cmd
	stderr     *tail

	stop func() error // is called once
}

// Start starts a server for a test, and stops it when the test and its subtests end. If the server cannot start, the
// test fails at once.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	s, err := New(t.Context(), o)
	if err != nil {
		t.Fatalf("start an API server: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Errorf("stop the API server: %v", err)
		}
	})
	return s
}

// New starts a server for a program, such as a TestMain. It returns when the server responds. The context bounds the
// start. The caller must call [Server.Stop]; if the program is killed, the server ends after a second. Errors contain
// what the program has printed.
func New(ctx context.Context, o Options) (*Server, error) {
	program, err := o.program(ctx)
	if err != nil {
		return nil, err
	}
	args := []string{"--with-parent"}
	for _, path := range o.CRDs {
		args = append(args, "--crds="+path)
	}
	for _, path := range o.Manifests {
		args = append(args, "--manifests="+path)
	}
	s := &Server{command: exec.Command(program, args...), stderr: &tail{}}
	s.command.Stderr = s.stderr
	s.command.WaitDelay = stopTime
	output, err := s.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err = s.command.Start(); err != nil {
		return nil, err
	}
	s.stop = sync.OnceValue(s.end)
	interrupted := context.AfterFunc(ctx, func() { _ = s.command.Process.Kill() }) // it may have ended
	s.kubeconfig, err = io.ReadAll(output)                                         // the program closes it
	if !interrupted() {
		err = ctx.Err()
	}
	if err == nil && len(s.kubeconfig) == 0 {
		err = errors.New("the program has ended")
	}
	if err == nil {
		s.config, err = clientcmd.RESTConfigFromKubeConfig(s.kubeconfig)
	}
	if err != nil {
		_ = s.command.Process.Kill()
		_ = s.command.Wait() // stderr is complete then
		return nil, fmt.Errorf("%s: %w\n%s", program, err, s.stderr)
	}
	return s, nil
}

// program returns the path of the program.
func (o Options) program(ctx context.Context) (string, error) {
	if o.Program != "" {
		return o.Program, nil
	}
	if path := os.Getenv("APITEST"); path != "" {
		return path, nil
	}
	command := exec.CommandContext(ctx, "go", "tool", "-n", "apitest")
	stderr := &tail{}
	command.Stderr = stderr
	path, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("go tool -n apitest: %w\n%s\n"+
			"run go get -tool github.com/listwatch/listwatch/apitest/cmd/apitest, or set APITEST to the program", err, stderr)
	}
	return strings.TrimSpace(string(path)), nil
}

// stopTime is how long a server that is stopped may take; then it is killed.
const stopTime = 5 * time.Second

// Config returns a client configuration with all permissions. The caller owns the result.
func (s *Server) Config() *rest.Config { return rest.CopyConfig(s.config) }

// ConfigFor returns a client configuration for a user in some groups, whom the admin impersonates: system:authenticated
// is not added. The caller owns the result.
func (s *Server) ConfigFor(name string, groups ...string) *rest.Config {
	config := s.Config()
	config.Impersonate = rest.ImpersonationConfig{UserName: name, Groups: groups}
	return config
}

// Kubeconfig returns the content of a kubeconfig file with all permissions, for client-go and kubectl. The caller owns
// the result.
func (s *Server) Kubeconfig() []byte { return append([]byte(nil), s.kubeconfig...) }

// Stop ends the server. Further calls return the same error.
func (s *Server) Stop() error { return s.stop() }

func (s *Server) end() error {
	killed := time.AfterFunc(stopTime, func() { _ = s.command.Process.Kill() })
	defer killed.Stop()
	if err := s.command.Process.Signal(os.Interrupt); err != nil {
		_ = s.command.Process.Kill() // systems without signals
	}
	if err := s.command.Wait(); err != nil {
		return fmt.Errorf("%w\n%s", err, s.stderr)
	}
	return nil
}

// tail keeps the end of what is written. It is safe for concurrent use.
type tail struct {
	mu   sync.Mutex // guards text
	text []byte
}

const maxTail = 64 << 10

// Write implements io.Writer.
func (t *tail) Write(text []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, text...)
	if excess := len(t.text) - maxTail; excess > 0 {
		t.text = append(t.text[:0], t.text[excess:]...)
	}
	return len(text), nil
}

// String returns what is kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
