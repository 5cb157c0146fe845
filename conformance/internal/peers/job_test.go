package peers_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/peers"
)

func TestUpstreamGenerates(t *testing.T) {
	dir, err := peers.Dir()
	if err != nil {
		t.Fatal(err)
	}
	job := peers.Job{
		Dir:       dir,
		Packages:  []string{"k8s.io/api/scheduling/v1"},
		OutputDir: t.TempDir(),
		OutputPkg: "example.test/out",
	}
	job.Run(t, peers.Upstream(t))
	for _, file := range []string{
		"clientset/versioned/clientset.go",
		"clientset/versioned/typed/scheduling/v1/fake/fake_priorityclass.go",
		"listers/scheduling/v1/priorityclass.go",
		"informers/externalversions/scheduling/v1/priorityclass.go",
	} {
		if _, err := os.Stat(filepath.Join(job.OutputDir, file)); err != nil {
			t.Error(err)
		}
	}
}

func TestRunReportsWhatFailed(t *testing.T) {
	job := peers.Job{
		Dir:       t.TempDir(),
		Packages:  []string{"example.test/nothing/v1"},
		OutputDir: t.TempDir(),
		OutputPkg: "example.test/out",
	}
	for _, peer := range []struct {
		name  string
		tools peers.Tools
		want  []string
	}{
		{"upstream", peers.Upstream(t), []string{"example.test/nothing/v1", "exit status"}},
		{"ours", peers.Ours(t), []string{"gen-clientset", "--input=example.test/nothing/v1", "exit status"}},
	} {
		t.Run(peer.name, func(t *testing.T) {
			err := peer.tools.Run(job.Dir, job.Commands()...)
			if err == nil {
				t.Fatal("a package that does not exist was generated")
			}
			for _, want := range peer.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error lacks %q: %v", want, err)
				}
			}
		})
	}
}
