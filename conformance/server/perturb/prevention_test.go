package perturb_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	clientgo "k8s.io/client-go/rest"

	"github.com/listwatch/listwatch/apitest/perturb"
	"github.com/listwatch/listwatch/apitest/perturb/testdata/corpus"
	"github.com/listwatch/listwatch/runtime/rest"
)

// prevention is a property of a runtime because of which programs cannot have a bug.
type prevention struct {
	why string
	// watch observes all runs of a controller. The function that it returns reports whether the property holds.
	watch func(c *perturb.Controller) (holds func() error)
}

// TestPrevented checks that bugs which a runtime prevents are not found with any schedule, and why.
func TestPrevented(t *testing.T) {
	for _, r := range runtimes {
		for _, c := range corpus.All() {
			p := r.prevents(c)
			if p == nil {
				continue
			}
			t.Run(r.name+"/"+c.Name, func(t *testing.T) {
				controller := c.Controller(r.run, c.Wrong)
				holds := p.watch(&controller)
				found, err := perturb.Search(t, controller, perturb.Limits{Single: true})
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range found.Findings {
					t.Error(f.Report)
				}
				if err := holds(); err != nil {
					t.Errorf("%s: %v", p.why, err)
				}
				t.Logf("%d schedules", found.Tried)
			})
		}
	}
}

// newestFirst: no list accepts an old state, so that a process which has just started has read none.
var newestFirst = &prevention{"the first list is the newest", func(c *perturb.Controller) func() error {
	var mu sync.Mutex
	lists, start := 0, c.Start
	var stale []string
	c.Start = func(ctx context.Context, config *rest.Config) error {
		config.Wrap(func(next http.RoundTripper) http.RoundTripper {
			return roundTripper(func(req *http.Request) (*http.Response, error) {
				query := req.URL.Query()
				mu.Lock()
				if query.Get("watch") == "" || query.Get("sendInitialEvents") != "" {
					lists++
					if query.Get("resourceVersion") == "0" {
						stale = append(stale, req.URL.RequestURI())
					}
				}
				mu.Unlock()
				return next.RoundTrip(req)
			})
		})
		return start(ctx, config)
	}
	return func() error {
		switch {
		case lists == 0:
			return errors.New("nothing was listed")
		case len(stale) > 0:
			return fmt.Errorf("lists accept any state: %s", stale[0])
		}
		return nil
	}
}}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// endsWithLease: a process ends when it has lost its lease, whatever its workers wait for.
var endsWithLease = &prevention{"the manager ends with its lease", func(c *perturb.Controller) func() error {
	var mu sync.Mutex
	run, lost := c.StartClientGo, 0
	c.StartClientGo = func(ctx context.Context, config *clientgo.Config) error {
		err := run(ctx, config)
		if err != nil && strings.Contains(err.Error(), "leader election lost") {
			mu.Lock()
			lost++
			mu.Unlock()
		}
		return err
	}
	return func() error {
		if lost == 0 {
			return errors.New("no manager has ended for that reason")
		}
		return nil
	}
}}
