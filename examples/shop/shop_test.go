package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	storagev1 "github.com/listwatch/listwatch/examples/shop/apis/storage/v1"
	"github.com/listwatch/listwatch/examples/shop/pkg/generated/clientset/versioned/fake"
	clienttesting "github.com/listwatch/listwatch/runtime/testing"
)

func TestMain(m *testing.M) {
	utilruntime.ErrorHandlers = nil // one of them waits by the clock, which tests in a bubble set back
	os.Exit(m.Run())
}

// TestGivesUp makes Run fail before its context is done. Run must stop its informers itself, not wait for them.
func TestGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewSimpleClientset()
		client.PrependReactor("list", "databases", func(clienttesting.Action) (bool, runtime.Object, error) {
			return true, nil, apierrors.NewForbidden(storagev1.Resource("databases"), "", errors.New("no rights"))
		})
		controller, err := NewController(client, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		ended := make(chan error, 1)
		go func() { ended <- controller.Run(ctx, 1) }()
		select {
		case err := <-ended:
			if err == nil || !strings.Contains(err.Error(), "no rights") {
				t.Errorf("got error %v, which does not describe the cause", err)
			}
		case <-time.After(time.Hour):
			t.Error("Run has not returned")
		}
	})
}

// TestEnds makes Run return because its context is done, before and after the cache is filled.
func TestEnds(t *testing.T) {
	for name, life := range map[string]time.Duration{"at once": 0, "later": time.Hour} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				controller, err := NewController(fake.NewSimpleClientset(), slog.New(slog.DiscardHandler))
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithTimeout(t.Context(), life)
				defer cancel()
				if err := controller.Run(ctx, 2); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
