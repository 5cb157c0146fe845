//go:build programs

package linking_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/listwatch/listwatch/conformance/internal/kube"
	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/internal/golden"
)

// times is the number of measurements of which the median is reported.
const times = 5

// TestCosts measures what servers cost a test, and writes it with LISTWATCH_UPDATE=1.
func TestCosts(t *testing.T) {
	root, err := peers.Root()
	if err != nil {
		t.Fatal(err)
	}
	binaries, err := kube.Build(t.Context(), filepath.Join(root, "conformance", ".work", "bin"))
	if err != nil {
		t.Fatal(err)
	}
	// Processes whose parent has ended become children of this one, which waits for them.
	if err = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("APITEST", "")
	t.Setenv("KUBEBUILDER_ASSETS", filepath.Dir(binaries.APIServer))
	crds := filepath.Join(root, "apitest", "testdata", "crds", "books.yaml")
	for _, k := range []struct {
		name, module string
		of           func(*costs) *serverCosts
		servers      int    // in a test binary
		crds         string // of many; empty does not measure these
	}{
		{"apitest", "apitest", func(c *costs) *serverCosts { return &c.Apitest }, 10, crds},
		{"embedded", "apitest", func(c *costs) *serverCosts { return &c.Embedded }, 10, crds},
		{"envtest", "controllerruntime", func(c *costs) *serverCosts { return &c.Envtest }, 2, ""},
	} {
		t.Run(k.name, func(t *testing.T) {
			s := newScratch(t, root, k.module, k.name)
			tool := k.name == "apitest"
			part(t, "first build", func(t *testing.T, c *costs) {
				cache := "GOCACHE=" + t.TempDir()
				k.of(c).FirstBuild = s.cpu(t, cache, "test", "-c", "-o", s.binary)
				if tool {
					c.Program = s.cpu(t, cache, "tool", "-n", "apitest")
				}
			})
			part(t, "change", func(t *testing.T, c *costs) {
				s.measureChange(t, k.of(c))
				if tool {
					c.Find = s.median(t, func() time.Duration { return s.cpu(t, "", "tool", "-n", "apitest") })
				}
			})
			part(t, "start", func(t *testing.T, c *costs) {
				s.add(t, "costs_test.go")
				s.cpu(t, "", "test", "-c", "-o", s.binary)
				if tool {
					t.Setenv("APITEST", strings.TrimSpace(goCommand(t, s.dir, "tool", "-n", "apitest")))
				}
				s.measureStart(t, k.of(c), k.servers)
				if k.crds != "" {
					k.of(c).MemoryOfMany = s.memoryOfMany(t, k.crds)
				}
			})
		})
	}
}

// part measures a part of the costs, which [golden.Update] adds to the others.
func part(t *testing.T, name string, measure func(*testing.T, *costs)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		c := readCosts(t)
		c.Go, c.Processors = strings.TrimPrefix(runtime.Version(), "go"), runtime.NumCPU()
		measure(t, &c)
		text, err := json.MarshalIndent(c, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s", text)
		if golden.Update {
			if err := os.WriteFile(costsFile, append(text, '\n'), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// measureChange measures what a change of the test costs.
func (s scratch) measureChange(t *testing.T, c *serverCosts) {
	t.Helper()
	s.cpu(t, "", "test", "-run=TestServer$", ".")
	c.Build = s.median(t, func() time.Duration {
		s.change(t)
		return s.cpu(t, "", "test", "-run=^$", ".")
	})
	c.Verdict = s.median(t, func() time.Duration {
		s.change(t)
		return s.cpu(t, "", "test", "-run=TestServer$", ".")
	})
}

// measureStart measures starts of servers, of which there are some in a test binary, and their memory.
func (s scratch) measureStart(t *testing.T, c *serverCosts, servers int) {
	t.Helper()
	var first, next []time.Duration
	var memory []int64
	for range times {
		run := s.run(t, servers, "")
		first = append(first, run.Starts[0])
		next = append(next, run.Starts[1:]...)
		memory = append(memory, run.Memory[0])
	}
	c.FirstStart, c.NextStart, c.Memory = median(first), median(next), median(memory)
}

// memoryOfMany returns the memory with many servers, in bytes.
func (s scratch) memoryOfMany(t *testing.T, crds string) int64 {
	t.Helper()
	var memory []int64
	for range times {
		memory = append(memory, s.run(t, many, crds).Memory[1])
	}
	return median(memory)
}

// median returns the median of several measurements.
func (s scratch) median(t *testing.T, measure func() time.Duration) time.Duration {
	t.Helper()
	var all []time.Duration
	for range times {
		all = append(all, measure())
	}
	t.Log(all)
	return median(all)
}

func median[T int64 | time.Duration](all []T) T {
	slices.Sort(all)
	return all[len(all)/2]
}
