package perturb

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/request"
)

// errCrashed is the result of requests of a process that has crashed.
var errCrashed = errors.New("the process has crashed")

// process is one life of the program: its connection to the server, which disturbs it.
type process struct {
	trial  *trial
	number int // 1 is the first
	cancel context.CancelFunc
	dead   chan struct{} // closed when it crashes
	ended  chan struct{} // closed when Start has returned

	mu         sync.Mutex // guards the rest
	crashed    bool
	staleAt    uint64         // lists that accept any version are as of this one; 0 if they are not stale
	expired    map[string]int // by resource: watches that get 410 Gone
	cannotLead bool           // requests for leases fail
	webhooks   http.Handler   // what it serves; nil if it serves none
}

// connection is the connection of one client of a process.
type connection struct {
	*process
	next http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (p connection) RoundTrip(req *http.Request) (*http.Response, error) {
	if p.isDead() {
		return nil, errCrashed
	}
	req = req.Clone(req.Context())
	acceptJSON(req)
	info, err := requestInfo.NewRequestInfo(req)
	if err != nil || !info.IsResourceRequest {
		return p.next.RoundTrip(req)
	}
	if p.trial.background(info) {
		return p.unobserved(req, info)
	}
	if info.Verb != "watch" && !p.trial.pace.virtual {
		p.trial.open.Add(1)
		defer p.trial.open.Add(-1)
	}
	p.trial.history.follow(info)
	switch info.Verb {
	case "get", "list", "watch":
		return p.read(req, info)
	}
	return p.write(req, info)
}

// acceptJSON makes the server answer in JSON, which this package reads.
func acceptJSON(req *http.Request) {
	accept := req.Header.Get("Accept")
	if strings.Contains(accept, "protobuf") || strings.Contains(accept, "cbor") {
		req.Header.Set("Accept", "application/json")
	}
}

func (p *process) isDead() bool {
	select {
	case <-p.dead:
		return true
	default:
		return false
	}
}

// crash ends the process: no request of it is sent any more.
func (p *process) crash() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.crashed {
		p.crashed = true
		close(p.dead)
		p.cancel()
	}
}

// expire makes the next watch of a resource begin with 410 Gone.
func (p *process) expire(resource string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expired[resource]++
}

// unobserved sends requests for leases and events.
func (p connection) unobserved(req *http.Request, info *request.RequestInfo) (*http.Response, error) {
	p.mu.Lock()
	fails := p.cannotLead && info.Resource == "leases"
	p.mu.Unlock()
	if fails {
		return nil, errors.New("connection refused")
	}
	body, err := readBody(req)
	if err != nil {
		return nil, err
	}
	resp, err := p.next.RoundTrip(req)
	if err == nil && info.Resource == "leases" && resp.StatusCode < http.StatusMultipleChoices && req.Method != http.MethodGet {
		var sent partial
		if json.Unmarshal(body, &sent) == nil && sent.Spec.HolderIdentity != "" {
			p.trial.leads(p.process, info.Namespace+"/"+sent.Metadata.Name)
		}
	}
	return resp, err
}

// read sends a list, a watch or the request for an object.
func (p connection) read(req *http.Request, info *request.RequestInfo) (*http.Response, error) {
	resource := resourceName(info)
	query := req.URL.Query()
	watch := info.Verb == "watch"
	p.mu.Lock()
	staleAt := p.staleAt
	gone := watch && p.expired[resource] > 0 && query.Get("sendInitialEvents") != "true"
	if gone {
		p.expired[resource]--
	}
	p.mu.Unlock()
	anyVersion := info.Verb == "list" && query.Get("resourceVersion") == "0"
	if info.Verb != "get" && !gone {
		p.trial.reads(resource, watch, anyVersion)
	}
	switch {
	case gone:
		return respond(req, apierrors.NewResourceExpired("too old resource version"))
	case (staleAt != 0 || p.trial.plain) && query.Get("sendInitialEvents") == "true":
		// A server behind the others is an old one, which cannot stream lists.
		return respond(req, apierrors.NewInvalid(schema.GroupKind{Group: "meta.k8s.io", Kind: "ListOptions"}, "", nil))
	case staleAt != 0 && anyVersion:
		query.Set("resourceVersion", fmt.Sprint(staleAt))
		query.Set("resourceVersionMatch", "Exact")
		req.URL.RawQuery = query.Encode()
	}
	resp, err := p.next.RoundTrip(req)
	if err == nil && watch && resp.StatusCode == http.StatusOK {
		resp.Body = &stream{ReadCloser: resp.Body, resource: resource, process: p.process, ctx: req.Context(), closed: make(chan struct{})}
	}
	return resp, err
}

// write sends a write, and disturbs it if the schedule says so.
func (p connection) write(req *http.Request, info *request.RequestInfo) (*http.Response, error) {
	body, err := readBody(req)
	if err != nil {
		return nil, err
	}
	var sent partial
	_ = json.Unmarshal(body, &sent) // other formats have no name
	w := p.trial.begin(programActor, info, sent)
	w.process = p.process
	w.versioned = info.Verb == "update" && sent.Metadata.ResourceVersion != ""
	time.Sleep(p.trial.limitHolding())
	if p.isDead() {
		return nil, errCrashed
	}
	d := p.trial.reached(w)
	switch d.kind {
	case conflict:
		p.trial.rejected(w, "conflict")
		return respond(req, apierrors.NewConflict(schema.GroupResource{Group: info.APIGroup, Resource: info.Resource}, info.Name,
			errors.New("the object has been modified; please apply your changes to the latest version and try again")))
	case throttle:
		p.trial.rejected(w, "too many requests")
		return respond(req, apierrors.NewTooManyRequests("the write was not carried out", 1))
	case failure:
		p.trial.rejected(w, "internal error")
		return respond(req, apierrors.NewInternalError(errors.New("the write was not carried out")))
	}
	resp, err := p.trial.send(p.next, req, w, d)
	if err != nil {
		return nil, err
	}
	if p.trial.again(d, w); !w.changed {
		return resp, nil
	}
	switch d.kind {
	case crash:
		p.trial.note("", "The program crashes before it learns of it.")
		if d.long {
			p.trial.keepAway()
		}
		p.crash()
		_ = resp.Body.Close()
		return nil, errCrashed
	case timeout:
		_ = resp.Body.Close()
		p.trial.note("", "The response is an error: time-out.")
		return respond(req, apierrors.NewTimeoutError("the request did not complete within the requested timeout", 0))
	case loseLease:
		p.mu.Lock()
		p.cannotLead = true
		p.mu.Unlock()
		p.trial.note("", "The program cannot renew its lease any more. Another replica starts.")
		p.trial.standIn()
	}
	return resp, nil
}

// send sends a write with its disturbance, and records the result.
func (t *trial) send(next http.RoundTripper, req *http.Request, w *write, d disturbance) (*http.Response, error) {
	done := t.sends(req, w, d)
	resp, body, err := exchange(next, req)
	if done(); err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	var got partial
	_ = json.Unmarshal(body, &got)
	t.finish(w, resp.StatusCode, got)
	return resp, nil
}

// exchange sends a request, and returns the response with its body.
func exchange(next http.RoundTripper, req *http.Request) (*http.Response, []byte, error) {
	resp, err := next.RoundTrip(req)
	if err != nil {
		return nil, nil, err
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	return resp, body, err
}
