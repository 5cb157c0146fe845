package shards

import (
	"bufio"
	"cmp"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/proxy"
)

// process is a running replica.
type process struct {
	identity string
	proxy    *proxy.Proxy
	cmd      *exec.Cmd
	input    io.WriteCloser
	done     chan struct{} // closed when the output has ended

	mu   sync.Mutex // guards last
	last stats
}

// start starts a replica behind a proxy.
func start(s setup, p *proxy.Proxy) (*process, error) {
	s.Host = "https://" + p.Address()
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	r := &process{identity: s.Identity, proxy: p, done: make(chan struct{}), cmd: exec.Command(cmp.Or(s.program, os.Args[0]))}
	r.cmd.Env = append(os.Environ(), replicaVariable+"="+string(text))
	if testing.Verbose() {
		r.cmd.Stderr = os.Stderr
	}
	if r.input, err = r.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	output, err := r.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := r.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(r.done)
		for lines := bufio.NewScanner(output); lines.Scan(); {
			var s stats
			if json.Unmarshal(lines.Bytes(), &s) == nil {
				r.mu.Lock()
				r.last = s
				r.mu.Unlock()
			}
		}
	}()
	return r, nil
}

// stats returns what the replica has reported last.
func (r *process) stats() stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last
}

func (r *process) signal(s os.Signal) { _ = r.cmd.Process.Signal(s) }
func (r *process) suspend()           { r.signal(syscall.SIGSTOP) }
func (r *process) resume()            { r.signal(syscall.SIGCONT) }

// stop asks the process to leave, and waits for its end.
func (r *process) stop() error {
	_ = r.input.Close()
	<-r.done
	return r.cmd.Wait()
}

// kill kills the process and waits until it is gone.
func (r *process) kill() {
	_ = r.cmd.Process.Kill()
	<-r.done
	_ = r.cmd.Wait()
}
