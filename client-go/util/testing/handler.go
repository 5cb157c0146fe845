// Package testing has handlers and files for tests of clients.
package testing

import (
	"io"
	"net/http"
	"net/url"
	"reflect"
	"sync"
)

// TestInterface is what a [FakeHandler] needs of a test.
type TestInterface interface {
	Errorf(format string, args ...any)
	Logf(format string, args ...any)
}

// LogInterface logs.
type LogInterface interface {
	Logf(format string, args ...any)
}

// FakeHandler is an HTTP handler with one response, which remembers the last request. A request after a validation is a
// panic.
type FakeHandler struct {
	// RequestReceived and RequestBody are the last request.
	RequestReceived *http.Request
	RequestBody     string
	// StatusCode and ResponseBody are the response, in JSON.
	StatusCode   int
	ResponseBody string
	// T, if set, logs each request.
	T LogInterface

	mu        sync.Mutex // guards all other fields while requests are served
	count     int
	validated bool

	// SkipRequestFn, if set, reports whether a request is answered without being counted.
	SkipRequestFn func(verb string, url url.URL) bool
}

// SetResponseBody sets the response of later requests.
func (f *FakeHandler) SetResponseBody(responseBody string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ResponseBody = responseBody
}

func (f *FakeHandler) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.SkipRequestFn == nil || !f.SkipRequestFn(request.Method, *request.URL) {
		f.receive(request)
	}
	response.Header().Set("Content-Type", "application/json")
	response.WriteHeader(f.StatusCode)
	_, _ = io.WriteString(response, f.ResponseBody) // the client finds out
}

// receive remembers a request. The caller holds mu.
func (f *FakeHandler) receive(request *http.Request) {
	f.count++
	if f.validated {
		panic("got request after having been validated")
	}
	f.RequestReceived = request
	body, err := io.ReadAll(request.Body)
	f.RequestBody = string(body)
	if f.T == nil {
		return
	}
	if err != nil {
		f.T.Logf("Received read error: %v", err)
	}
	f.T.Logf("request body: %s", f.RequestBody)
}

// ValidateRequestCount reports whether there were count requests; if not, that is an error of t.
func (f *FakeHandler) ValidateRequestCount(t TestInterface, count int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.validated = true
	if f.count != count {
		t.Errorf("Expected %d call, but got %d. Only the last call is recorded and checked.", count, f.count)
	}
	return f.count == count
}

// ValidateRequest compares the last request with a path, which may have a query, a method, and a body unless it is nil.
func (f *FakeHandler) ValidateRequest(t TestInterface, expectedPath, expectedMethod string, body *string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.validated = true
	if f.count != 1 {
		t.Logf("Expected 1 call, but got %v. Only the last call is recorded and checked.", f.count)
	}
	want, err := url.Parse(expectedPath)
	if err != nil {
		t.Errorf("Couldn't parse %v as a URL.", expectedPath)
		return
	}
	got := f.RequestReceived
	if got == nil {
		t.Errorf("Unexpected nil request received for %s", expectedPath)
		return
	}
	if got.URL.Path != want.Path {
		t.Errorf("Unexpected request path for request %#v, received: %q, expected: %q", got, got.URL.Path, want.Path)
	}
	if !reflect.DeepEqual(want.Query(), got.URL.Query()) {
		t.Errorf("Unexpected query for request %#v, received: %q, expected: %q", got, got.URL.Query(), want.Query())
	}
	if got.Method != expectedMethod {
		t.Errorf("Unexpected method: %q, expected: %q", got.Method, expectedMethod)
	}
	if body != nil && *body != f.RequestBody {
		t.Errorf("Received body:\n%s\n Doesn't match expected body:\n%s", f.RequestBody, *body)
	}
}
