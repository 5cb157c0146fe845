package informers_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/informers"
)

// TestWaitingGoesOnWithoutWhatStops stops an informer whose lists fail while a call waits for it
// and for another one, which can be listed a minute later.
func TestWaitingGoesOnWithoutWhatStops(t *testing.T) {
	for name, test := range map[string]struct {
		run     func(t *testing.T, f factory) (stop func()) // the informer of boats
		want    map[reflect.Type]bool
		wantErr string
	}{
		"released": {
			func(t *testing.T, f factory) func() { return acquire(t.Context(), t, f) },
			map[reflect.Type]bool{reflect.TypeFor[*other](): true}, "",
		},
		"acquired for a time": {
			func(t *testing.T, f factory) func() {
				ctx, cancel := context.WithCancel(t.Context())
				acquire(ctx, t, f)
				return cancel
			},
			map[reflect.Type]bool{reflect.TypeFor[*other](): true}, "",
		},
		"started": {
			func(t *testing.T, f factory) func() {
				ctx, cancel := context.WithCancel(t.Context())
				f.StartWithContext(ctx)
				return cancel
			},
			map[reflect.Type]bool{reflect.TypeFor[*other](): true, reflect.TypeFor[*object](): false}, "informer has stopped",
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFactory(&server{err: errors.New("not yet")}, informers.Config{})
				ctx, cancel := context.WithCancel(t.Context())
				f.of(&other{})
				f.StartWithContext(ctx)
				f.InformerFor(&object{}, func(time.Duration) cache.SharedIndexInformer {
					return (&server{err: errors.New("never")}).informer(&object{}, "", informers.Options{})
				})
				stop := test.run(t, f)
				result := make(chan cache.SyncResult, 1)
				go func() { result <- f.WaitForCacheSyncWithContext(ctx) }()
				synctest.Wait()
				stop()
				time.Sleep(time.Minute)
				if len(result) > 0 {
					t.Errorf("gave up with %+v", <-result)
					result <- cache.SyncResult{}
				}
				f.server.recover()
				got := <-result
				if !reflect.DeepEqual(got.Synced, test.want) {
					t.Errorf("got %v, want %v", got.Synced, test.want)
				}
				if err := got.AsError(); (err != nil) != (test.wantErr != "") || err != nil && !strings.Contains(err.Error(), test.wantErr) {
					t.Errorf("got error %v, want %q", err, test.wantErr)
				}
				cancel()
				f.Shutdown()
			})
		})
	}
}
