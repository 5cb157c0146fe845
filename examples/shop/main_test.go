package main

import (
	"context"
	"errors"
	"os"
	"regexp"
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

// TestREADME checks that the files of the quick start in README.md equal those in this directory,
// except for the module path.
func TestREADME(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	files := regexp.MustCompile("(?s)```go\n// (\\S+\\.go)\n\n?(.*?)```").FindAllStringSubmatch(string(readme), -1)
	if len(files) != 5 {
		t.Errorf("README.md has %d files, want 5", len(files))
	}
	for _, file := range files {
		name, told := file[1], file[2]
		is, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
			continue
		}
		told = strings.ReplaceAll(told, `"example.com/shop/`, `"github.com/listwatch/listwatch/examples/shop/`)
		told = strings.ReplaceAll(told, "gen-all ./apis", "gen-all --output-dir pkg/generated --output-pkg github.com/listwatch/listwatch/examples/shop/pkg/generated --timings ./apis")
		if told != string(is) {
			t.Errorf("%s is not as README.md has it:\n%s", name, told)
		}
	}
}

// TestRunGivesUp makes run fail before its context is done. Run must stop its informers itself,
// not wait for them.
func TestRunGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewSimpleClientset()
		client.PrependReactor("list", "databases", func(clienttesting.Action) (bool, runtime.Object, error) {
			return true, nil, apierrors.NewForbidden(storagev1.Resource("databases"), "", errors.New("no rights"))
		})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		ended := make(chan error, 1)
		go func() { ended <- run(ctx, client) }()
		select {
		case err := <-ended:
			if !strings.Contains(err.Error(), "no rights") {
				t.Errorf("got error %v, which does not say why", err)
			}
		case <-time.After(time.Hour):
			t.Error("run has not returned")
		}
	})
}

// TestRun makes run return because its context is done.
func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if err := run(ctx, fake.NewSimpleClientset()); err != nil {
			t.Error(err)
		}
	})
}
