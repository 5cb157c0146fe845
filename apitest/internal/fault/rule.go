package fault

import (
	"context"
	"net/http"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
)

// Rule is a fault of requests, as apitest.Rule describes.
type Rule struct {
	Match
	Delay time.Duration
	Error error
	Times int
}

// Injection is an active rule. It is safe for concurrent use.
type Injection struct {
	injector *Injector
	rule     Rule
	done     chan struct{} // closed when the rule is no longer active

	hits int // guarded by injector.mu
}

// Inject activates a rule. If several rules match a request, only the oldest one acts.
func (i *Injector) Inject(rule Rule) *Injection {
	injection := &Injection{injector: i, rule: rule, done: make(chan struct{})}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.injections = append(i.injections, injection)
	return injection
}

// Hits returns the number of requests on which the rule has acted, including those in progress.
func (i *Injection) Hits() int {
	i.injector.mu.Lock()
	defer i.injector.mu.Unlock()
	return i.hits
}

// Done returns a channel that is closed when the rule is no longer active: it has acted Times
// times, or was removed.
func (i *Injection) Done() <-chan struct{} { return i.done }

// Remove deactivates the rule. Requests that it is delaying continue to wait.
func (i *Injection) Remove() {
	i.injector.mu.Lock()
	defer i.injector.mu.Unlock()
	i.end()
}

// end removes the injection, if it is active. The injector's lock is held.
func (i *Injection) end() {
	if at := slices.Index(i.injector.injections, i); at >= 0 {
		i.injector.injections = slices.Delete(i.injector.injections, at, at+1)
		close(i.done)
	}
}

// hit returns the rule that acts on a request.
func (i *Injector) hit(a asked) (Rule, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, injection := range i.injections {
		if !injection.rule.matches(a) {
			continue
		}
		injection.hits++
		if injection.hits == injection.rule.Times {
			injection.end()
		}
		return injection.rule, true
	}
	return Rule{}, false
}

// statusCodecs encode errors.
var statusCodecs = func() serializer.CodecFactory {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	scheme.AddUnversionedTypes(schema.GroupVersion{Version: "v1"}, &metav1.Status{})
	return serializer.NewCodecFactory(scheme)
}()

// answer acts on a request, and reports whether the request is thereby handled.
func (r Rule) answer(w http.ResponseWriter, req *http.Request) bool {
	err := r.Error
	if !wait(req.Context(), r.Delay) {
		err = errors.NewTimeoutError("the request was delayed beyond its end", 0)
	}
	if err == nil {
		return false
	}
	responsewriters.ErrorNegotiated(err, statusCodecs, schema.GroupVersion{Version: "v1"}, w, req)
	return true
}

// wait reports whether the time has passed before ctx was done.
func wait(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
