package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/client-go/tools/clientcmd"
)

// TestMain makes the program of the tests an etcd if it has that name.
func TestMain(m *testing.M) {
	if program(os.Args[0]) == etcd {
		main()
		return
	}
	os.Exit(m.Run())
}

// running is a command line that runs until its test ends.
type running struct {
	ended chan struct{} // closed when it has ended
	err   error         // set before that
}

// start runs a command line until the test ends.
func start(t *testing.T, stdout io.Writer, args ...string) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r := &running{ended: make(chan struct{})}
	go func() {
		defer close(r.ended)
		r.err = run(ctx, args, stdout, io.Discard)
	}()
	t.Cleanup(func() {
		cancel()
		if <-r.ended; r.err != nil {
			t.Error(r.err)
		}
	})
	return r
}

// patience is how long tests wait for other processes.
const patience = time.Minute

// await returns the body of a URL as soon as it is served. It fails when the command line that serves it ends.
func (r *running) await(t *testing.T, url string) string {
	t.Helper()
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} // as envtest does
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, Timeout: patience}
	limit := time.After(patience)
	for {
		resp, err := client.Get(url)
		if err == nil {
			body, _ := io.ReadAll(resp.Body)
			_ = resp.Body.Close() // it was read
			if resp.StatusCode == http.StatusOK {
				return string(body)
			}
			err = errors.New(resp.Status)
		}
		select {
		case <-r.ended:
			t.Fatalf("the command that should serve %s has ended with %v; the last request: %v", url, r.err, err)
		case <-limit:
			t.Fatalf("%s is not served after %s; the last request: %v", url, patience, err)
		case <-time.After(time.Millisecond):
		}
	}
}

// port returns one that is free. It is none of those that systems choose for clients: one of these might be taken
// before a server listens there, and a client that dials it may connect to itself.
func port(t *testing.T) string {
	t.Helper()
	for {
		port := strconv.Itoa(20000 + rand.IntN(10000))
		listener, err := net.Listen("tcp", "127.0.0.1:"+port)
		if errors.Is(err, syscall.EADDRINUSE) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err = listener.Close(); err != nil {
			t.Fatal(err)
		}
		return port
	}
}

