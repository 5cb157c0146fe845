package servers

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestCosts starts servers, as many as SERVERS says, with the CRDs in the files of CRDS, and prints what they cost.
func TestCosts(t *testing.T) {
	servers, err := strconv.Atoi(os.Getenv("SERVERS"))
	if err != nil {
		t.Fatal(err)
	}
	var costs struct {
		Starts []time.Duration // of each server
		Memory []int64         // of the processes with the first server, and with all, in bytes
	}
	for i := range servers {
		begin := time.Now()
		start(t, strings.Fields(os.Getenv("CRDS"))...)
		costs.Starts = append(costs.Starts, time.Since(begin))
		if i == 0 || i == servers-1 {
			costs.Memory = append(costs.Memory, resident(t))
		}
	}
	text, err := json.Marshal(costs)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("\n%s\n", text)
}

var (
	parent = regexp.MustCompile(`(?m)^PPid:\s+(\d+)$`)
	memory = regexp.MustCompile(`(?m)^VmRSS:\s+(\d+) kB$`)
)

// resident returns the resident memory of this process, or of those that it has started.
func resident(t *testing.T) int64 {
	t.Helper()
	names, err := filepath.Glob("/proc/[0-9]*/status")
	if err != nil {
		t.Fatal(err)
	}
	if inside {
		names = []string{"/proc/self/status"}
	}
	var sum int64
	for _, name := range names {
		text, _ := os.ReadFile(name) // the process may have ended
		of, size := parent.FindSubmatch(text), memory.FindSubmatch(text)
		if of == nil || size == nil || !inside && string(of[1]) != strconv.Itoa(os.Getpid()) {
			continue
		}
		kilobytes, err := strconv.ParseInt(string(size[1]), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += kilobytes << 10
	}
	if sum == 0 {
		t.Fatal("no process of a server")
	}
	return sum
}
