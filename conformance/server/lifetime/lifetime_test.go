package lifetime_test

import (
	"flag"
	"testing"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/conformance/server/lifetime"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var times = flag.Int("lifetime.times", 21, "how often")

// crds is the directory of the CRDs of books and shelves.
const crds = "../../../testdata/crds"

func TestOnTestServer(t *testing.T) {
	measure(t, *times, func() (lifetime.Server, error) { return embedded.New(embedded.WithCRDs(crds)) })
}

// measure runs the test an odd number of times, and logs its duration.
func measure(t *testing.T, times int, start func() (lifetime.Server, error)) {
	all := make([]lifetime.Times, times)
	for i := range all {
		var err error
		if all[i], err = lifetime.Test(t.Context(), start); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("the first: %s", all[0])
	t.Logf("median of %d: %s", times, lifetime.Median(all))
}
