package kubeconfig

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/listwatch/listwatch/internal/kubeconfigtest"
)

// inPod is set in the process that has a service account.
const inPod = "KUBECONFIG_TEST_IN_POD"

// TestPod compares the fallback to a pod's service account. Its files have a fixed path, so the test runs again in a
// process that sees a file system of its own there.
func TestPod(t *testing.T) {
	if os.Getenv(inPod) == "" {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(self, "-test.run=^TestPod$", "-test.v")
		cmd.Env = append(os.Environ(), inPod+"=1")
		cmd.SysProcAttr = &syscall.SysProcAttr{
			Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
			UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
		}
		out, err := cmd.CombinedOutput()
		if err != nil && len(out) == 0 {
			t.Skipf("no namespaces: %v", err)
		}
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		t.Logf("%s", out)
		return
	}
	if err := syscall.Mount("pod", "/var/run", "tmpfs", 0, ""); err != nil {
		t.Fatal(err)
	}
	account := "/var/run/secrets/kubernetes.io/serviceaccount"
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(account, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(account, name), []byte(kubeconfigtest.Expand(text, "")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file := []txtar.File{{Name: "config", Data: []byte("current-context: c\nclusters: [{name: c, cluster: {server: 'https://file'}}]\ncontexts: [{name: c, context: {cluster: c, user: '', namespace: team}}]\n")}}
	run := func(state string) {
		for name, options := range map[string]map[string]string{
			"no files":          {},
			"missing files":     {"kubeconfig": "a b"},
			"a file":            {"kubeconfig": "config"},
			"an explicit file":  {"explicit": "config"},
			"no such file":      {"explicit": "missing"},
			"no pod":            {"pod": ""},
			"token":             {"flags": "--token=flag"},
			"server":            {"flags": "--server=https://flag"},
			"roots":             {"flags": "--certificate-authority=" + account + "/ca.crt"},
			"namespace":         {"flags": "--namespace=flag"},
			"context":           {"flags": "--context=flag"},
			"default server":    {"default-server": "https://default"},
			"legacy defaults":   {"legacy-defaults": "true"},
			"legacy and a flag": {"legacy-defaults": "true", "flags": "--server=https://flag"},
		} {
			t.Run(state+"/"+name, func(t *testing.T) {
				c := kubeconfigtest.Case{Options: map[string]string{"pod": "true"}, Files: file}
				for option, value := range options {
					c.Options[option] = value
				}
				for _, d := range compare(t, c) {
					if d.text != "" {
						t.Errorf("%s: %s", d.aspect, d.text)
					}
				}
			})
		}
	}
	run("no account")
	write("token", kubeconfigtest.Secret)
	run("no roots")
	write("ca.crt", "$CAPEM")
	run("account")
	write("namespace", " pod-namespace\n")
	run("namespace")
}