func TestServe(t *testing.T) {
	reader, writer := io.Pipe()
	first := start(t, writer, "/usr/bin/apitest", "--crds", "../../testdata/crds")
	kubeconfig := make([]byte, 1<<20)
	n, err := reader.Read(kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.RESTConfigFromKubeConfig(kubeconfig[:n])
	if err != nil {
		t.Fatal(err)
	}
	if got := first.await(t, config.Host+"/readyz"); got != "ok" {
		t.Errorf("GET /readyz: %q, want ok", got)
	}

	file := filepath.Join(t.TempDir(), "kubeconfig")
	address := "127.0.0.1:" + port(t)
	second := start(t, io.Discard, "apitest", "--address="+address, "--kubeconfig="+file)
	second.await(t, "https://"+address+"/readyz")
}

func TestControlPlane(t *testing.T) {
	for name, args := range map[string][]string{"linked": {"/bin/"}, "called": {"apitest", ""}} {
		t.Run(name, func(t *testing.T) {
			command := func(name string, flags ...string) []string {
				line := append([]string{}, args...)
				line[len(line)-1] += name
				return append(line, flags...)
			}
			first, second, third := port(t), port(t), port(t)
			server := start(t, io.Discard, command("kube-apiserver", "--secure-port="+first, "--allow-privileged")...)
			if got := server.await(t, "https://127.0.0.1:"+first+"/healthz"); got != "ok" {
				t.Errorf("GET /healthz of kube-apiserver: %q, want ok", got)
			}
			store := start(t, io.Discard, command("etcd", "--data-dir=x", "--listen-client-urls", "http://127.0.0.1:"+second+",http://127.0.0.1:"+third)...)
			for _, port := range []string{second, third} {
				if got := store.await(t, "http://127.0.0.1:"+port+"/health"); !strings.Contains(got, `"health":"true"`) {
					t.Errorf("GET /health of etcd on port %s: %q, want health true", port, got)
				}
			}
		})
	}
}

// envtest passes --insecure-port to a kube-apiserver whose help has it.
func TestHelp(t *testing.T) {
	for _, c := range []struct {
		args      []string
		want, not string
	}{
		{[]string{"kube-apiserver", "--help"}, `(?m)^\s*--secure-port\b`, `(?m)^\s*--insecure-port\b`},
		{[]string{"etcd", "--help"}, `(?m)^\s*--listen-client-urls\b`, `insecure`},
		{[]string{"kube-apiserver", "--version"}, `^Kubernetes v1\.`, "--"},
		{[]string{"etcd", "--version"}, `^etcd Version: 3\.`, "--"},
		{[]string{"apitest", "--help"}, `(?m)^\s*--manifests\b`, `secure-port`},
	} {
		out := &bytes.Buffer{}
		if err := run(t.Context(), c.args, out, io.Discard); err != nil && !errors.Is(err, pflag.ErrHelp) {
			t.Errorf("%s: %v", c.args, err)
		}
		if got := out.String(); !regexp.MustCompile(c.want).MatchString(got) || regexp.MustCompile(c.not).MatchString(got) {
			t.Errorf("%s prints\n%s", c.args, got)
		}
	}
}

func TestInvalid(t *testing.T) {
	for want, args := range map[string][]string{
		`unknown command "serve"`:          {"apitest", "serve"},
		"unknown flag: --crd":              {"apitest", "--crd=x"},
		`unexpected argument "x"`:          {"apitest", "--crds=x", "x"},
		"assets takes one argument":        {"apitest", "assets"},
		"kube-apiserver takes only flags":  {"kube-apiserver", "x"},
		"no such file, directory or match": {"apitest", "--crds=nowhere"},
		`"x" is not a URL with a host`:     {"etcd", "--listen-client-urls=x"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // what serves by mistake ends at once
		err := run(ctx, args, io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: got %v, want %s", args, err, want)
		}
	}
}

func TestAssets(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	for range 2 { // a second time over the first
		out := &bytes.Buffer{}
		if err := run(t.Context(), []string{"apitest", "assets", dir}, out, io.Discard); err != nil {
			t.Fatal(err)
		}
		if out.String() != dir+"\n" {
			t.Errorf("prints %s", out)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.Stat(self)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{apiServer, etcd} {
		got, err := os.Stat(filepath.Join(dir, executable(name)))
		if err != nil || got.Size() != want.Size() || got.Mode().Perm()&0o100 == 0 {
			t.Errorf("%s: %v %v", name, got, err)
		}
	}
}

// Copies end with their parent, here a shell that waits for the end of its input.
func TestParent(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	dir, port := t.TempDir(), port(t)
	if err := assets([]string{dir}, io.Discard); err != nil {
		t.Fatal(err)
	}
	shell := exec.CommandContext(t.Context(), "sh", "-c", `"$0" "$@" & read line`,
		filepath.Join(dir, etcd), "--listen-client-urls=http://127.0.0.1:"+port)
	input, err := shell.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	r := &running{ended: make(chan struct{})}
	go func() {
		defer close(r.ended)
		r.err = shell.Wait() // read fails at the end of the input
	}()
	r.await(t, "http://127.0.0.1:"+port+"/health")
	if err := input.Close(); err != nil {
		t.Fatal(err)
	}
	<-r.ended
	limit := time.After(patience)
	for {
		conn, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err != nil {
			return
		}
		_ = conn.Close() // nothing was sent
		select {
		case <-limit:
			t.Fatalf("etcd still listens on port %s, %s after its parent has ended", port, patience)
		case <-time.After(10 * time.Millisecond):
		}
	}
}
