package store_test

import (
	"context"
	"testing"

	"k8s.io/apiserver/pkg/storage"
	storagetesting "k8s.io/apiserver/pkg/storage/testing"
)

// The test suite that Kubernetes uses for its own storages. Its tests of etcd's client, encryption
// at rest and disabled feature gates do not apply here.

type storageTest func(context.Context, *testing.T, storage.Interface)

func unchecked(context.Context, *testing.T, string) {}

func uncounted(*testing.T, uint64, uint64) {}

func TestUpstreamWrites(t *testing.T) {
	for name, test := range map[string]storageTest{
		"Create": func(ctx context.Context, t *testing.T, s storage.Interface) {
			storagetesting.RunTestCreate(ctx, t, s, unchecked)
		},
		"CreateWithTTL":                             storagetesting.RunTestCreateWithTTL,
		"CreateWithKeyExist":                        storagetesting.RunTestCreateWithKeyExist,
		"UnconditionalDelete":                       storagetesting.RunTestUnconditionalDelete,
		"ConditionalDelete":                         storagetesting.RunTestConditionalDelete,
		"DeleteWithSuggestion":                      storagetesting.RunTestDeleteWithSuggestion,
		"DeleteWithSuggestionAndConflict":           storagetesting.RunTestDeleteWithSuggestionAndConflict,
		"DeleteWithConflict":                        storagetesting.RunTestDeleteWithConflict,
		"DeleteWithSuggestionOfDeletedObject":       storagetesting.RunTestDeleteWithSuggestionOfDeletedObject,
		"ValidateDeletionWithSuggestion":            storagetesting.RunTestValidateDeletionWithSuggestion,
		"ValidateDeletionWithOnlySuggestionValid":   storagetesting.RunTestValidateDeletionWithOnlySuggestionValid,
		"PreconditionalDeleteWithSuggestion":        storagetesting.RunTestPreconditionalDeleteWithSuggestion,
		"PreconditionalDeleteWithOnlySuggestion":    storagetesting.RunTestPreconditionalDeleteWithOnlySuggestionPass,
		"GuaranteedUpdateWithTTL":                   storagetesting.RunTestGuaranteedUpdateWithTTL,
		"GuaranteedUpdateWithConflict":              storagetesting.RunTestGuaranteedUpdateWithConflict,
		"GuaranteedUpdateWithSuggestionAndConflict": storagetesting.RunTestGuaranteedUpdateWithSuggestionAndConflict,
		"KeySchema": storagetesting.RunTestKeySchema,
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := newPods(t)
			test(t.Context(), t, s)
		})
	}
	t.Run("GuaranteedUpdate", func(t *testing.T) {
		storagetesting.RunTestGuaranteedUpdate(t.Context(), t, newPodsWithTransformer(t), unchecked)
	})
}

func TestUpstreamReads(t *testing.T) {
	for name, test := range map[string]storageTest{
		"Get":                    storagetesting.RunTestGet,
		"GetListRecursivePrefix": storagetesting.RunTestGetListRecursivePrefix,
		"ListPaging":             storagetesting.RunTestListPaging,
		"NamespaceScopedList":    storagetesting.RunTestNamespaceScopedList,
		"ListContinuation": func(ctx context.Context, t *testing.T, s storage.Interface) {
			storagetesting.RunTestListContinuation(ctx, t, s, uncounted)
		},
		"ListPaginationRareObject": func(ctx context.Context, t *testing.T, s storage.Interface) {
			storagetesting.RunTestListPaginationRareObject(ctx, t, s, uncounted)
		},
		"ListContinuationWithFilter": func(ctx context.Context, t *testing.T, s storage.Interface) {
			storagetesting.RunTestListContinuationWithFilter(ctx, t, s, uncounted)
		},
		"Stats": func(ctx context.Context, t *testing.T, s storage.Interface) {
			if err := s.EnableResourceSizeEstimation(func(context.Context) ([]string, error) { return nil, nil }); err != nil {
				t.Fatal(err)
			}
			storagetesting.RunTestStats(ctx, t, s, podCodec(), storagetesting.NewPrefixTransformer(nil, false), true)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := newPods(t)
			test(t.Context(), t, s)
		})
	}
	t.Run("GetListNonRecursive", func(t *testing.T) {
		s, b := newPods(t)
		storagetesting.RunTestGetListNonRecursive(t.Context(), t, increaseRV(t, b), s)
	})
	t.Run("List", func(t *testing.T) {
		s, b := newPods(t)
		storagetesting.RunTestList(t.Context(), t, s, compact(t, b), true, storagetesting.NewKubernetesRecorder(nil))
	})
	t.Run("ConsistentList", func(t *testing.T) {
		s, b := newPods(t)
		storagetesting.RunTestConsistentList(t.Context(), t, s, increaseRV(t, b), false, true, true)
	})
	t.Run("CompactRevision", func(t *testing.T) {
		s, b := newPods(t)
		storagetesting.RunTestCompactRevision(t.Context(), t, s, increaseRV(t, b), compact(t, b))
	})
}

func TestUpstreamWatches(t *testing.T) {
	for name, test := range map[string]storageTest{
		"Watch":                         storagetesting.RunTestWatch,
		"ClusterScopedWatch":            storagetesting.RunTestClusterScopedWatch,
		"NamespaceScopedWatch":          storagetesting.RunTestNamespaceScopedWatch,
		"DeleteTriggerWatch":            storagetesting.RunTestDeleteTriggerWatch,
		"WatchFromNonZero":              storagetesting.RunTestWatchFromNonZero,
		"DelayedWatchDelivery":          storagetesting.RunTestDelayedWatchDelivery,
		"WatchContextCancel":            storagetesting.RunTestWatchContextCancel,
		"WatcherTimeout":                storagetesting.RunTestWatcherTimeout,
		"DeleteEventObjectHaveLatestRV": storagetesting.RunTestWatchDeleteEventObjectHaveLatestRV,
		"WatchInitializationSignal":     storagetesting.RunTestWatchInitializationSignal,
		"InitialEventsBackward":         storagetesting.RunSendInitialEventsBackwardCompatibility,
		"Semantics":                     storagetesting.RunWatchSemantics,
		"SemanticsExtended":             storagetesting.RunWatchSemanticInitialEventsExtended,
		"WatchListMatchSingle":          storagetesting.RunWatchListMatchSingle,
		"BookmarksWithCorrectVersion":   storagetesting.RunTestOptionalWatchBookmarksWithCorrectResourceVersion,
		"DispatchBookmarkEvents": func(ctx context.Context, t *testing.T, s storage.Interface) {
			storagetesting.RunTestWatchDispatchBookmarkEvents(ctx, t, s, true)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := newPods(t)
			test(t.Context(), t, s)
		})
	}
	t.Run("WatchFromZero", func(t *testing.T) {
		s, b := newPods(t)
		storagetesting.RunTestWatchFromZero(t.Context(), t, s, compact(t, b))
	})
}
