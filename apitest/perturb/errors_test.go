package perturb_test

import (
	"context"
	"errors"
	"strings"
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

// A goroutine of a program that does not end is shown.
func TestLeft(t *testing.T) {
	c := corpus.All()[0].Controller(corpus.ClientGo, corpus.All()[0].Mended)
	run := c.StartClientGo
	c.StartClientGo = func(ctx context.Context, config *clientgo.Config) error {
		forever := make(chan struct{})
		go func() { <-forever }()
		return run(ctx, config)
	}
	_, err := perturb.Search(t, c, perturb.Limits{Schedules: 1})
	if err == nil || !strings.Contains(err.Error(), "do not end with the context of Start") || !strings.Contains(err.Error(), "TestLeft") {
		t.Errorf("got %v", err)
	}
}
