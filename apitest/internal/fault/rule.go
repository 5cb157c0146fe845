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

// Rule says what happens to requests, as apitest.Rule does.
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
	done     chan struct{} // closed when the rule is in force no more

	hits int // guarded by injector.mu
}

// Inject puts a rule in force. Of several that match a request, the one that has been in
// force for longest acts, alone.
func (i *Injector) Inject(rule Rule) *Injection {
	injection := &Injection{injector: i, rule: rule, done: make(chan struct{})}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.injections = append(i.injections, injection)
	return injection
}

// Hits returns how many requests the rule has acted on: they count as they come in.
func (i *Injection) Hits() int {
	i.injector.mu.Lock()
	defer i.injector.mu.Unlock()
	return i.hits
}

// Done is closed when the rule is in force no more: it has acted as often as it says, or
// has been removed.
func (i *Injection) Done() <-chan struct{} { return i.done }

// Remove ends the rule. Requests that it delays go on waiting.
func (i *Injection) Remove() {
	i.injector.mu.Lock()
	defer i.injector.mu.Unlock()
	i.end()
}

// end takes the injection out, if it is in. The injector's lock is held.
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

// answer acts on a request, and reports whether that was all that is to be done with it.
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

// wait reports whether the time went by before ctx ended.
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
