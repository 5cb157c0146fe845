package election

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/listwatch/listwatch/conformance/internal/proxy"
)

// process is a running replica.
type process struct {
	name  string
	proxy *proxy.Proxy
	cmd   *exec.Cmd
	input io.WriteCloser
	done  chan struct{} // closed when the output has ended

	of *history
}

// span is the time for which a replica led.
type span struct {
	by    *process
	token int
	from  time.Time
	// to is the end, zero if there is none yet. For a process that was suspended or killed while it led, it is
	// the time of that: what it does later, fencing has to prevent.
	to time.Time
}

// history is what the replicas of an election did.
type history struct {
	mu      sync.Mutex // guards the fields below
	changed *sync.Cond
	spans   []*span
	events  map[string]int // by kind
}

func newHistory() *history {
	h := &history{events: map[string]int{}}
	h.changed = sync.NewCond(&h.mu)
	return h
}

func (h *history) add(p *process, e event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.events[e.Kind]++
	switch e.Kind {
	case "started":
		h.spans = append(h.spans, &span{by: p, token: e.Token, from: e.At})
	case "ended":
		h.end(p, e.At)
	}
	h.changed.Broadcast()
}

// end is called with mu.
func (h *history) end(p *process, at time.Time) {
	for _, s := range h.spans {
		if s.by == p && s.to.IsZero() {
			s.to = at
		}
	}
}

// interrupt ends the term of a process that can no longer tell.
func (h *history) interrupt(p *process) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.end(p, time.Now())
}

// leader waits until a replica leads whose token is higher than the given one.
func (h *history) leader(t *testing.T, after int) *span {
	t.Helper()
	late := time.AfterFunc(2*time.Minute, func() { h.changed.Broadcast() })
	defer late.Stop()
	deadline := time.Now().Add(2 * time.Minute)
	h.mu.Lock()
	defer h.mu.Unlock()
	for {
		for _, s := range h.spans {
			if s.token > after && s.to.IsZero() {
				return s
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("no leader after term %d", after)
		}
		h.changed.Wait()
	}
}

// ended waits until a span has ended.
func (h *history) ended(s *span) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s.to.IsZero() {
		h.changed.Wait()
	}
}

// twice describes the first two leaders at once, or returns an empty string.
func (h *history) twice() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, s := range h.spans {
		for _, before := range h.spans[:i] {
			if s.token <= before.token {
				return fmt.Sprintf("%s began term %d after term %d", s.by.name, s.token, before.token)
			}
			if before.to.IsZero() || before.to.After(s.from) {
				return fmt.Sprintf("%s began term %d at %s, when %s was in term %d until %s",
					s.by.name, s.token, s.from, before.by.name, before.token, before.to)
			}
		}
	}
	return ""
}

// start starts a replica.
func (h *history) start(name string, p *proxy.Proxy, s setup) (*process, error) {
	s.Host, s.Identity = "https://"+p.Address(), name
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	r := &process{name: name, proxy: p, done: make(chan struct{}), of: h, cmd: exec.Command(os.Args[0])}
	r.cmd.Env = append(os.Environ(), replicaVariable+"="+string(text))
	r.cmd.Stderr = os.Stderr
	if !testing.Verbose() {
		r.cmd.Stderr = nil
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
			var e event
			if json.NewDecoder(strings.NewReader(lines.Text())).Decode(&e) == nil {
				h.add(r, e)
			}
		}
	}()
	return r, nil
}

func (r *process) command(line string) { _, _ = io.WriteString(r.input, line+"\n") }

func (r *process) signal(s os.Signal) { _ = r.cmd.Process.Signal(s) }

// suspend stops the process until it is resumed.
func (r *process) suspend() {
	r.of.interrupt(r)
	r.signal(syscall.SIGSTOP)
}

func (r *process) resume() { r.signal(syscall.SIGCONT) }

// kill kills the process and waits until it is gone.
func (r *process) kill() {
	r.of.interrupt(r)
	_ = r.cmd.Process.Kill()
	<-r.done
	_ = r.cmd.Wait()
}
