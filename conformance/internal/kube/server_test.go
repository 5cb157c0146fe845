//go:build kube

package kube_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/kube"
)

func binaries(t *testing.T) kube.Binaries {
	t.Helper()
	built, err := kube.Shared(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return built
}

func TestServer(t *testing.T) {
	s := kube.StartTest(t, "--disable-admission-plugins=NamespaceLifecycle")
	admin := newClient(t, s.Config())

	t.Run("has the version of its module", func(t *testing.T) {
		if got := admin.get(t, "/version", http.StatusOK).GitVersion; got != "v1.37.1" {
			t.Errorf("the version is %q", got)
		}
	})
	t.Run("lets the admin do all", func(t *testing.T) {
		admin.createConfigMap(t, "a")
		admin.do(t, http.MethodPost, "/apis/rbac.authorization.k8s.io/v1/clusterroles", `{"metadata":{"name":"a"},"rules":[{"apiGroups":["*"],"resources":["*"],"verbs":["*"]}]}`, http.StatusCreated)
	})
	t.Run("lets the reader discover and do nothing", func(t *testing.T) {
		reader := newClient(t, s.ReaderConfig())
		reader.get(t, "/apis", http.StatusOK)
		got := reader.get(t, configMaps, http.StatusForbidden)
		if got.Reason != "Forbidden" || !strings.Contains(got.Message, `User "reader" cannot list resource "configmaps"`) {
			t.Errorf("the reader gets %+v", got)
		}
	})
	t.Run("rejects unknown users", func(t *testing.T) {
		config := s.Config()
		config.BearerToken += "x"
		newClient(t, config).get(t, configMaps, http.StatusUnauthorized)
	})
	t.Run("gives configs away", func(t *testing.T) {
		config := s.Config()
		config.Host = "elsewhere"
		clear(config.CAData)
		newClient(t, s.Config()).get(t, configMaps, http.StatusOK)
	})
	t.Run("admits pods without service accounts", func(t *testing.T) {
		admin.do(t, http.MethodPost, "/api/v1/namespaces/default/pods", `{"metadata":{"name":"a"},"spec":{"containers":[{"name":"a","image":"a"}]}}`, http.StatusCreated)
	})
	t.Run("adds flags to its own", func(t *testing.T) { // the flag in the line above is one
		admin.do(t, http.MethodPost, "/api/v1/namespaces/nowhere/configmaps", `{"metadata":{"name":"a"}}`, http.StatusCreated)
	})
}

func TestRestart(t *testing.T) {
	s := kube.StartTest(t)
	admin := newClient(t, s.Config())
	before := admin.createConfigMap(t, "a")
	open := admin.watch(t, configMaps, before.Metadata.ResourceVersion)

	if err := s.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(open.Body); err != nil || len(rest) > 0 {
		t.Errorf("the watch ended with %q, %v", rest, err)
	}
	if after := admin.get(t, configMaps+"/a", http.StatusOK); after.Metadata != before.Metadata {
		t.Errorf("there is %+v, there was %+v", after.Metadata, before.Metadata)
	}
	newClient(t, s.ReaderConfig()).get(t, configMaps, http.StatusForbidden)

	t.Run("after an accident", func(t *testing.T) {
		s.KillAPIServer()
		err := s.Restart(t.Context())
		if err == nil || !strings.Contains(err.Error(), "restart: kube-apiserver ended by itself: signal: killed\n") {
			t.Fatalf("Restart returned %v", err)
		}
		if err = s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		admin.get(t, configMaps+"/a", http.StatusOK)
	})
	t.Run("in no time", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.Restart(ctx); !errors.Is(err, context.Canceled) {
			t.Fatalf("Restart returned %v", err)
		}
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		admin.get(t, configMaps+"/a", http.StatusOK)
	})
}

