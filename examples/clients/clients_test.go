package clients_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/apitest"
	"github.com/listwatch/listwatch/examples/librarian/generated/clientset/versioned"
	"github.com/listwatch/listwatch/runtime/clientcmd"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

var given = flag.String("kubeconfig", "", "run the programs on the server of this file, which has the CRDs of librarian, instead of a test server")

// kubeconfig returns the path of a kubeconfig file for a server with the CRDs.
func kubeconfig(t *testing.T) string {
	t.Helper()
	if *given != "" {
		return *given
	}
	server := apitest.Start(t, apitest.WithCRDs("../librarian/crds"))
	path := filepath.Join(t.TempDir(), "config")
	if err := server.WriteKubeconfig(path); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPrograms(t *testing.T) {
	path, bin := kubeconfig(t), t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	shelve(ctx, t, path)
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", bin, "./...").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for program, want := range map[string]string{
		"restclient":      "emma: Emma\n",
		"clientset":       "emma: Emma\n",
		"dynamicclient":   "emma: Emma\n",
		"discoveryclient": "library.example.com/v1 books: delete deletecollection get list patch create update watch\n",
	} {
		t.Run(program, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			cmd := exec.CommandContext(ctx, filepath.Join(bin, program), "--kubeconfig", path)
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Run(); err != nil {
				t.Fatalf("%v\n%s", err, &stderr)
			}
			if !strings.Contains(stdout.String(), want) {
				t.Errorf("printed %q, which lacks %q\n%s", &stdout, want, &stderr)
			}
		})
		t.Run(program+" without a file", func(t *testing.T) {
			missing := filepath.Join(bin, "missing")
			out, err := exec.CommandContext(ctx, filepath.Join(bin, program), "--kubeconfig", missing).CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || !strings.Contains(string(out), missing) {
				t.Errorf("got %v: %s", err, out)
			}
		})
	}
}

// shelve creates the book that the programs list.
func shelve(ctx context.Context, t *testing.T, kubeconfig string) {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	client, err := versioned.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	book := &libraryv1.Book{ObjectMeta: metav1.ObjectMeta{Name: "emma"}, Spec: libraryv1.BookSpec{Title: "Emma", Pages: 474}}
	if _, err := client.LibraryV1().Books("default").Create(ctx, book, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}
