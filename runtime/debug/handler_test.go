package debug_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/debug"
)

// get requests a page from a handler.
func get(h http.Handler, target string) *http.Response {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// fleet are states of all kinds, as of a moment at which all of them make sense.
func fleet(now time.Time) []cache.State {
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	forbidden := errors.New(`crews.fleet.example.com is forbidden: User "controller" cannot list crews at the cluster scope`)
	refused := errors.New("connection refused")
	of := func(resource string) schema.GroupVersionResource {
		return schema.GroupVersionResource{Group: "fleet.example.com", Version: "v1", Resource: resource}
	}
	return []cache.State{
		{
			Name: "controller", Type: "*v1.Ship", Resource: of("ships"), Owner: "fleet/main.go:42", Started: true, Phase: cache.PhaseLive,
			ResourceVersion: "1234", Objects: 1200, Bytes: 12_345_678, Largest: cache.ObjectName{Namespace: "sea", Name: "ark"}, LargestBytes: 70_000, QueueDepth: 2, LastEvent: ago(40 * time.Millisecond),
			Sources: []cache.SourceState{{
				Phase: cache.PhaseLive, Since: ago(26 * time.Hour), Doing: "watching",
				Err: refused, LastErr: ago(time.Hour),
				ResourceVersion: "1236", LastEvent: ago(40 * time.Millisecond), Lists: 1, Watches: 300, Events: 5000,
				Quarantined: []cache.QuarantinedObject{
					{Name: cache.ObjectName{Namespace: "sea", Name: "wreck"}, Since: ago(time.Minute), Err: errors.New("spec.masts: not a number")},
				},
			}},
			Handlers: []cache.HandlerState{
				{Name: "enqueue", Synced: true, Handled: 6200},
				{Name: "audit", Synced: true, Lag: 31, LagTime: 1234 * time.Millisecond, Handled: 6000, Merged: 169, Panics: 2},
				{Name: "metrics", Synced: true, Lag: 3, LagTime: 20 * time.Millisecond, Handled: 6197},
			},
			IndexErrors: []cache.IndexError{
				{Index: "captain", Name: cache.ObjectName{Namespace: "sea", Name: "raft"}, Err: errors.New("no captain")},
				{Index: "captain", Name: cache.ObjectName{Name: "buoy"}, Err: errors.New("no crew")},
			},
		},
		{Type: "*v1.Route", Resource: of("routes"), Owner: "routes/plan.go:7", Phase: cache.PhaseStarting},
		{
			Type: "*v1.Route", Resource: of("routes"), Owner: "routes/plan.go:7", LabelSelector: "season=winter", FieldSelector: "spec.closed=false",
			Started: true, Phase: cache.PhaseLive, ResourceVersion: "77", Objects: 4, Bytes: 900, Largest: cache.ObjectName{Name: "north"}, LargestBytes: 300,
			Sources: []cache.SourceState{{
				Namespace: "north", Phase: cache.PhaseLive, Since: ago(time.Minute), Doing: "watching", ResourceVersion: "77", Lists: 1, Watches: 1,
			}},
		},
		{
			Name: "controller", Type: "*v1.Cargo", Resource: of("cargoes"), Owner: "fleet/main.go:42", Started: true, Phase: cache.PhaseStale, Err: refused,
			ResourceVersion: "40", Objects: 400, LastEvent: ago(time.Second), Sources: ports(7, ago),
		},
		{
			Name: "controller", Type: "*v1.Harbour", Resource: of("harbours"), Owner: "fleet/main.go:42", Started: true, Phase: cache.PhaseStale, Err: refused,
			ResourceVersion: "900", Objects: 37, LastEvent: ago(90 * time.Second),
			Sources: []cache.SourceState{
				{
					Namespace: "north", Phase: cache.PhaseStale, Since: ago(80 * time.Second), Doing: "waiting 30s to list again",
					Err: refused, LastErr: ago(12 * time.Second), Failures: 7,
					ResourceVersion: "900", LastEvent: ago(90 * time.Second), Lists: 8, Watches: 1, Events: 3,
				},
				{
					Namespace: "south", Phase: cache.PhaseLive, Since: ago(time.Hour), Doing: "watching",
					ResourceVersion: "905", LastEvent: ago(99 * time.Second), Lists: 1, Watches: 2, Events: 9,
				},
			},
		},
		{
			Name: "controller", Type: "*v1.Crew", Resource: of("crews"), Owner: "fleet/main.go:42", Started: true, Phase: cache.PhaseFailed, Err: forbidden,
			Sources: []cache.SourceState{{
				Phase: cache.PhaseFailed, Since: ago(5500 * time.Millisecond), Err: forbidden, LastErr: ago(500 * time.Millisecond), Failures: 3, Lists: 3,
			}},
			Handlers: []cache.HandlerState{{Name: "enqueue ships of a crew"}},
		},
		{Type: "*v1.Anchor", Started: true, Phase: cache.PhaseStarting},
		{Type: "*v1.Port", Started: true, Phase: cache.PhaseStopped},
		{Type: "*v1.Quay", Started: true, Phase: cache.PhaseListing, Packed: &cache.PackedState{Decoded: 1024, Decodes: 300_000, Whole: 2, Dictionaries: 3}},
		{Type: "*v1.Berth", Started: true, Phase: cache.PhaseSyncing},
	}
}

// ports returns n sources, each of a namespace, of which every tenth is stale.
func ports(n int, ago func(time.Duration) time.Time) []cache.SourceState {
	var all []cache.SourceState
	for i := range n {
		s := cache.SourceState{
			Namespace: fmt.Sprintf("port-%02d", i), Phase: cache.PhaseLive, Since: ago(time.Hour), Doing: "watching",
			ResourceVersion: fmt.Sprint(40 + i), LastEvent: ago(time.Second), Lists: 1, Watches: 1, Events: int64(i),
		}
		if i%10 == 0 {
			s.Phase, s.Since, s.Doing, s.Err, s.LastErr, s.Failures = cache.PhaseStale, ago(37*time.Second), "waiting 8s to watch again", errors.New("connection refused"), ago(time.Second), 4
		}
		all = append(all, s)
	}
	return all
}

func TestPage(t *testing.T) {
	for _, test := range []struct{ name, target, file string }{
		{"HTML", "/", "testdata/fleet.html"},
		{"JSON", "/?format=json", "testdata/fleet.json"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // with a fixed time
				h := debug.HandlerFor(func() []cache.State { return fleet(time.Now()) })
				golden.File(t, test.file, body(t, get(h, test.target)))
			})
		})
	}
}

