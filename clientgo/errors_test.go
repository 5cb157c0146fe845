package clientgo_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"testing/synctest"

	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	theirs "k8s.io/client-go/tools/cache"

	"github.com/listwatch/listwatch/runtime/cache"
)

// failing is a source whose first lists or watches fail.
type failing struct {
	list, watch error

	mu     sync.Mutex // guards failed
	failed bool
}

func (f *failing) first(err error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failed || err == nil {
		return nil
	}
	f.failed = true
	return err
}

func (f *failing) ListWithContext(context.Context, metav1.ListOptions) (runtime.Object, error) {
	return &v1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "1"}}, f.first(f.list)
}

func (f *failing) WatchWithContext(context.Context, metav1.ListOptions) (watch.Interface, error) {
	if err := f.first(f.watch); err != nil {
		return nil, err
	}
	return watch.NewFake(), nil
}

func (f *failing) List(options metav1.ListOptions) (runtime.Object, error) {
	return f.ListWithContext(context.Background(), options)
}

func (f *failing) Watch(options metav1.ListOptions) (watch.Interface, error) {
	return f.WatchWithContext(context.Background(), options)
}

// IsWatchListSemanticsUnSupported makes both list first.
func (*failing) IsWatchListSemanticsUnSupported() bool { return true }

// Handlers of errors get the errors that client-go's get, as they are: programs compare them, and assert their types.
func TestErrorsOfHandlers(t *testing.T) {
	denied := apierrors.NewForbidden(v1.Resource("pods"), "", errors.New("no"))
	for _, test := range []struct {
		name        string
		list, watch error
	}{
		{"list", denied, nil},
		{"watch", nil, denied},
		{"end of file", nil, io.EOF},
		{"unexpected end of file", nil, io.ErrUnexpectedEOF},
		{"expired", nil, apierrors.NewResourceExpired("old")},
	} {
		t.Run(test.name, func(t *testing.T) {
			describe := func(err error) string {
				_, is := err.(*apierrors.StatusError)                                                                               //nolint:errorlint // as programs do
				return fmt.Sprintf("%v, a status: %v, EOF: %v, unexpected: %v", err, is, err == io.EOF, err == io.ErrUnexpectedEOF) //nolint:errorlint // as programs do
			}
			got := map[string]string{}
			run := func(t *testing.T, informer interface{ RunWithContext(context.Context) }, err error) {
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithCancel(t.Context())
				var running sync.WaitGroup
				running.Go(func() { informer.RunWithContext(ctx) })
				synctest.Wait()
				cancel()
				running.Wait()
			}
			synctest.Test(t, func(t *testing.T) {
				source := &failing{list: test.list, watch: test.watch}
				informer := theirs.NewSharedIndexInformer(source, &v1.Pod{}, 0, theirs.Indexers{})
				run(t, informer, informer.SetWatchErrorHandler(func(_ *theirs.Reflector, err error) { got["client-go"] = describe(err) }))
			})
			synctest.Test(t, func(t *testing.T) {
				source := &failing{list: test.list, watch: test.watch}
				informer := cache.NewSharedIndexInformer(source, &v1.Pod{}, 0, cache.Indexers{})
				run(t, informer, informer.SetWatchErrorHandler(func(_ *cache.Reflector, err error) { got["ours"] = describe(err) }))
			})
			if got["ours"] != got["client-go"] || got["ours"] == "" {
				t.Errorf("client-go's handler gets %s\nours %s", got["client-go"], got["ours"])
			}
		})
	}
}
