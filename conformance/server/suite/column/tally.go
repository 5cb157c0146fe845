package column

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/listwatch/listwatch/conformance/server/suite"
	"github.com/listwatch/listwatch/conformance/server/suite/typed"
)

// isSetup reports whether a request is one of the runner's own, which have no headers: it creates
// namespaces and CRDs, and waits for them.
func isSetup(req suite.Request) bool { return req.Header == nil }

// errUsers is the error for requests of users other than the admin.
var errUsers = &typed.Inexpressible{Reason: "there are no users", Detail: "fakes do not authenticate callers"}

// tally counts how requests were sent. It is safe for concurrent use.
type tally struct {
	mu      sync.Mutex // guards the fields below
	typed   int
	reasons map[typed.Reason]int
}

// count counts a request, given the error of finding a call for it, and reports whether there is
// none.
func (t *tally) count(err error) (inexpressible bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var i *typed.Inexpressible
	switch {
	case err == nil:
		t.typed++
		return false
	case !errors.As(err, &i):
		return false
	}
	if t.reasons == nil {
		t.reasons = map[typed.Reason]int{}
	}
	t.reasons[i.Reason]++
	return true
}

// Typed returns the number of requests that were sent by calls.
func (t *tally) Typed() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.typed
}

// Reasons returns the number of other requests, by reason. The caller owns the map.
func (t *tally) Reasons() map[typed.Reason]int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.reasons)
}

// foremost returns the reason that most requests have.
func (t *tally) foremost() typed.Reason {
	counts := t.Reasons()
	reasons := slices.Sorted(maps.Keys(counts))
	if len(reasons) == 0 {
		return ""
	}
	return slices.MaxFunc(reasons, func(a, b typed.Reason) int { return cmp.Compare(counts[a], counts[b]) })
}