func TestPageWithoutInformers(t *testing.T) {
	h := debug.HandlerFor(func() []cache.State { return nil })
	if got := body(t, get(h, "/")); !strings.Contains(got, "This process has no informers.") {
		t.Errorf("the page does not report that there are no informers:\n%s", got)
	}
	var page map[string]any
	if err := json.Unmarshal([]byte(body(t, get(h, "/?format=json"))), &page); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]any{}, page["informers"]); diff != "" {
		t.Errorf("informers (-want +got):\n%s", diff)
	}
}

func TestRequests(t *testing.T) {
	const htmlType, jsonType, textType = "text/html; charset=utf-8", "application/json", "text/plain; charset=utf-8"
	tests := []struct {
		name, method, target, accept string
		code                         int
		contentType                  string
		body                         string // part of it
	}{
		{"by default", "GET", "/", "", 200, htmlType, "<h1>Informers</h1>"},
		{"of a browser", "GET", "/", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", 200, htmlType, "<h1>"},
		{"of curl", "GET", "/", "*/*", 200, htmlType, "<h1>"},
		{"of a program", "GET", "/", "application/json", 200, jsonType, `"informers"`},
		{"rather JSON", "GET", "/", "text/html;q=0.5, application/json", 200, jsonType, `"informers"`},
		{"something else", "GET", "/", "image/png", 200, htmlType, "<h1>"},
		{"the parameter counts more", "GET", "/?format=html", "application/json", 200, htmlType, "<h1>"},
		{"JSON by parameter", "GET", "/debug/informers?format=json", "", 200, jsonType, `"informers"`},
		{"another format", "GET", "/?format=xml", "", 400, textType, `invalid format "xml", want html or json`},
		{"without refresh", "GET", "/", "", 200, htmlType, `<a href="?refresh=5">`},
		{"with refresh", "GET", "/?refresh=5", "", 200, htmlType, `<meta http-equiv="refresh" content="5">`},
		{"refresh too often", "GET", "/?refresh=0", "", 400, textType, `invalid refresh "0", want a number of seconds from 1 to 3600`},
		{"refresh too seldom", "GET", "/?refresh=3601", "", 400, textType, `invalid refresh "3601"`},
		{"refresh of another page", "GET", "/?refresh=5;url=https://example.com", "", 200, htmlType, "<h1>"}, // no parameter
		{"refresh of something else", "GET", "/?refresh=%3Cscript%3E", "", 400, textType, `invalid refresh "<script>"`},
		{"HEAD", "HEAD", "/", "", 200, htmlType, ""},
		{"POST", "POST", "/", "", 405, textType, "only GET and HEAD are allowed"},
	}
	h := debug.HandlerFor(func() []cache.State { return fleet(time.Now()) })
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := httptest.NewRequest(test.method, test.target, nil)
			if test.accept != "" {
				r.Header.Set("Accept", test.accept)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != test.code {
				t.Errorf("status %d, want %d", w.Code, test.code)
			}
			if got := w.Header().Get("Content-Type"); got != test.contentType {
				t.Errorf("content type %q, want %q", got, test.contentType)
			}
			if !strings.Contains(w.Body.String(), test.body) {
				t.Errorf("%s is not in\n%s", test.body, w.Body)
			}
			if test.code == http.StatusMethodNotAllowed && w.Header().Get("Allow") != "GET, HEAD" {
				t.Errorf("allowed is %q", w.Header().Get("Allow"))
			}
			if test.code == http.StatusOK && w.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("caches may %q", w.Header().Get("Cache-Control"))
			}
		})
	}
}

