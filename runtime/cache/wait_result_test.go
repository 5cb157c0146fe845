package cache_test

import (
	"context"
	"errors"
	goreflect "reflect"
	"testing"

	"github.com/listwatch/listwatch/runtime/cache"
)

func TestSyncResultAsError(t *testing.T) {
	forbidden := errors.New("forbidden: cannot list strings at the cluster scope")
	result := cache.SyncResult{
		Err: context.DeadlineExceeded,
		Synced: map[goreflect.Type]bool{
			goreflect.TypeFor[int]():    true,
			goreflect.TypeFor[string](): false,
			goreflect.TypeFor[bool]():   false,
		},
		Causes: map[goreflect.Type]error{goreflect.TypeFor[string](): forbidden},
	}
	err := result.AsError()
	want := "failed to sync all caches: bool, string (forbidden: cannot list strings at the cluster scope): context deadline exceeded"
	if err == nil || err.Error() != want {
		t.Errorf("AsError() = %v\nwant %s", err, want)
	}
	for _, wrapped := range []error{context.DeadlineExceeded, forbidden} {
		if !errors.Is(err, wrapped) {
			t.Errorf("AsError() does not wrap %v", wrapped)
		}
	}
	if err := (cache.SyncResult{Synced: result.Synced}).AsError(); err != nil {
		t.Errorf("AsError() without Err = %v, want nil", err)
	}
}