// The statements of the package documentation about 410 Gone.
func TestHistory(t *testing.T) {
	s := kube.StartTest(t)
	admin := newClient(t, s.Config())
	const events = "/api/v1/namespaces/default/events"
	for _, name := range []string{"a", "b"} {
		admin.createConfigMap(t, name)
	}
	first := admin.get(t, configMaps+"?limit=1", http.StatusOK).Metadata
	list := func(t *testing.T, resourceVersion string, want int) {
		t.Helper()
		expectReason(t, admin.get(t, configMaps+"?resourceVersionMatch=Exact&resourceVersion="+resourceVersion, want))
	}
	page := func(t *testing.T, token string, want int) {
		t.Helper()
		expectReason(t, admin.get(t, configMaps+"?limit=1&continue="+token, want))
	}
	watch := func(t *testing.T, path, resourceVersion, want string) {
		t.Helper()
		if got := admin.firstEvent(t, path, resourceVersion); got != want {
			t.Errorf("watch %s from %s: got %q, want %q", path, resourceVersion, got, want)
		}
	}
	admin.createConfigMap(t, "c")
	admin.do(t, http.MethodPost, events, `{"metadata":{"name":"e"},"involvedObject":{"namespace":"default"}}`, http.StatusCreated)

	t.Run("is there", func(t *testing.T) {
		watch(t, configMaps, first.ResourceVersion, "ADDED c")
		watch(t, events, first.ResourceVersion, "ADDED e")
		list(t, first.ResourceVersion, http.StatusOK)
		page(t, first.Continue, http.StatusOK)
	})
	t.Run("is in etcd after a restart", func(t *testing.T) {
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		watch(t, configMaps, first.ResourceVersion, "ERROR Expired")
		watch(t, events, first.ResourceVersion, "ADDED e")
		list(t, first.ResourceVersion, http.StatusOK)
		page(t, first.Continue, http.StatusOK)
	})
	second := admin.get(t, configMaps+"?limit=1", http.StatusOK).Metadata
	admin.createConfigMap(t, "d")
	latest := admin.get(t, configMaps+"?limit=1", http.StatusOK).Metadata
	if err := s.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Run("is in memory after a compaction", func(t *testing.T) {
		watch(t, configMaps, second.ResourceVersion, "ADDED d")
		watch(t, events, first.ResourceVersion, "ERROR Expired")
		list(t, first.ResourceVersion, http.StatusGone)
		page(t, first.Continue, http.StatusGone)
	})
	t.Run("is expired after both", func(t *testing.T) {
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, old := range []string{first.ResourceVersion, second.ResourceVersion, latest.ResourceVersion} {
			watch(t, configMaps, old, "ERROR Expired")
			list(t, old, http.StatusGone)
		}
		for _, old := range []string{first.Continue, second.Continue, latest.Continue} {
			page(t, old, http.StatusGone)
		}
		if got := admin.get(t, configMaps, http.StatusOK); len(got.Items) < 4 {
			t.Errorf("objects are deleted too: %v", got.Items)
		}
	})
	t.Run("grows again", func(t *testing.T) {
		now := admin.get(t, configMaps+"?limit=1", http.StatusOK).Metadata
		admin.createConfigMap(t, "f")
		watch(t, configMaps, now.ResourceVersion, "ADDED f")
		list(t, now.ResourceVersion, http.StatusOK)
		page(t, now.Continue, http.StatusOK)
	})
}

// expectReason expects the reason of 410 in such a response.
func expectReason(t *testing.T, got answer) {
	t.Helper()
	if got.Code == http.StatusGone && got.Reason != "Expired" {
		t.Errorf("410 with the reason %q: %s", got.Reason, got.Message)
	}
}

