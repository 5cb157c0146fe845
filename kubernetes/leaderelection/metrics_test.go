package leaderelection_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/kubernetes/leaderelection"
)

// measured collects the calls of the electors whose name is "measured": the provider is global.
type measured struct{ calls []string }

// provider is one for all runs of a test, as only the first is used.
var provider = &measured{}

func (m *measured) NewLeaderMetric() leaderelection.LeaderMetric { return m }

func (m *measured) add(call, name string) {
	if name == "measured" {
		m.calls = append(m.calls, call)
	}
}

func (m *measured) On(name string)                { m.add("on", name) }
func (m *measured) Off(name string)               { m.add("off", name) }
func (m *measured) SlowpathExercised(name string) { m.add("slow path", name) }

func TestMetrics(t *testing.T) {
	provider.calls = nil
	leaderelection.SetProvider(provider)
	leaderelection.SetProvider(nil) // only the first call has an effect
	synctest.Test(t, func(t *testing.T) {
		a := join(t, &server{}, "a", func(c *leaderelection.LeaderElectionConfig, _ *lock) { c.Name = "measured" })
		time.Sleep(3 * time.Second)
		a.lock.setSend(func(context.Context, func()) error {
			a.lock.setSend(nil)
			return errors.New("internal error")
		})
		time.Sleep(3 * time.Second)
		a.stop()
		<-a.done
	})
	if diff := cmp.Diff([]string{"off", "on", "slow path", "off"}, provider.calls); diff != "" {
		t.Errorf("calls, -want +got:\n%s", diff)
	}
}
