//go:build programs

package shards

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/conformance/internal/modules"
	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/kubernetes"
)

// Replicas of a controller on client-go share objects with the line in go.mod that replaces it, and three statements.
func TestReplaced(t *testing.T) {
	program := buildReplaced(t)
	server := embedded.Start(t)
	kubeconfig := filepath.Join(t.TempDir(), "config")
	text, err := server.Kubeconfig()
	if err == nil {
		err = os.WriteFile(kubeconfig, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	client, err := kubernetes.NewForConfig(server.Config())
	if err != nil {
		t.Fatal(err)
	}
	const objects = 100
	for i := range objects {
		obj := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("o", i)}, Data: map[string]string{"for": "replicas"}}
		if _, err := client.CoreV1().ConfigMaps(metav1.NamespaceDefault).Create(t.Context(), obj, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	stop := map[string]func(){}
	for _, identity := range []string{"a", "b", "c"} {
		cmd := exec.Command(program, kubeconfig, identity)
		cmd.Stderr = os.Stderr
		input, err := cmd.StdinPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		stop[identity] = func() {
			_ = input.Close()
			if err := cmd.Wait(); err != nil {
				t.Errorf("%s: %v", identity, err)
			}
		}
	}
	// shared waits until replicas have written all objects.
	shared := func(replicas int) {
		t.Helper()
		var by map[string]int
		for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
			list, err := client.CoreV1().ConfigMaps(metav1.NamespaceDefault).List(t.Context(), metav1.ListOptions{})
			if err != nil {
				t.Fatal(err)
			}
			by = map[string]int{}
			for _, obj := range list.Items {
				if obj.Data["for"] == "replicas" && stop[obj.Data["by"]] != nil {
					by[obj.Data["by"]]++
				}
			}
			total := 0
			for _, n := range by {
				total += n
			}
			if total == objects && len(by) == replicas {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("objects by replica: %v", by)
			}
		}
		t.Log("objects by replica:", by)
	}
	shared(3)
	stop["b"]()
	delete(stop, "b")
	shared(2)
	for _, f := range stop {
		f()
	}
}

// buildReplaced builds the program, in a module with the line.
func buildReplaced(t *testing.T) string {
	t.Helper()
	root, err := peers.Root()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	source, err := os.ReadFile(filepath.Join("testdata", "replaced", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	const listwatch = "github.com/listwatch/listwatch"
	text := []string{"module example.com/replaced", "", "go 1.26.0", "", "require k8s.io/client-go v0.37.2", "require k8s.io/api v0.37.2", "require k8s.io/apimachinery v0.37.2"}
	dirs := map[string]string{"k8s.io/client-go": "client-go", listwatch: ".", listwatch + "/kubernetes": "kubernetes", listwatch + "/streaming": "streaming"}
	var sums []byte
	for module, folder := range dirs {
		dirs[module] = filepath.Join(root, folder)
		if strings.HasPrefix(module, listwatch) {
			text = append(text, "require "+module+" v0.0.0-00010101000000-000000000000")
		}
		sum, err := os.ReadFile(filepath.Join(root, folder, "go.sum"))
		if err != nil {
			t.Fatal(err)
		}
		sums = append(sums, sum...)
	}
	for name, content := range map[string][]byte{"main.go": source, "go.mod": []byte(strings.Join(text, "\n") + "\n"), "go.sum": sums} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := modules.Pin(filepath.Join(dir, "go.mod"), filepath.Join(root, "client-go", "go.mod"), listwatch); err != nil {
		t.Fatal(err)
	}
	if err := modules.Replace(filepath.Join(dir, "go.mod"), dirs); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "replaced")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-mod=mod", "-buildvcs=false", "-o", program, ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}