func TestStopLeavesNothing(t *testing.T) {
	tmp := ownTempDir(t)
	s, err := kube.Start(t.Context(), kube.Options{Binaries: binaries(t)})
	if err != nil {
		t.Fatal(err)
	}
	admin := newClient(t, s.Config())
	open := admin.watch(t, configMaps, "")
	if entries := expectEntries(t, tmp, 1); s.Dir() != tmp+"/"+entries[0].Name() {
		t.Errorf("the server is in %s, and there are %v", s.Dir(), entries)
	}

	var stops sync.WaitGroup
	for range 4 {
		stops.Go(func() {
			if failure := s.Stop(); failure != nil {
				t.Errorf("stop: %v", failure)
			}
		})
	}
	stops.Wait()
	_, _ = io.Copy(io.Discard, open.Body) // ends when the connection breaks
	expectEntries(t, tmp, 0)
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", s.Port()))
	if err != nil {
		t.Errorf("the port is taken: %v", err)
	} else {
		_ = l.Close()
	}
	if err = s.Restart(t.Context()); !errors.Is(err, kube.ErrStopped) {
		t.Errorf("Restart returned %v", err)
	}
	if err = s.Compact(t.Context()); !errors.Is(err, kube.ErrStopped) {
		t.Errorf("Compact returned %v", err)
	}
}

func TestStopAfterAnAccident(t *testing.T) {
	tmp := ownTempDir(t)
	s, err := kube.Start(t.Context(), kube.Options{Binaries: binaries(t)})
	if err != nil {
		t.Fatal(err)
	}
	s.KillAPIServer()
	if err = s.Stop(); err == nil || !strings.Contains(err.Error(), "kube-apiserver ended by itself: signal: killed\n") {
		t.Errorf("Stop returned %v", err)
	}
	expectEntries(t, tmp, 0)
}

func TestStartFails(t *testing.T) {
	built := binaries(t)
	canceled, cancel := context.WithCancel(context.Background())
	defer cancel()
	for _, test := range []struct {
		name    string
		ctx     context.Context
		options kube.Options
		want    string // in the error
		is      error
	}{
		{
			name:    "a flag that there is not",
			ctx:     context.Background(),
			options: kube.Options{Binaries: built, Flags: []string{"--hello"}},
			want:    "kube-apiserver ended by itself: exit status 1\nError: unknown flag: --hello",
		},
		{
			name:    "no kube-apiserver",
			ctx:     context.Background(),
			options: kube.Options{Binaries: kube.Binaries{Etcd: built.Etcd, APIServer: "/nowhere"}},
			want:    "start kube-apiserver:",
			is:      fs.ErrNotExist,
		},
		{
			name: "no etcd",
			ctx:  context.Background(),
			want: "start etcd:",
		},
		{
			name:    "an invalid etcd",
			ctx:     context.Background(),
			options: kube.Options{Binaries: kube.Binaries{Etcd: built.APIServer, APIServer: built.APIServer}},
			want:    "etcd ended by itself: exit status 1\nError: unknown flag:",
		},
		{
			name:    "no time, when half of it has started",
			ctx:     canceled,
			options: kube.Options{Binaries: built, Log: cancelLog{"Version: v1.37.1", cancel}},
			want:    "wait for kube-apiserver: context canceled",
			is:      context.Canceled,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			tmp := ownTempDir(t)
			s, err := kube.Start(test.ctx, test.options)
			if err == nil {
				t.Error("the server started", s.Stop())
			} else if !strings.Contains(err.Error(), test.want) || test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("Start returned %v, want %q, and %v", err, test.want, test.is)
			}
			expectEntries(t, tmp, 0)
		})
	}
}

// cancelLog cancels a context when the output contains the text.
type cancelLog struct {
	text   string
	cancel context.CancelFunc
}

func (l cancelLog) Write(p []byte) (int, error) {
	if strings.Contains(string(p), l.text) {
		l.cancel()
	}
	return len(p), nil
}

// ownTempDir sets an empty directory for temporary files during the test.
func ownTempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	t.Setenv("TMPDIR", dir)
	return dir
}

func expectEntries(t *testing.T, dir string, want int) []os.DirEntry {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != want {
		t.Fatalf("there are %v, want %d", entries, want)
	}
	return entries
}
