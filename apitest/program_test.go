package apitest_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/apitest"
)

// childVariable makes the test binary start a server and wait.
const childVariable = "APITEST_CHILD"

// runChild starts a server, prints its URL and the ID of the program, and waits.
func runChild() error {
	s, pid, err := apitest.StartWith(os.Getenv("APITEST"), apitest.WithPlainHTTP())
	if err != nil {
		return err
	}
	fmt.Println(s.URL(), pid)
	select {}
}

// TestParent kills a process with a server in a program. The program ends, although nothing has told it to.
func TestParent(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(self)
	child.Env = append(os.Environ(), childVariable+"=1")
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err = child.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address, pid, _ := strings.Cut(strings.TrimSpace(line), " ")
	id, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatal(err)
	}
	if !served(t, address) {
		t.Error("the server of the child does not listen")
	}
	if err = child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err = child.Wait(); err == nil {
		t.Error("the child was not killed")
	}
	for limit := time.Now().Add(patience); served(t, address); time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			kill(t, id)
			t.Fatal("the program runs after its parent")
		}
	}
}

// kill ends a process without giving it time.
func kill(tb testing.TB, pid int) {
	tb.Helper()
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		tb.Fatal(err)
	}
}

// served reports whether connections to a server are accepted.
func served(t *testing.T, address string) bool {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.DialTimeout("tcp", u.Host, patience)
	if err == nil {
		_ = conn.Close()
	}
	return err == nil
}

// TestProgramEnds kills the program: methods with an error return it, and Stop that of others.
func TestProgramEnds(t *testing.T) {
	s, pid, err := apitest.StartWith(os.Getenv("APITEST"))
	if err != nil {
		t.Fatal(err)
	}
	removed := s.Faults().Inject(apitest.Rule{}).Done()
	kill(t, pid)
	await(t.Context(), t, removed)
	if err = s.Restart(); err == nil || !strings.Contains(err.Error(), os.Getenv("APITEST")) {
		t.Errorf("Restart: %v", err)
	}
	if now := s.Now(); !now.IsZero() {
		t.Errorf("it is %v", now)
	}
	if err = s.Stop(); err == nil {
		t.Error("Stop returns no error")
	}
}

func TestNoProgram(t *testing.T) {
	if _, _, err := apitest.StartWith("/nowhere/apitest"); err == nil {
		t.Error("a missing program has started")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// TestMain ends the test binary with a message if it is started like the program.
	if _, _, err = apitest.StartWith(self); err == nil || !strings.Contains(err.Error(), "control is not a test") {
		t.Errorf("another program: %v", err)
	}
}

func TestFind(t *testing.T) {
	if path, err := apitest.Find(t.Context()); path != os.Getenv("APITEST") {
		t.Errorf("%s, %v", path, err)
	}
	t.Setenv("APITEST", "")
	t.Chdir(t.TempDir())
	if _, err := apitest.Find(t.Context()); err == nil || !strings.Contains(err.Error(), "go get -tool") {
		t.Error(err)
	}
}

func TestAnnounce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 25*time.Second)
		defer cancel()
		var text strings.Builder
		apitest.Announce(ctx, &text, time.Now())
		if got := text.String(); strings.Count(got, "\n") != 2 || !strings.Contains(got, "10s") || !strings.Contains(got, "20s") {
			t.Error(got)
		}
	})
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		name   string
		option apitest.Option
		want   string
	}{
		{"no CRDs", apitest.WithCRDs("nowhere"), "no such file, directory or match"},
		{"empty path", apitest.WithCRDs(""), "WithCRDs: a path is empty"},
		{"no manifests", apitest.WithManifests("nowhere"), "WithManifests: "},
		{"nil CRD", apitest.WithCRDObjects(nil), "WithCRDObjects: a definition is nil"},
		{"nil object", apitest.WithObjects(newBook("emma"), nil), "WithObjects: object 2 is nil"},
		{"object without a kind", apitest.WithObjects(newBook("emma")), `library/v1.Book "emma": set its apiVersion and kind`},
		{"text", apitest.WithManifestText("a: b"), "WithManifestText: text 1: document 1: not an object of Kubernetes"},
		{"controller", apitest.WithControllers("Gardener"), `unknown controller "Gardener"`},
		{"address", apitest.WithAddress("nowhere"), "address nowhere"},
		{"authority", apitest.WithClientCA([]byte("none")), "WithClientCA: not a certificate in PEM"},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv, err := apitest.New(c.option)
			if err == nil {
				t.Fatal("it has started", srv.Stop())
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
	_, err := apitest.New(apitest.WithManifestText(`{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "A"}}`))
	if !apierrors.IsInvalid(err) {
		t.Errorf("invalid object: %v", err)
	}
}

func TestObjects(t *testing.T) {
	book := newBook("emma")
	book.APIVersion, book.Kind = "library.example.com/v1", "Book"
	book.Namespace = "shop"
	srv := apitest.Start(t, apitest.WithCRDs("testdata/crds/*"), apitest.WithObjects(newNamespace("shop"), book), apitest.WithPlainHTTP())
	found, err := booksOf(srv.Config()).Get(t.Context(), "emma", metav1.GetOptions{})
	if !apierrors.IsNotFound(err) {
		t.Errorf("default: %v, %v", found, err)
	}
	books := library(srv.Config()).Books("shop")
	if found, err = books.Get(t.Context(), "emma", metav1.GetOptions{}); err != nil || found.Spec.Title != "Emma" {
		t.Errorf("shop: %v, %v", found, err)
	}
}

// TestServers uses servers of one program at once, which share nothing.
func TestServers(t *testing.T) {
	for i := range 10 {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			srv := apitest.Start(t, apitest.WithCRDs("testdata/crds"))
			books := booksOf(srv.Config())
			if _, err := books.Create(t.Context(), newBook("emma"), metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
			if list, err := books.List(t.Context(), metav1.ListOptions{}); err != nil || len(list.Items) != 1 {
				t.Errorf("%v, %v", list, err)
			}
		})
	}
}

// TestFirst uses a program at once as soon as it has started.
func TestFirst(t *testing.T) {
	if err := apitest.StartAtOnce(os.Getenv("APITEST"), 300); err != nil {
		t.Error(err)
	}
}

func TestRestoreOther(t *testing.T) {
	one, other := apitest.Start(t), apitest.Start(t)
	for _, snapshot := range []*apitest.Snapshot{nil, {}, other.Snapshot()} {
		if err := one.Restore(snapshot); err == nil || errors.Is(err, apitest.ErrStopped) {
			t.Errorf("a foreign snapshot: %v", err)
		}
	}
}

// BenchmarkStart starts and stops a server in the program, which runs.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		srv, err := apitest.New(apitest.WithCRDs("testdata/crds"))
		if err != nil {
			b.Fatal(err)
		}
		if err := srv.Stop(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkProgram starts the program, a server in it and ends it.
func BenchmarkProgram(b *testing.B) {
	for b.Loop() {
		_, pid, err := apitest.StartWith(os.Getenv("APITEST"))
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		kill(b, pid)
		b.StartTimer()
	}
}
