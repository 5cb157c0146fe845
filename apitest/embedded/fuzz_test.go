package embedded_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// FuzzRequest checks that no request makes a handler panic, and that errors of resources are a
// Status.
func FuzzRequest(f *testing.F) {
	for _, to := range targets() {
		path, query, _ := strings.Cut(to.path, "?")
		for _, body := range []string{`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"two"}}`, `[{"op":"add","path":"/data","value":{}}]`, "k8s\x00", ""} {
			f.Add(to.method, path, query, to.contentType, "application/json", body)
		}
	}
	f.Add("GET", configMaps, "limit=1&continue=x&resourceVersion=0", "", "application/json;as=Table;g=meta.k8s.io;v=v1", "")
	f.Add("GET", "/apis", "", "", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", "")
	v := newVictim(f, embedded.WithPlainHTTP())
	host := v.server.Config().Host
	f.Fuzz(func(t *testing.T, method, path, query, contentType, accept, body string) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if strings.Contains(query, "watch") || strings.Contains(path, "watch") {
			return // it has no end
		}
		req, err := http.NewRequestWithContext(ctx, method, host+path+"?"+query, strings.NewReader(body))
		if err != nil || req.URL.Host != strings.TrimPrefix(host, "http://") {
			return
		}
		req.Header.Set("Content-Type", contentType)
		req.Header.Set("Accept", accept)
		resp, err := v.client.Do(req)
		if err != nil {
			if ctx.Err() != nil {
				t.Fatalf("%s %s: no response after ten seconds: %v", method, path, err)
			}
			return // it could not be sent
		}
		defer resp.Body.Close() //nolint:errcheck // nothing is lost
		data, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), "caused apiserver to panic") {
			t.Fatalf("%s %s?%s made the server panic: %d %s", method, path, query, resp.StatusCode, data)
		}
		if method == http.MethodHead || resp.StatusCode < 400 || resp.Header.Get("Content-Type") != "application/json" {
			return
		}
		var status metav1.Status
		if err := json.Unmarshal(data, &status); err != nil || status.Kind != "Status" || int(status.Code) != resp.StatusCode {
			t.Errorf("%d %s (%v)", resp.StatusCode, data, err)
		}
	})
}
