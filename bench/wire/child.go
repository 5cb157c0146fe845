package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/bench/internal/measure"
	"github.com/listwatch/listwatch/bench/wire/internal/input"
)

// taskVariable is the environment variable that makes this program a child: it
// holds a task.
const taskVariable = "LISTWATCH_BENCH_WIRE_TASK"

// task is what a child is to do.
type task struct {
	// Work and Contender are names. Without a work, the child is the server.
	Work, Contender string
	// Objects is how many to decode, or to serve; WarmUp how many before.
	Objects, WarmUp int
	// URL is where the server is.
	URL string
	// Profiles is the folder for profiles, or "" for none.
	Profiles string
}

// outcome is what a child reports.
type outcome struct {
	Cost measure.Cost
	// Objects is how many were decoded, Digest stands for their names and versions.
	Objects int
	Digest  uint64
}

// child does what the environment asks for and reports whether it did.
func child() (bool, error) {
	text := os.Getenv(taskVariable)
	if text == "" {
		return false, nil
	}
	var t task
	if err := json.Unmarshal([]byte(text), &t); err != nil {
		return true, err
	}
	if t.Work == "" {
		return true, t.serve()
	}
	o, err := t.run()
	if err != nil {
		return true, fmt.Errorf("%s, %s: %w", t.Work, t.Contender, err)
	}
	return true, json.NewEncoder(os.Stdout).Encode(o)
}

// command returns this program as a child.
func (t task) command() (*exec.Cmd, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
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

// measure runs the task in a process of its own.
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

// run does the task in this process.
func (t task) run() (outcome, error) {
	w := slices.IndexFunc(works, func(w work) bool { return w.name == t.Work })
	c := slices.IndexFunc(contenders, func(c *contender) bool { return c.name == t.Contender })
	if w < 0 || c < 0 {
		return outcome{}, fmt.Errorf("no such work or contender")
	}
	bodies, err := input.NewBodies(prepared)
	if err != nil {
		return outcome{}, err
	}
	run, err := works[w].start(contenders[c], inputs{server: input.Server{Bodies: bodies}, url: t.URL})
	if err != nil {
		return outcome{}, err
	}
	if t.WarmUp > 0 {
		if _, err := run(t.WarmUp, func(runtime.Object) {}); err != nil {
			return outcome{}, err
		}
	}
	stop, err := t.profile()
	if err != nil {
		return outcome{}, err
	}
	digest := fnv.New64a()
	var text []byte // used again, so that looking at an object allocates nothing
	var o outcome
	o.Cost, err = measure.Self(func() (any, error) {
		return run(t.Objects, func(object runtime.Object) {
			o.Objects++
			named := object.(metav1.Object)
			text = append(append(text[:0], named.GetName()...), named.GetResourceVersion()...)
			digest.Write(text)
		})
	})
	if err != nil {
		return outcome{}, err
	}
	o.Digest = digest.Sum64()
	return o, stop()
}

// profile begins a profile of CPU time, if one is wanted, and returns what ends it and
// adds one of allocations.
func (t task) profile() (stop func() error, err error) {
	if t.Profiles == "" {
		return func() error { return nil }, nil
	}
	name := strings.NewReplacer(" ", "-", ",", "").Replace(t.Work + "." + t.Contender)
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

// serve answers over HTTP until standard input ends. It prints its URL.
func (t task) serve() error {
	bodies, err := input.NewBodies(t.Objects)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: input.Server{Bodies: bodies}}
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

// startServer starts a server in a process of its own and returns its URL, and what
// ends it.
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
