//go:build programs

package operators_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/conformance/server/operators"
)

// limit is the time that one suite may take.
const limit = 10 * time.Minute

// suites are the compiled tests of an operator.
type suites struct {
	dir      string   // the copy of the module
	packages []string // relative to it
	out      string   // the directory of their binaries
}

// compile compiles the tests of packages in a copy of a module.
func compile(t *testing.T, dir string, packages []string) suites {
	t.Helper()
	s := suites{dir, packages, t.TempDir()}
	for _, pkg := range packages {
		run(t, dir, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-o", s.binary(pkg), "./"+pkg)
	}
	return s
}

// binary returns the path of the compiled tests of a package.
func (s suites) binary(pkg string) string {
	return filepath.Join(s.out, strings.ReplaceAll(pkg, "/", "-")+".test")
}

// remove removes the compiled tests.
func (s suites) remove() { _ = os.RemoveAll(s.out) } // so does the end of the test

// environment returns the variables of the environment that choose the server of a suite.
type environment func(t *testing.T) []string

// withAssets is an environment in which envtest starts the programs of a folder.
func withAssets(dir string) environment {
	env := []string{"KUBEBUILDER_ASSETS=" + dir, "USE_EXISTING_CLUSTER="}
	for name, program := range map[string]string{"ETCD": "etcd", "KUBE_APISERVER": "kube-apiserver", "KUBECTL": "kubectl"} {
		env = append(env, "TEST_ASSET_"+name+"="+filepath.Join(dir, program))
	}
	return func(*testing.T) []string { return env }
}

// existing is an environment in which envtest uses a new server of apitest. As with envtest's own servers, the admin
// has a client certificate, from which suites make other configurations.
func existing(t *testing.T) []string {
	t.Helper()
	return existingWith(t)
}

// existingWith is existing, with a server that has options.
func existingWith(t *testing.T, options ...embedded.Option) []string {
	t.Helper()
	server := embedded.Start(t, options...)
	config, err := clientcmd.Load(kubeconfigOf(t, server))
	if err != nil {
		t.Fatal(err)
	}
	for _, user := range config.AuthInfos {
		signed, err := server.Certificate("admin", "system:masters")
		if err != nil {
			t.Fatal(err)
		}
		*user = clientcmdapi.AuthInfo{ClientCertificateData: signed.Cert, ClientKeyData: signed.Key}
	}
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, kubeconfig); err != nil {
		t.Fatal(err)
	}
	return []string{"USE_EXISTING_CLUSTER=true", "KUBECONFIG=" + kubeconfig}
}

func kubeconfigOf(t *testing.T, server *embedded.Server) []byte {
	t.Helper()
	out, err := server.Kubeconfig()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// test runs the suites with arguments one after the other, each with its own environment.
func (s suites) test(t *testing.T, args []string, env environment) operators.Results {
	t.Helper()
	var sum operators.Results
	for _, pkg := range s.packages {
		t.Run(pkg, func(t *testing.T) { sum.Add(s.testOne(t, pkg, args, env(t))) })
	}
	return sum
}

// testOne runs a suite.
func (s suites) testOne(t *testing.T, pkg string, more, env []string) operators.Results {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit+time.Minute)
	defer cancel()
	args := []string{"-test.v", "-test.timeout=" + limit.String()}
	if usage, _ := exec.CommandContext(ctx, s.binary(pkg), "-help").CombinedOutput(); bytes.Contains(usage, []byte("-ginkgo.v")) {
		args = append(args, "-ginkgo.no-color", "-ginkgo.flake-attempts=3")
	}
	args = append(args, more...)
	cmd := exec.CommandContext(ctx, s.binary(pkg), args...)
	cmd.Dir = filepath.Join(s.dir, pkg)
	cmd.Env = append(os.Environ(), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // with its servers
	start := time.Now()
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	peak := make(chan int64, 1)
	go func() { peak <- watchMemory(cmd.Process.Pid, ended) }()
	err := cmd.Wait()
	close(ended)
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // servers that a suite has left: most have none
	out := output.Bytes()
	results := operators.Parse(string(out))
	results.Wall = time.Since(start)
	results.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	results.Peak = <-peak
	t.Logf("%d passed, %d failed, %d flaked, %d skipped, %s, %s of CPU, %d MB: %v", results.Passed, results.Failed, results.Flaked, results.Skipped,
		results.Wall.Round(time.Second/10), results.CPU.Round(time.Second/10), results.Peak>>20, err)
	for _, name := range results.Failures {
		t.Logf("failed: %s", name)
	}
	if *logs != "" {
		file := filepath.Join(*logs, strings.ReplaceAll(t.Name(), "/", "-")+".log")
		if unwritten := errors.Join(os.MkdirAll(*logs, 0o777), os.WriteFile(file, out, 0o666)); unwritten != nil {
			t.Error(unwritten)
		}
	}
	if err != nil && results.Failed == 0 {
		// The suite did not end: a panic, its limit, or a failure before the first spec.
		results.Failed++
		results.Failures = append(results.Failures, pkg)
		t.Logf("%s", out[max(0, len(out)-20_000):])
	}
	return results
}

// watchMemory returns the peak of resident memory of a process in bytes, read until it has ended. What the system
// reports of an ended process includes memory of the process that started it.
func watchMemory(pid int, ended <-chan struct{}) int64 {
	var peak int64
	ticks := time.NewTicker(50 * time.Millisecond)
	defer ticks.Stop()
	for {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // the process may have ended
		if m := highWater.FindSubmatch(text); m != nil {
			if kilobytes, err := strconv.ParseInt(string(m[1]), 10, 64); err == nil {
				peak = max(peak, kilobytes<<10)
			}
		}
		select {
		case <-ended:
			return peak
		case <-ticks.C:
		}
	}
}

var highWater = regexp.MustCompile(`(?m)^VmHWM:\s+(\d+) kB$`)

// run runs a command, which must succeed, and returns what it prints.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s%s", cmd, err, out, stderr.Bytes())
	}
	return string(out)
}
