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
	// last is the last part of the program's output.
	last tail
	// ended is closed when the program has ended and nothing of it is left; err is its result, and
	// set before.
	ended chan struct{}
	err   error
}

// startProcess runs a program. Its output is also written to log, unless that is nil.
func startProcess(log io.Writer, name, binary string, args ...string) (*process, error) {
	p := &process{name: name, cmd: exec.Command(binary, args...), ended: make(chan struct{})}
	p.cmd.SysProcAttr = attributes()
	// One writer for both means one goroutine that writes.
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

// run starts the program and waits for its end on one thread: if the program is killed when its
// parent dies, the thread is the parent.
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

// stop asks the program to end, and kills it after the grace period. It returns when the program
// has ended; if it had ended before, that is an error.
func (p *process) stop(grace time.Duration) error {
	if err := p.alive(); err != nil {
		return err
	}
	// A program that ends at this moment cannot be signalled.
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-p.ended:
	case <-timer.C:
		p.kill()
	}
	return nil
}

// alive returns an error with the program's result if it has ended.
func (p *process) alive() error {
	select {
	case <-p.ended:
	default:
		return nil
	}
	if p.err == nil {
		return fmt.Errorf("%s ended by itself\n%s", p.name, p.last.String())
	}
	return fmt.Errorf("%s ended by itself: %w\n%s", p.name, p.err, p.last.String())
}

// kill ends the program immediately, and returns when it has ended.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it fails if the program has ended
	<-p.ended
}
