//go:build kube

package suite_test

import (
	"sync"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/kube"
	"github.com/listwatch/listwatch/conformance/server/suite"
)

// TestServer runs the cases on the real server and on apitest, and compares both with each other
// and with the recorded answers. With -record, it writes the real server's answers.
func TestServer(t *testing.T) { runByPlugin(t, runServer) }

func runServer(t *testing.T, plugin string, cases []*suite.Case) {
	t.Helper()
	server := suite.NewHTTP(suite.Real, suite.RealActions(kube.StartTest(t, suite.RealFlags(plugin)...)))
	t.Cleanup(server.Close)
	runner := &suite.Runner{Informers: true}
	if *record {
		runAll(t, cases, func(t *testing.T, c *suite.Case) {
			write(t, c, suite.Real, runner.Run(t.Context(), c, server))
		})
		return
	}
	other := startApitest(t, plugin)
	runAll(t, cases, func(t *testing.T, c *suite.Case) {
		var served, answered *suite.Outcome
		var both sync.WaitGroup
		both.Go(func() { served = runner.Run(t.Context(), c, server) })
		both.Go(func() { answered = runner.Run(t.Context(), c, other) })
		both.Wait()
		complaints := suite.Judge(c, suite.Real, served)
		complaints = append(complaints, suite.Judge(c, suite.Apitest, answered)...)
		complaints = append(complaints, suite.Compare(c, suite.Apitest, served, answered)...)
		for _, complaint := range complaints {
			t.Error(complaint)
		}
	})
}