// The policy allows the page's own style and nothing else.
func TestContentSecurityPolicy(t *testing.T) {
	r := get(debug.HandlerFor(func() []cache.State { return nil }), "/")
	page := body(t, r)
	_, rest, _ := strings.Cut(page, "<style>")
	style, _, found := strings.Cut(rest, "</style>")
	if !found {
		t.Fatal("the page has no style")
	}
	hash := sha256.Sum256([]byte(style))
	want := "default-src 'none'; frame-ancestors 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"
	if got := r.Header.Get("Content-Security-Policy"); got != want {
		t.Errorf("policy %q, want %q", got, want)
	}
}

// Names and errors are always shown as text.
func TestEverythingIsEscaped(t *testing.T) {
	n := 0
	var all []string
	hostile := func() string {
		n++
		s := fmt.Sprintf(`no%d"'></td></style><script>alert(1)</script><img src=x onerror=alert(1)>{{.}}`, n)
		all = append(all, s)
		return s
	}
	name := func() cache.ObjectName { return cache.ObjectName{Namespace: hostile(), Name: hostile()} }
	state := cache.State{
		Name: hostile(), Type: hostile(), Owner: hostile(), LabelSelector: hostile(), FieldSelector: hostile(),
		Resource: schema.GroupVersionResource{Group: hostile(), Version: hostile(), Resource: hostile()},
		Started:  true, Phase: cache.PhaseFailed, Err: errors.New(hostile()),
		Sources: []cache.SourceState{{
			Namespace: hostile(), Phase: cache.PhaseFailed, Doing: hostile(), Err: errors.New(hostile()), Failures: 1, ResourceVersion: hostile(),
			Quarantined: []cache.QuarantinedObject{{Name: name(), Err: errors.New(hostile())}},
		}},
		Handlers:    []cache.HandlerState{{Name: hostile()}},
		IndexErrors: []cache.IndexError{{Index: hostile(), Name: name(), Err: errors.New(hostile())}},
		SlowFields:  []codec.SlowField{{Path: hostile(), Type: reflect.TypeFor[int](), Reason: hostile()}},
	}
	h := debug.HandlerFor(func() []cache.State { return []cache.State{state} })

	root, err := html.Parse(strings.NewReader(body(t, get(h, "/"))))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for node := range root.Descendants() {
		switch {
		case node.Type == html.TextNode:
			texts = append(texts, strings.TrimSpace(node.Data))
		case node.Data == "script" || node.Data == "img":
			t.Errorf("the page has an element %s", node.Data)
		}
		for _, a := range node.Attr {
			if strings.HasPrefix(a.Key, "on") || strings.Contains(a.Val, "alert") {
				t.Errorf("the page has an attribute %s=%q", a.Key, a.Val)
			}
		}
	}
	for _, s := range all {
		if !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, s) }) {
			t.Errorf("%q is not a text of the page", s)
		}
	}

	asJSON := body(t, get(h, "/?format=json"))
	if strings.Contains(asJSON, "<") {
		t.Error("the JSON contains text that a browser could parse as an element")
	}
	var page any
	if err := json.Unmarshal([]byte(asJSON), &page); err != nil {
		t.Errorf("not JSON: %v", err)
	}
}

