// Package consistencydetector compares what a client received by a watch with a list from the server's storage. It is
// for tests of servers: a difference is a panic.
package consistencydetector

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/diff"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/klog/v2"
)

// enabled is written by tests only.
var enabled, _ = strconv.ParseBool(os.Getenv("KUBE_WATCHLIST_INCONSISTENCY_DETECTOR"))

// IsDataConsistencyDetectionForWatchListEnabled reports whether the environment variable
// KUBE_WATCHLIST_INCONSISTENCY_DETECTOR was true when the program started. Informers do not ask: the check is made
// by those who call [CheckDataConsistency].
func IsDataConsistencyDetectionForWatchListEnabled() bool { return enabled }

// SetDataConsistencyDetectionForWatchListEnabledForTest changes what
// [IsDataConsistencyDetectionForWatchListEnabled] reports, until the returned function is called. It must not be
// called concurrently with either.
func SetDataConsistencyDetectionForWatchListEnabledForTest(enable bool) func() {
	before := enabled
	enabled = enable
	return func() { enabled = before }
}

// RetrieveItemsFunc returns what was received.
type RetrieveItemsFunc[U any] func() []U

// ListFunc lists.
type ListFunc[T runtime.Object] func(ctx context.Context, options metav1.ListOptions) (T, error)

// TransformFunc changes an object of the list as those received were changed.
type TransformFunc func(any) (any, error)

// CheckDataConsistency lists the objects at a version and panics if those received differ. Until the list succeeds,
// it tries again each second; if the context ends before, there is no check, nor for a version or options for which
// a server returns no exact state. identity says what is watched, in logs.
func CheckDataConsistency[T runtime.Object, U any](ctx context.Context, identity string, lastSyncedResourceVersion string, listFn ListFunc[T], listItemTransformFunc TransformFunc, listOptions metav1.ListOptions, retrieveItemsFn RetrieveItemsFunc[U]) {
	logger := klog.FromContext(ctx)
	if identity != "" {
		logger = klog.LoggerWithName(logger, identity)
	}
	// A server rejects both with an exact version.
	if listOptions.Continue != "" || lastSyncedResourceVersion == "0" {
		logger.V(4).Info("Skipping the data consistency check, as there is no exact list for these options")
		return
	}
	logger.Info("Data consistency check is enabled, which sends an additional list")

	received := sorted(retrieveItemsFn())
	// A list from the server's cache ignores the limit, as what was received did.
	if listOptions.ResourceVersion == "0" && listOptions.Limit > 0 && int64(len(received)) > listOptions.Limit {
		listOptions.Limit = 0
	}
	listOptions.ResourceVersion = lastSyncedResourceVersion
	listOptions.ResourceVersionMatch = metav1.ResourceVersionMatchExact
	var list runtime.Object
	err := wait.PollUntilContextCancel(ctx, time.Second, true, func(context.Context) (bool, error) {
		var err error
		if list, err = listFn(ctx, listOptions); err != nil {
			logger.Info("Failed to list for the data consistency check, retrying", "err", err)
			return false, nil
		}
		return true, nil
	})
	if err != nil {
		logger.Error(err, "No data consistency check, as the list did not succeed in time")
		return
	}
	items, err := meta.ExtractListWithAlloc(list)
	if err != nil {
		panic(err)
	}
	for i := range items {
		if listItemTransformFunc == nil {
			break
		}
		obj, err := listItemTransformFunc(items[i])
		if err != nil {
			panic(err)
		}
		items[i] = obj.(runtime.Object)
	}
	if listed := sorted(items); !reflect.DeepEqual(listed, received) {
		logger.Info("What was received differs from the list", "diff", diff.Diff(listed, received))
		panic(fmt.Sprintf("data inconsistency detected for %s, panicking!", identity))
	}
}

// sorted returns objects by UID.
func sorted[T any](items []T) []metav1.Object {
	all := make([]metav1.Object, 0, len(items))
	for _, item := range items {
		m, err := meta.Accessor(item)
		if err != nil {
			panic(err)
		}
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b metav1.Object) int { return cmp.Compare(a.GetUID(), b.GetUID()) })
	return all
}
