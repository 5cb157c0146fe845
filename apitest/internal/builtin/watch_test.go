package builtin_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"

	"github.com/listwatch/listwatch/apitest/internal/builtin"
)

// events reads n events of a watch, and returns their types and the names of the objects.
func (s *server) events(path string, n int) ([]string, error) {
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+path, nil)
	if err != nil {
		return nil, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		raw, _ := io.ReadAll(res.Body)
		return nil, fmt.Errorf("%s: %s", res.Status, raw)
	}
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	var out []string
	for len(out) < n && lines.Scan() {
		var e struct {
			Type   string
			Object struct {
				APIVersion, Kind string
				Metadata         struct{ Name string }
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return out, err
		}
		out = append(out, e.Type+" "+e.Object.APIVersion+" "+e.Object.Kind+" "+e.Object.Metadata.Name)
	}
	return out, lines.Err()
}

// Watchers share decoded objects, and each writes their kind.
func TestWatchersShareObjects(t *testing.T) {
	s := serve(t, builtin.Options{})
	const path = "/api/v1/namespaces/default/configmaps"
	const watchers, objects = 8, 20
	from := s.must("GET", path, "").at("metadata", "resourceVersion")
	var wg sync.WaitGroup
	for range watchers {
		wg.Go(func() {
			got, err := s.events(fmt.Sprintf("%s?watch=true&resourceVersion=%v", path, from), objects)
			if err != nil || len(got) != objects {
				t.Errorf("got %d events, %v", len(got), err)
				return
			}
			for i, e := range got {
				if want := fmt.Sprintf("ADDED v1 ConfigMap c%d", i); e != want {
					t.Errorf("event %d = %q, want %q", i, e, want)
				}
			}
		})
	}
	for i := range objects {
		s.must("POST", path, fmt.Sprintf("{metadata: {name: c%d}}", i))
	}
	wg.Wait()
}

func TestEventsAreWatchedInBothGroups(t *testing.T) {
	s := serve(t, builtin.Options{})
	s.must("POST", "/api/v1/namespaces/default/events", "{metadata: {name: one}, involvedObject: {kind: Pod, name: x, namespace: default}}")
	for path, version := range map[string]string{
		"/api/v1/namespaces/default/events?watch=true&resourceVersion=0&fieldSelector=involvedObject.name=x":           "v1",
		"/apis/events.k8s.io/v1/namespaces/default/events?watch=true&resourceVersion=0&fieldSelector=regarding.name=x": "events.k8s.io/v1",
	} {
		got, err := s.events(path, 1)
		if err != nil || len(got) != 1 || got[0] != "ADDED "+version+" Event one" {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
}
