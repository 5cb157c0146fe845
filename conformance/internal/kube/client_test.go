//go:build kube

package kube_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/runtime/rest"
)

// client sends requests in the form in which a test writes them.
type client struct {
	http *http.Client
	host string
}

func newClient(t *testing.T, config *rest.Config) client {
	t.Helper()
	httpClient, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	return client{httpClient, config.Host}
}

// answer contains the fields that tests check: of a Status, an object and a list.
type answer struct {
	Code     int    // of the response
	Reason   string `json:"reason"`
	Message  string `json:"message"`
	Metadata struct {
		Name            string `json:"name"`
		UID             string `json:"uid"`
		ResourceVersion string `json:"resourceVersion"`
		Continue        string `json:"continue"`
	} `json:"metadata"`
	GitVersion string `json:"gitVersion"`
	Items      []any  `json:"items"`
}

// event is an event of a watch.
type event struct {
	Type   string `json:"type"`
	Object answer `json:"object"`
}

func (c client) send(t *testing.T, method, path, body string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, c.host+path, bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "application/json")
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

// do sends a request and reads the response, whose code must be want.
func (c client) do(t *testing.T, method, path, body string, want int) answer {
	t.Helper()
	resp := c.send(t, method, path, body)
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	got := answer{Code: resp.StatusCode}
	if err = json.Unmarshal(data, &got); err != nil {
		t.Fatalf("%s %s: %v\n%s", method, path, err, data)
	}
	if resp.StatusCode != want {
		t.Errorf("%s %s: got %s, want %d\n%s", method, path, resp.Status, want, data)
	}
	return got
}

func (c client) get(t *testing.T, path string, want int) answer {
	t.Helper()
	return c.do(t, http.MethodGet, path, "", want)
}

const configMaps = "/api/v1/namespaces/default/configmaps"

// createConfigMap creates a config map in the namespace "default".
func (c client) createConfigMap(t *testing.T, name string) answer {
	t.Helper()
	return c.do(t, http.MethodPost, configMaps, `{"metadata":{"name":"`+name+`"}}`, http.StatusCreated)
}

// watch starts a watch. It ends when the response's body is closed, or the test ends.
func (c client) watch(t *testing.T, path, resourceVersion string) *http.Response {
	t.Helper()
	query := url.Values{"watch": {"1"}, "resourceVersion": {resourceVersion}}
	resp := c.send(t, http.MethodGet, path+"?"+query.Encode(), "")
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("watch %s: %s", path, resp.Status)
	}
	return resp
}

// firstEvent returns the first event of a watch: "ADDED name", or "ERROR reason".
func (c client) firstEvent(t *testing.T, path, resourceVersion string) string {
	t.Helper()
	resp := c.watch(t, path, resourceVersion)
	defer func() { _ = resp.Body.Close() }()
	line, err := bufio.NewReader(resp.Body).ReadString('\n')
	if err != nil {
		t.Fatalf("watch %s: %v", path, err)
	}
	var got event
	if err = json.Unmarshal([]byte(line), &got); err != nil {
		t.Fatalf("watch %s: %v\n%s", path, err, line)
	}
	return strings.TrimSpace(got.Type + " " + got.Object.Metadata.Name + got.Object.Reason)
}
