//go:build programs

package appliers_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/runtime/clientcmd"
	"github.com/listwatch/listwatch/runtime/clientcmd/api"
	"github.com/listwatch/listwatch/runtime/dynamic"
	"github.com/listwatch/listwatch/runtime/rest"
)

func TestApitest(t *testing.T) { run(t, embedded.Start(t).Config(), false) }

// sessionKey is the key of a script's session in its environment.
type sessionKey struct{}

// session is what the commands of a script share.
type session struct {
	ctx       context.Context
	client    dynamic.Interface
	host      string
	namespace string
	dir       string
	// controllers are started with the next program, and end with it.
	controllers []func(context.Context) error
}

// run runs all scripts on a server, and with update writes what commands print into them.
func run(t *testing.T, config *rest.Config, update bool) {
	bin, err := built()
	if err != nil {
		t.Fatal(err)
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	functions := map[string]func(*testscript.TestScript, bool, []string){"finish": finish, "ready": ready, "collect": collect}
	for name := range programs {
		functions[name] = program(filepath.Join(bin, name))
	}
	for _, c := range commands {
		functions[c.name] = c.run
	}
	testscript.Run(t, testscript.Params{
		Dir:           filepath.Join("testdata", "script"),
		UpdateScripts: update,
		Cmds:          functions,
		Setup: func(env *testscript.Env) error {
			t := env.T().(testing.TB) // which testscript passes
			s := &session{ctx: t.Context(), client: client, host: config.Host, namespace: "case-" + filepath.Base(t.Name()), dir: env.WorkDir}
			env.Values[sessionKey{}] = s
			return s.setUp(env, config)
		},
	})
}

// setUp makes the namespace of a script, its files and its environment.
func (s *session) setUp(env *testscript.Env, config *rest.Config) error {
	ns := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": s.namespace}}}
	if _, err := s.client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}).Create(s.ctx, ns, metav1.CreateOptions{}); err != nil {
		return err
	}
	if err := s.expand(); err != nil {
		return err
	}
	const name = "test"
	kubeconfig := filepath.Join(s.dir, ".kubeconfig")
	env.Setenv("KUBECONFIG", kubeconfig)
	for _, variable := range []string{"HOME", "HELM_CACHE_HOME", "HELM_CONFIG_HOME", "HELM_DATA_HOME", "TMPDIR"} {
		env.Setenv(variable, filepath.Join(s.dir, ".home"))
	}
	return errors.Join(os.MkdirAll(filepath.Join(s.dir, ".home"), 0o755), clientcmd.WriteToFile(api.Config{
		Clusters:       map[string]*api.Cluster{name: {Server: config.Host, CertificateAuthorityData: config.CAData}},
		AuthInfos:      map[string]*api.AuthInfo{name: {Token: config.BearerToken}},
		Contexts:       map[string]*api.Context{name: {Cluster: name, AuthInfo: name, Namespace: s.namespace}},
		CurrentContext: name,
	}, kubeconfig))
}

// transcript and want are the files with what commands print, and with what they are expected to print.
const transcript, want = "transcript", "want"

// expand replaces ${ns} in the files of the script, except in that with the expected transcript.
func (s *session) expand() error {
	return filepath.WalkDir(s.dir, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == want {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(name, bytes.ReplaceAll(data, []byte("${ns}"), []byte(s.namespace)), 0o644)
	})
}

// log adds a command and what it printed to the transcript.
func (s *session) log(command []string, output string) error {
	file, err := os.OpenFile(filepath.Join(s.dir, transcript), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	text := "$ " + strings.Join(command, " ") + "\n"
	if output = strings.TrimRight(output, "\n"); output != "" {
		text += output + "\n"
	}
	_, err = file.WriteString(s.normal(text))
	return errors.Join(err, file.Close())
}

// program returns the command that runs a program.
func program(path string) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, _ bool, args []string) {
		s := ts.Value(sessionKey{}).(*session)
		cmd := exec.CommandContext(s.ctx, path, args...)
		cmd.Dir = ts.MkAbs(".")
		for _, name := range []string{"KUBECONFIG", "HOME", "HELM_CACHE_HOME", "HELM_CONFIG_HOME", "HELM_DATA_HOME", "TMPDIR", "PATH"} {
			cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
		}
		stop := s.control(ts)
		output, err := cmd.CombinedOutput()
		stop()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		if exit != nil {
			output = fmt.Appendf(output, "[%d]\n", exit.ExitCode())
		}
		ts.Check(s.log(append([]string{filepath.Base(path)}, args...), string(output)))
	}
}

// control starts the controllers, and returns a function that ends them.
func (s *session) control(ts *testscript.TestScript) (stop func()) {
	ctx, cancel := context.WithCancel(s.ctx)
	ended := make(chan error, len(s.controllers))
	for _, run := range s.controllers {
		go func() { ended <- run(ctx) }()
	}
	n := len(s.controllers)
	s.controllers = nil
	return func() {
		cancel()
		for range n {
			ts.Check(<-ended)
		}
	}
}
