package embedded_test

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/apitest/embedded"
	v1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// Sizes of TestLoad; make load sets larger ones.
var (
	loadObjects = flag.Int("load.objects", 1_000, "objects of TestLoad")
	loadWatches = flag.Int("load.watches", 100, "watches of TestLoad")
	loadSlow    = flag.Int("load.slow", 3, "slow readers of TestLoad")
	loadHistory = flag.Int("load.history", 500, "WithHistory of TestLoad; 0 is the default of a server, 256 MiB")
)

func aConfigMap(name string) kruntime.Object {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": "load"}},
		Data:       map[string]string{"text": strings.Repeat("x", 500)},
	}
}

func aBook(name string) kruntime.Object {
	return &v1.Book{
		TypeMeta:   metav1.TypeMeta{APIVersion: v1.GroupName + "/v1", Kind: "Book"},
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": "load"}},
		Spec:       v1.BookSpec{Title: "A book"},
	}
}

// manyObjects are n objects with different names.
func manyObjects(n int, named func(name string) kruntime.Object) []kruntime.Object {
	objects := make([]kruntime.Object, n)
	for i := range objects {
		objects[i] = named(fmt.Sprintf("object-%06d", i))
	}
	return objects
}

func BenchmarkWithObjects(b *testing.B) {
	for name, named := range map[string]func(string) kruntime.Object{"configmaps": aConfigMap, "books": aBook} {
		b.Run(name, func(b *testing.B) {
			const n = 10_000
			objects := manyObjects(n, named)
			for b.Loop() {
				srv, err := embedded.New(embedded.WithCRDs("../testdata/crds"), embedded.WithObjects(objects...))
				if err != nil {
					b.Fatal(err)
				}
				if err := srv.Stop(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "µs/object")
		})
	}
}

// Many objects, watches and slow readers take bounded memory; and a reader that is too slow gets all events up to
// the one that says so.
func TestLoad(t *testing.T) {
	load := &load{T: t}
	before := memory()
	load.srv = embedded.Start(t, embedded.WithHistory(*loadHistory), embedded.WithObjects(manyObjects(*loadObjects, aConfigMap)...))
	load.token = load.srv.Config().BearerToken
	before = load.report("an object", *loadObjects, before, 8<<10)

	client := clientFor(t, load.srv.Config())
	url := load.srv.URL() + "/api/v1/namespaces/default/configmaps"
	version := load.list(client, url)
	before = load.report("an object that was read", *loadObjects, before, 8<<10)

	watches := make([]*bufio.Reader, *loadWatches)
	for i := range watches {
		watches[i] = load.watch(client, url, version)
	}
	before = load.report("a watch, with its client", *loadWatches, before, 160<<10)

	const writes = 10
	var readers sync.WaitGroup
	for _, watch := range watches {
		readers.Go(func() {
			for range writes {
				if event := next(watch); event.Type != "ADDED" {
					t.Errorf("a watch got %+v, want ADDED", event)
				}
			}
		})
	}
	for i := range writes {
		load.post(client, url, "v1", "ConfigMap", fmt.Sprint("new-", i), "")
	}
	readers.Wait()
	load.report("a watch after 10 events", *loadWatches, before, 160<<10)
	load.slow(client)
}

// load is a test of a server under load.
type load struct {
	*testing.T
	srv   *embedded.Server
	token string
}

// slow writes more than the history retains while slow readers have stopped to read.
func (l *load) slow(client *http.Client) {
	l.Helper()
	url := l.srv.URL() + "/api/v1/namespaces/default/secrets"
	version := l.list(client, url)
	slow := make([]*bufio.Reader, *loadSlow)
	for i := range slow {
		slow[i] = l.watch(l.slowClient(), url, version)
	}
	before := memory()
	// The writes are twice as much as the history retains.
	const size = 64 << 10
	bound := 256 << 20
	if *loadHistory > 0 {
		bound = *loadHistory * size
	}
	turns := 2 * bound / size
	data := `,"stringData":{"a":"` + strings.Repeat("x", size) + `"}`
	body := func(i int) string {
		return `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"one","labels":{"turn":"` + strconv.Itoa(i) + `"}}` + data + `}`
	}
	if code := l.send(client, http.MethodPost, url, body(0)); code != http.StatusCreated {
		l.Fatal(code)
	}
	for i := 1; i <= turns; i++ {
		if code := l.send(client, http.MethodPut, url+"/one", body(i)); code != http.StatusOK {
			l.Fatal(code)
		}
	}
	grown := int(memory()) - int(before)
	l.Logf("%d slow readers and a history of %d MiB: %d MiB", len(slow), bound>>20, grown>>20)
	// What is decoded for watches that are up to date; and for each slow reader, about 32 events, encoded and decoded.
	if limit := bound + 128<<20 + len(slow)*32*4*size; grown > limit {
		l.Errorf("more than %d MiB", limit>>20)
	}
	for _, reader := range slow {
		last := -1
		for {
			event := next(reader)
			if event.Type == "ERROR" {
				l.Logf("a slow reader got %d of %d events, and: %s", last+1, turns+1, event.Object.Message)
				if event.Object.Code != http.StatusGone || event.Object.Reason != metav1.StatusReasonExpired {
					l.Errorf("the error of a slow watch is %+v, want 410 Expired", event)
				}
				break
			}
			turn, err := strconv.Atoi(event.Object.Metadata.Labels["turn"])
			if err != nil || turn != last+1 {
				l.Fatalf("event %d follows event %d: %v", turn, last, err)
			}
			if last = turn; last == turns {
				l.Fatal("a slow reader has lost nothing")
			}
		}
	}
}

// event is the part of an event of a watch that matters here.
type event struct {
	Type   string
	Object struct {
		Code     int
		Reason   metav1.StatusReason
		Message  string
		Metadata metav1.ObjectMeta
	}
}

func next(reader *bufio.Reader) (e event) {
	line, err := reader.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &e)
	}
	if err != nil {
		e.Type = err.Error()
	}
	return e
}

