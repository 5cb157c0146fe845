package kube

import (
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

// children are programs that tests start.
var children map[string]func()

func init() {
	children = map[string]func(){
		"brief":    brief,
		"obedient": obedient,
		"deaf":     deaf,
		"parent":   parent,
	}
}

// brief fails immediately.
func brief() {
	fmt.Println("printed")
	fmt.Fprintln(os.Stderr, "complained")
	os.Exit(3)
}

// obedient ends when it receives a signal.
func obedient() {
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGTERM)
	fmt.Println("ready")
	<-told
	fmt.Println("goodbye")
}

// deaf ends when it is killed.
func deaf() {
	signal.Ignore(syscall.SIGTERM)
	fmt.Println("ready")
	select {}
}

// parent starts a deaf program, prints its process ID when it is ready, and waits.
func parent() {
	log := make(ready)
	p, err := startProcess(log, "deaf", os.Args[0], "deaf")
	if err != nil {
		fmt.Println(err)
		return
	}
	<-log // a program that prints later would otherwise end without a reader
	fmt.Println(p.cmd.Process.Pid)
	select {}
}

// ready is a log that closes itself at the first line "ready".
type ready chan struct{}

func (r ready) Write(p []byte) (int, error) {
	if strings.Contains(string(p), "ready\n") {
		close(r)
	}
	return len(p), nil
}

// startChild starts one of the children that report when they are ready, and waits for that.
func startChild(t *testing.T, child string) *process {
	t.Helper()
	log := make(ready)
	p, err := startProcess(log, child, os.Args[0], child)
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-log:
	case <-p.ended:
		t.Fatal(p.alive())
	}
	return p
}
