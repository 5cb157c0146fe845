package cache

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/resourceversion"
)

// WaitForSync waits until all informers have synced. It returns an error when ctx is
// done or one of them has stopped before: it names those that have not synced and why,
// such as that a list is forbidden or that nobody started the informer, and wraps the
// cause of the context's end and theirs.
func WaitForSync(ctx context.Context, informers ...SharedInformer) error {
	for i, informer := range informers {
		var stopped <-chan struct{}
		if s, ok := ownInformer(informer); ok {
			stopped = s.ended
		}
		checker := informer.HasSyncedChecker()
		select {
		case <-checker.Done():
			continue
		case <-stopped:
		case <-ctx.Done():
		}
		if !IsDone(checker) {
			return notSyncedError(ctx, informers[i:])
		}
	}
	return nil
}

func notSyncedError(ctx context.Context, informers []SharedInformer) error {
	var errs []error
	for _, informer := range informers {
		if !informer.HasSynced() {
			state := StateOf(informer)
			errs = append(errs, fmt.Errorf("%s has not synced: %w", state.Type, state.Unsynced()))
		}
	}
	if ctx.Err() != nil {
		errs = append(errs, context.Cause(ctx))
	}
	return errors.Join(errs...)
}

// WaitForResourceVersion waits until the informer's store is up to date with a resource
// version, such as that of an object that was just written: a read after that returns
// this state of the object or a later one. An informer that selects objects may learn only
// from the next bookmark, about a minute later, that it is up to date.
//
// It fails if rv cannot be compared with others (it is not a number), if the informer has
// stopped, or when ctx is done. The error says how far the store has got, wraps the cause
// of the context's end and, if requests of the informer fail, their error. Informers of
// other packages are asked every 100 ms.
func WaitForResourceVersion(ctx context.Context, informer SharedInformer, rv string) error {
	var err error
	if s, ok := ownInformer(informer); ok {
		err = s.dispatcher.progress.wait(ctx, rv)
	} else {
		err = askForResourceVersion(ctx, informer, rv)
	}
	if err == nil {
		return nil
	}
	state := StateOf(informer)
	if state.Err != nil {
		err = fmt.Errorf("%w: %w", err, state.Err)
	}
	return fmt.Errorf("%s is at resource version %q, not at %q: %w", state.Type, state.ResourceVersion, rv, err)
}

func askForResourceVersion(ctx context.Context, informer SharedInformer, rv string) error {
	if _, err := resourceversion.CompareResourceVersion(rv, rv); err != nil {
		return err
	}
	for {
		order, err := resourceversion.CompareResourceVersion(informer.GetStore().LastStoreSyncResourceVersion(), rv)
		if err == nil && order >= 0 {
			return nil
		}
		if informer.IsStopped() {
			return errStopped
		}
		select {
		case <-time.After(askAgain):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