// list returns the version of a list, whose objects it discards.
func (l *load) list(client *http.Client, url string) string {
	l.Helper()
	req, err := http.NewRequestWithContext(l.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		l.Fatal(err)
	}
	resp, err := l.do(client, req)
	if err != nil {
		l.Fatal(err)
	}
	defer resp.Body.Close() //nolint:errcheck // it was read
	var head [512]byte
	n, err := io.ReadFull(resp.Body, head[:])
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		l.Fatal(err)
	}
	if _, err = io.Copy(io.Discard, resp.Body); err != nil {
		l.Fatal(err)
	}
	_, rest, _ := bytes.Cut(head[:n], []byte(`"resourceVersion":"`))
	version, _, ok := bytes.Cut(rest, []byte(`"`))
	if !ok {
		l.Fatalf("no version in %s", head[:n])
	}
	return string(version)
}

func (l *load) watch(client *http.Client, url, version string) *bufio.Reader {
	l.Helper()
	req, err := http.NewRequestWithContext(l.Context(), http.MethodGet, url+"?watch=true&resourceVersion="+version, http.NoBody)
	if err != nil {
		l.Fatal(err)
	}
	resp, err := l.do(client, req)
	if err != nil {
		l.Fatal(err)
	}
	l.Cleanup(func() { _ = resp.Body.Close() })
	if resp.StatusCode != http.StatusOK {
		l.Fatal(resp.Status)
	}
	return bufio.NewReaderSize(resp.Body, 1<<10)
}

func (l *load) send(client *http.Client, method, url, body string) int {
	l.Helper()
	req, err := http.NewRequestWithContext(l.Context(), method, url, strings.NewReader(body))
	if err != nil {
		l.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := l.do(client, req)
	if err != nil {
		l.Fatal(err)
	}
	if _, err = io.Copy(io.Discard, resp.Body); err != nil {
		l.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

func (l *load) post(client *http.Client, url, version, kind, name, rest string) {
	l.Helper()
	body := fmt.Sprintf(`{"apiVersion":%q,"kind":%q,"metadata":{"name":%q}%s}`, version, kind, name, rest)
	if code := l.send(client, http.MethodPost, url, body); code != http.StatusCreated {
		l.Fatal(code)
	}
}

func (l *load) do(client *http.Client, req *http.Request) (*http.Response, error) {
	req.Header.Set("Authorization", "Bearer "+l.token)
	return client.Do(req)
}

// slowClient returns a client of HTTP/1, which buffers little; one of HTTP/2 would buffer much.
func (l *load) slowClient() *http.Client {
	l.Helper()
	authorities := x509.NewCertPool()
	authorities.AppendCertsFromPEM(l.srv.Config().CAData)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: authorities}}
	l.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// memory returns the bytes of the heap and of stacks in use.
func memory() uint64 {
	runtime.GC()
	runtime.GC() // the second also frees what had finalizers and pools
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc + stats.StackInuse
}

// report logs the growth of memory for each of n things, and fails if it exceeds the limit. It returns the current
// memory.
func (l *load) report(what string, n int, before, limit uint64) uint64 {
	l.Helper()
	after := memory()
	each := (int64(after) - int64(before)) / int64(n)
	l.Logf("%s: %d bytes", what, each)
	if each > int64(limit) {
		l.Errorf("more than %d bytes", limit)
	}
	return after
}