// newInformer returns an informer of ships.
func newInformer(source cache.ListerWatcher, description string) cache.SharedIndexInformer {
	return cache.NewSharedIndexInformerWithOptions(source, &metav1.PartialObjectMetadata{},
		cache.SharedIndexInformerOptions{ObjectDescription: description})
}

// summaries returns type, phase and number of objects of the informers on the page.
func summaries(t *testing.T, h http.Handler) []string {
	t.Helper()
	var page struct {
		Informers []struct {
			Type, Phase, Error string
			Objects            int
		}
	}
	if err := json.Unmarshal([]byte(body(t, get(h, "/?format=json"))), &page); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, i := range page.Informers {
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s %d %s", i.Type, i.Phase, i.Objects, i.Error)))
	}
	return all
}

// The page shows the existing informers.
func TestInformersOfTheProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ships, crews := cachetesting.NewFakeControllerSource(), cachetesting.NewFakeControllerSource()
		ships.Add(&metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "a"}})
		defer ships.Shutdown()
		defer crews.Shutdown()
		crews.ListError = errors.New("no list today")
		live, failed, idle := newInformer(ships, "ships"), newInformer(crews, "crews"), newInformer(ships, "routes")
		err := failed.SetWatchErrorHandler(func(*cache.Reflector, error) {}) // otherwise it logs in another time zone
		if err != nil {
			t.Fatal(err)
		}
		go live.RunWithContext(ctx)
		go failed.RunWithContext(ctx)
		synctest.Wait()

		h := debug.Handler()
		want := []string{"crews failed 0 failed to list crews: no list today", "routes starting 0", "ships live 1"}
		if diff := cmp.Diff(want, summaries(t, h)); diff != "" {
			t.Errorf("informers (-want +got):\n%s", diff)
		}

		cancel()
		synctest.Wait()
		if diff := cmp.Diff([]string{"routes starting 0"}, summaries(t, h)); diff != "" {
			t.Errorf("informers when the others have stopped (-want +got):\n%s", diff)
		}
		idle.RunWithContext(ctx) // stops immediately, so that it does not exist when the test runs again
		if got := summaries(t, h); len(got) > 0 {
			t.Errorf("informers when all have stopped: %q", got)
		}
	})
}
