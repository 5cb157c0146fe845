package perturb_test

import (
	"context"
	"errors"
	"testing"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgo "k8s.io/client-go/rest"

	"github.com/listwatch/listwatch/apitest/perturb"
	"github.com/listwatch/listwatch/apitest/perturb/testdata/corpus"
)

// A program that reports errors does not pause until the time of another run, or of the world outside.
func TestErrorsWithoutPause(t *testing.T) {
	utilruntime.HandleErrorWithContext(t.Context(), errors.New("expected"), "of a test")
	c := corpus.All()[0].Controller(corpus.ClientGo, corpus.All()[0].Mended)
	run := c.StartClientGo
	c.StartClientGo = func(ctx context.Context, config *clientgo.Config) error {
		for range 3 {
			begin := time.Now()
			utilruntime.HandleErrorWithContext(ctx, errors.New("expected"), "of a test")
			if took := time.Since(begin); took > time.Second {
				t.Errorf("paused for %s", took)
			}
		}
		return run(ctx, config)
	}
	if _, err := perturb.Search(t, c, perturb.Limits{Schedules: 1}); err != nil {
		t.Fatal(err)
	}
}
