package rest_test

import (
	"testing"
	"testing/synctest"

	"github.com/listwatch/listwatch/runtime/internal/compattest"
	"github.com/listwatch/listwatch/runtime/rest"
)

func TestClientGoLimits(t *testing.T) {
	compattest.Run(t, testClientGoLimits)
}

func testClientGoLimits(t *testing.T) {
	for _, tt := range []struct {
		name   string
		config rest.Config
		qps    float32 // 0: no limiter
		burst  int
	}{
		{"default", rest.Config{}, 5, 10},
		{"QPS", rest.Config{QPS: 7}, 7, 10},
		{"QPS and Burst", rest.Config{QPS: 7, Burst: 3}, 7, 3},
		{"Burst alone", rest.Config{Burst: 3}, 5, 3},
		{"no limit", rest.Config{QPS: -1, Burst: 3}, 0, 0},
	} {
		// In a bubble, no time passes between the requests.
		run := func(t *testing.T) {
			tt.config.Host, tt.config.NegotiatedSerializer = "http://host", streaming
			c, err := rest.UnversionedRESTClientFor(&tt.config)
			if err != nil {
				t.Fatal(err)
			}
			limiter := c.GetRateLimiter()
			if tt.qps == 0 {
				if limiter != nil {
					t.Errorf("limiter of %v requests a second, want none", limiter.QPS())
				}
				return
			}
			if limiter == nil || limiter.QPS() != tt.qps {
				t.Fatalf("limiter %v, want %v requests a second", limiter, tt.qps)
			}
			taken := 0
			for limiter.TryAccept() {
				taken++
			}
			if taken != tt.burst {
				t.Errorf("%d requests at once, want %d", taken, tt.burst)
			}
		}
		t.Run(tt.name, func(t *testing.T) { synctest.Test(t, run) })
	}
}
