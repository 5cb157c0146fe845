package contest

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/bench/internal/measure"
)

// taskVariable is the environment variable that turns this program into a child. It contains a
// task.
const taskVariable = "LISTWATCH_BENCH_TASK"

// task is the task of a child.
type task struct {
	// Work is the name of a work; if empty, the child is the server. Contender is the index
	// of a contender.
	Work      string
	Contender int
	// Objects is the number of objects to process or serve, WarmUp the number before the
	// measurement.
	Objects, WarmUp int
	Env             Env
	// Profiles is the directory for profiles, or "" for none.
	Profiles string

	program string // of the contender, "" for this one
}

// outcome is the report of a child.
type outcome struct {
	Cost measure.Cost
	// Seen is the number of objects, Digest a hash of their names and versions.
	Seen   int
	Digest uint64
	// Figures are the figures measured by the run itself.
	Figures map[string]float64
}

// Child runs the task in the environment and reports whether there was one. Main functions,
// including those of tests, must call it first.
func (c Contest) Child() (bool, error) {
	text := os.Getenv(taskVariable)
	if text == "" {
		return false, nil
	}
	var t task
	if err := json.Unmarshal([]byte(text), &t); err != nil {
		return true, err
	}
	if t.Work == "" {
		return true, c.serve(t)
	}
	o, err := c.do(t)
	if err != nil {
		return true, fmt.Errorf("%s, %s: %w", t.Work, c.Contenders[t.Contender], err)
	}
	return true, json.NewEncoder(os.Stdout).Encode(o)
}

// command returns the contender's program, usually this one, as a child.
func (t task) command() (*exec.Cmd, error) {
	program := t.program
	if program == "" {
		var err error
		if program, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	text, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), taskVariable+"="+string(text))
	cmd.Stderr = os.Stderr
	return cmd, nil
}

// measure runs the task in its own process.
func (t task) measure() (outcome, error) {
	cmd, err := t.command()
	if err != nil {
		return outcome{}, err
	}
	out, err := cmd.Output()
	if err != nil {
		return outcome{}, err
	}
	var o outcome
	err = json.Unmarshal(out, &o)
	return o, err
}

// do runs the task in this process.
func (c Contest) do(t task) (outcome, error) {
	works := c.works()
	w := slices.IndexFunc(works, func(w Work) bool { return w.Name == t.Work })
	if w < 0 {
		return outcome{}, fmt.Errorf("no such work")
	}
	run, err := works[w].Start(t.Contender, t.Env)
	if err != nil {
		return outcome{}, err
	}
	if t.WarmUp > 0 {
		if _, err := run(t.WarmUp, newObserver()); err != nil {
			return outcome{}, err
		}
	}
	stop, err := t.profile(c.Contenders[t.Contender])
	if err != nil {
		return outcome{}, err
	}
	observer := newObserver()
	cost, err := measure.Self(func() (any, error) { return run(t.Objects, observer) })
	if err != nil {
		return outcome{}, err
	}
	return outcome{Cost: cost, Seen: observer.seen, Digest: observer.digest, Figures: observer.figures}, stop()
}

// profile starts a CPU profile if requested. The returned function stops it and adds an
// allocation profile.
func (t task) profile(contender string) (stop func() error, err error) {
	if t.Profiles == "" {
		return func() error { return nil }, nil
	}
	name := strings.NewReplacer(" ", "-", ",", "").Replace(t.Work + "." + contender)
	cpu, err := os.Create(filepath.Join(t.Profiles, name+".cpu.prof"))
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(cpu); err != nil {
		return nil, err
	}
	return func() error {
		pprof.StopCPUProfile()
		if err := cpu.Close(); err != nil {
			return err
		}
		allocs, err := os.Create(filepath.Join(t.Profiles, name+".allocs.prof"))
		if err != nil {
			return err
		}
		if err := pprof.Lookup("allocs").WriteTo(allocs, 0); err != nil {
			return err
		}
		return allocs.Close()
	}, nil
}

// serve runs an HTTP server until standard input ends. It prints its URL.
func (c Contest) serve(t task) error {
	handler, err := c.Serve(t.Objects)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: handler}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	fmt.Printf("http://%s\n", listener.Addr())
	ended := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(ended)
	}()
	select {
	case err := <-failed:
		return err
	case <-ended:
		return server.Close()
	}
}

// startServer starts a server in its own process and returns its URL, and a function that stops
// it.
func startServer(objects int) (url string, stop func() error, err error) {
	cmd, err := task{Objects: objects}.command()
	if err != nil {
		return "", nil, err
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() error {
		_ = stdin.Close()
		return cmd.Wait()
	}
	if _, err := fmt.Fscanln(stdout, &url); err != nil {
		_ = stop()
		return "", nil, fmt.Errorf("start the server: %w", err)
	}
	return url, stop, nil
}
