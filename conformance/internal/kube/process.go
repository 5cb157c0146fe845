package kube

import (
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// process is a program that runs until it is stopped.
type process struct {
	name string
	cmd  *exec.Cmd
	// last is the end of what the program printed.
	last tail
	// ended is closed when the program has ended and nothing of it is left; err is how
	// it ended, and set before.
	ended chan struct{}
	err   error
}

// startProcess runs a program. What it prints goes to log, too, unless that is nil.
func startProcess(log io.Writer, name, binary string, args ...string) (*process, error) {
	p := &process{name: name, cmd: exec.Command(binary, args...), ended: make(chan struct{})}
	p.cmd.SysProcAttr = attributes()
	// One writer for both is one goroutine that writes.
	var out io.Writer = &p.last
	if log != nil {
		out = io.MultiWriter(&p.last, log)
	}
	p.cmd.Stdout, p.cmd.Stderr = out, out

	started := make(chan error)
	go p.run(started)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	return p, nil
}

// run starts the program and waits for its end on one thread: where the program is
// killed when its parent dies, the parent is the thread.
func (p *process) run(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	p.err = p.cmd.Wait()
	close(p.ended)
}

// failure says how the program ended by itself. It is called after it has.
func (p *process) failure() error {
	err := p.err
	if err == nil {
		return fmt.Errorf("%s ended by itself\n%s", p.name, p.last.String())
	}
	return fmt.Errorf("%s ended by itself: %w\n%s", p.name, err, p.last.String())
}

// stop asks the program to end, and kills it after the time given to it. It returns
// when the program has ended; that it had to be killed, or had ended before, is an
// error.
func (p *process) stop(grace time.Duration) error {
	select {
	case <-p.ended:
		return p.failure()
	default:
	}
	// A program that ends at this moment cannot be told to.
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-p.ended:
		return nil
	case <-timer.C:
		p.kill()
		return fmt.Errorf("%s did not end within %s, and was killed\n%s", p.name, grace, p.last.String())
	}
}

// kill ends the program at once, and returns when it has ended.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it fails for a program that has ended
	<-p.ended
}
