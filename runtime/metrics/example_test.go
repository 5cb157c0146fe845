package metrics_test

import (
	"context"
	"log/slog"

	"github.com/listwatch/listwatch/runtime/metrics"
)

// responses counts the responses of servers; most programs use the module metrics/prometheus.
type responses struct{}

func (responses) Increment(ctx context.Context, code, method, host string) {
	slog.DebugContext(ctx, "Response", "code", code, "method", method, "host", host)
}

// A program registers its metrics once, before it creates clients.
func ExampleRegister() {
	metrics.Register(metrics.RegisterOpts{RequestResult: responses{}})
}
