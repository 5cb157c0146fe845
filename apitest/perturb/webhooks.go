package perturb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/audit"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// processKey is the key of the process in the context of Start.
type processKey struct{}

// Serve serves admission webhooks in a process of the program until ctx, which is that of Start or derived from it, ends. It
// takes the place of a server on the network. The webhooks of services in configurations call the handler from
// then on, with the path of the service; which service it is makes no difference.
func Serve(ctx context.Context, handler http.Handler) error {
	p, ok := ctx.Value(processKey{}).(*process)
	if !ok {
		return errors.New("perturb: webhooks are served with another context than that of Start")
	}
	p.serve(handler)
	<-ctx.Done()
	p.serve(nil)
	return nil
}

func (p *process) serve(handler http.Handler) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.webhooks = handler
}

// errUnreachable is the result of requests to webhooks that nobody serves.
var errUnreachable = errors.New("connection refused")

// sent is a write that the server carries out.
type sent struct {
	write       *write
	disturbance disturbance
}

// sends lets the reviews of a write be recognized until done is called, by the ID under which the server would log it.
func (t *trial) sends(req *http.Request, w *write, d disturbance) (done func()) {
	id := fmt.Sprint("perturb-", w.step)
	req.Header.Set("Audit-ID", id)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sent[id] = sent{w, d}
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.sent, id)
	}
}

// reviewer is the transport of a request to a webhook.
type reviewer struct {
	trial *trial
	of    embedded.Webhook
	next  http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (r reviewer) RoundTrip(req *http.Request) (*http.Response, error) {
	t := r.trial
	id, _ := audit.AuditIDFrom(req.Context())
	t.mu.Lock()
	s := t.sent[string(id)] // zero if a stand-in writes
	if s.write != nil {
		s.write.reviews = append(s.write.reviews, review{r.of.Name, r.ignored(), r.of.Mutating})
	}
	t.mu.Unlock()
	resp, err := r.ask(req)
	if d := s.disturbance; d.of != r.of.Name || d.kind != delay && d.kind != silence {
		return resp, err
	}
	if s.write.actor == programActor && !t.pace.virtual {
		t.open.Add(-1) // the program waits, but others may go on
		defer t.open.Add(1)
	}
	if s.disturbance.kind == silence {
		return nil, r.lose(req.Context())
	}
	t.note("", "Webhook "+r.of.Name+" has reviewed this, and its response is late: "+s.write.what+".")
	if sleepErr := sleep(req.Context(), min(t.pace.late, r.of.Timeout-time.Second/2)); sleepErr != nil {
		return nil, sleepErr
	}
	t.reviewed("The response of webhook "+r.of.Name+" arrives.", false)
	return resp, err
}

// lose returns when the server need not wait for a response any more.
func (r reviewer) lose(ctx context.Context) error {
	t := r.trial
	_ = sleep(ctx, min(t.pace.late, r.of.Timeout)) // the time-out ends it as well
	t.reviewed("The response of webhook "+r.of.Name+" does not arrive.", r.ignored() && r.of.Mutating)
	return errors.New("no response from the webhook")
}

func (r reviewer) ignored() bool { return r.of.FailurePolicy == admissionv1.Ignore }

// reviewed records the end of a disturbed review; lax is whether the webhook would have modified the object.
func (t *trial) reviewed(text string, lax bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tell("", text)
	t.disturbed = true
	t.lax = t.lax || lax
}

// sleep returns after d, or with an error when ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ask lets the newest process that serves webhooks review a write, if that is for a service. Nothing of the response is left to
// be read from the network then: the time of a bubble does not pass while a goroutine reads.
func (r reviewer) ask(req *http.Request) (*http.Response, error) {
	if r.of.Service == nil {
		req.Close = true
		resp, body, err := exchange(r.next, req)
		if err == nil {
			resp.Body = io.NopCloser(bytes.NewReader(body))
		}
		return resp, err
	}
	r.trial.mu.Lock()
	processes := slices.Clone(r.trial.processes)
	r.trial.mu.Unlock()
	for _, p := range slices.Backward(processes) {
		p.mu.Lock()
		handler := p.webhooks
		p.mu.Unlock()
		if handler != nil && !p.isDead() {
			return p.review(handler, req)
		}
	}
	return nil, errUnreachable
}

// review lets a process respond to a review.
func (p *process) review(handler http.Handler, req *http.Request) (*http.Response, error) {
	body, err := readBody(req)
	if err != nil {
		return nil, err
	}
	received, err := http.NewRequestWithContext(req.Context(), req.Method, req.URL.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	received.Header, received.RequestURI = req.Header.Clone(), req.URL.RequestURI()
	responded := make(chan *http.Response, 1)
	go func() {
		defer close(responded)
		defer func() { _ = recover() }() // as net/http does
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, received)
		responded <- recorder.Result()
	}()
	select {
	case resp, ok := <-responded:
		if ok {
			return resp, nil
		}
	case <-req.Context().Done():
		return nil, req.Context().Err()
	case <-p.dead:
	}
	return nil, errUnreachable
}
