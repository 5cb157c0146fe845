package apitest

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/listwatch/listwatch/apitest/internal/control"
)

// program is the running program cmd/apitest, which serves requests of package control on a connection over its standard
// input and output. It ends when its input does, that is, with this process.
type program struct {
	path    string
	command *exec.Cmd
	stderr  *tail
	wait    func() error // is called once
}

// variable is the environment variable with the path of the program.
const variable = "APITEST"

// find returns the path of the program. If the go command has to build it, that is announced.
func find(ctx context.Context) (string, error) {
	if path := os.Getenv(variable); path != "" {
		return path, nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go announce(ctx, os.Stderr, time.Now())
	command := exec.CommandContext(ctx, "go", "tool", "-n", "apitest")
	stderr := &tail{}
	command.Stderr = stderr
	path, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("go tool -n apitest: %w\n%s\n"+
			"run go get -tool github.com/listwatch/listwatch/apitest/cmd/apitest, or set %s to the program", err, stderr, variable)
	}
	return strings.TrimSpace(string(path)), nil
}

// announcements are the times between announcements of a build.
const announcements = 10 * time.Second

// announce tells every few seconds how long the program has been built, until ctx ends. If it is in the go command's
// cache, nothing is printed.
func announce(ctx context.Context, out io.Writer, start time.Time) {
	ticker := time.NewTicker(announcements)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-ticker.C:
			fmt.Fprintf(out, "building the program apitest, once for each version, which takes minutes: %s so far\n",
				now.Sub(start).Round(time.Second))
		}
	}
}

// launch starts the program, and returns the engine that uses it.
func launch(path string) (*engine, error) {
	p := &program{path: path, command: exec.Command(path, "control"), stderr: &tail{}}
	p.command.Stderr = p.stderr
	in, err := p.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err = p.command.Start(); err != nil {
		return nil, err
	}
	p.wait = sync.OnceValue(p.command.Wait)
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	transport := &http.Transport{
		Protocols:   protocols,
		DialContext: func(context.Context, string, string) (net.Conn, error) { return control.NewConn(out, in), nil },
	}
	conn, err := transport.NewClientConn(context.Background(), "http", "apitest.invalid:80")
	if err != nil {
		return nil, p.broken(err)
	}
	return &engine{program: p, transport: conn}, nil
}

// broken ends the program, whose connection has failed with an error, and returns the error with what it has printed.
func (p *program) broken(err error) error {
	_ = p.command.Process.Kill() // it may have ended
	_ = p.wait()                 // stderr is complete then
	return fmt.Errorf("%s: %w\n%s", p.path, err, p.stderr)
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
