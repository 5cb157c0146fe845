package process_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/apitest/process"
	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned"
	v1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// TestMain builds the program for the tests.
func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "apitest-process-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // it is temporary
	program := filepath.Join(dir, "apitest.exe")
	if out, err := exec.Command("go", "build", "-o", program, "../cmd/apitest").CombinedOutput(); err != nil {
		panic(string(out))
	}
	if err := os.Setenv("APITEST", program); err != nil {
		panic(err)
	}
	return m.Run()
}

func TestStart(t *testing.T) {
	srv := process.Start(t, process.Options{CRDs: []string{"../testdata/crds"}})
	books := versioned.NewForConfigOrDie(srv.Config()).LibraryV1().Books("default")
	book := &v1.Book{ObjectMeta: metav1.ObjectMeta{Name: "emma"}}
	book.Spec.Title = "Emma"
	if _, err := books.Create(t.Context(), book, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	jane := versioned.NewForConfigOrDie(srv.ConfigFor("jane")).LibraryV1().Books("default")
	if _, err := jane.Get(t.Context(), "emma", metav1.GetOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("a user without a role gets a book: error %v, want Forbidden", err)
	}
	if !strings.Contains(string(srv.Kubeconfig()), srv.Config().Host) {
		t.Errorf("the kubeconfig is not for %s: %s", srv.Config().Host, srv.Kubeconfig())
	}
	for range 2 {
		if err := srv.Stop(); err != nil {
			t.Error(err)
		}
	}
	if _, err := books.Get(t.Context(), "emma", metav1.GetOptions{}); err == nil {
		t.Error("the server runs after Stop")
	}
}

func TestFailures(t *testing.T) {
	done, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		o    process.Options
		want string
	}{
		{"no program", t.Context(), process.Options{Program: "/nowhere/apitest"}, "no such file"},
		{"no CRDs", t.Context(), process.Options{CRDs: []string{"nowhere"}}, "no such file, directory or match"},
		{"no time", done, process.Options{}, "context canceled"},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv, err := process.New(c.ctx, c.o)
			if err == nil {
				t.Fatal("it has started", srv.Stop())
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Error(err)
			}
		})
	}
}

func TestNoTool(t *testing.T) {
	t.Setenv("APITEST", "")
	t.Chdir(t.TempDir())
	if _, err := process.New(t.Context(), process.Options{}); err == nil || !strings.Contains(err.Error(), "go get -tool") {
		t.Error(err)
	}
}

func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		srv, err := process.New(b.Context(), process.Options{CRDs: []string{"../testdata/crds"}})
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := srv.Stop(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}
