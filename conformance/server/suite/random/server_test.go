//go:build kube && trials

package random_test

import (
	"flag"
	"regexp"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/conformance/internal/kube"
	"github.com/listwatch/listwatch/conformance/server/suite"
	"github.com/listwatch/listwatch/conformance/server/suite/random"
)

var (
	trials = flag.Uint64("random.trials", 200, "how many trials there are")
	seed   = flag.Uint64("random.seed", 1, "the seed of the trials")
	only   = flag.Int64("random.only", -1, "the only trial")
	kinds  = flag.String("random.kinds", "", "a regular expression of the kinds that are tried")
)

// TestServer compares the servers' responses to random writes.
func TestServer(t *testing.T) {
	wanted, err := regexp.Compile(*kinds)
	if err != nil {
		t.Fatal(err)
	}
	objects, values, err := random.Load()
	if err != nil {
		t.Fatal(err)
	}
	objects = slices.DeleteFunc(objects, func(o *random.Object) bool { return !wanted.MatchString(o.Kind()) })
	server := suite.NewHTTP(suite.Real, suite.RealActions(kube.StartTest(t)))
	t.Cleanup(server.Close)
	other := suite.NewHTTP(suite.Apitest, suite.ApitestActions(embedded.Start(t, suite.ApitestOptions()...)))
	t.Cleanup(other.Close)
	servers := &random.Servers{Real: server, Other: other}
	if err := servers.Create(t.Context(), objects); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	different := map[random.Class]int{}
	accepted := 0
	for number := range *trials {
		if *only >= 0 && number != uint64(*only) {
			continue
		}
		trial := random.NewTrial(*seed, number, objects, values)
		responses, err := servers.Both(t.Context(), trial.Write)
		if err != nil {
			t.Fatal(err)
		}
		if responses[0].Status < 300 {
			accepted++
		}
		want, got := random.Answer(responses[0]), random.Answer(responses[1])
		class, text := random.Difference(want, got)
		if class == "" {
			continue
		}
		different[class]++
		if text = trial.Object.Kind() + ": " + text; !seen[text] {
			seen[text] = true
			t.Errorf("trial %d: %s: %s %s\n%s\n%s", number, class, trial.Method, trial.Path, trial.What,
				diff.Diff(suite.Real, []byte(want), suite.Apitest, []byte(got)))
		}
	}
	t.Logf("%d trials, %d of them accepted by the real server; different: %v, in %d ways", *trials, accepted, different, len(seen))
}
