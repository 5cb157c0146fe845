package cache

import (
	"context"
	"errors"
	"fmt"
)

// WaitForSync waits until all informers have synced. It returns an error when ctx is done or one of
// them has stopped before: it names the informers that have not synced with their causes, such as
// that a list is forbidden or the informer was never started, and wraps these and the cause of the
// context's end.
func WaitForSync(ctx context.Context, informers ...SharedInformer) error {
	for i, informer := range informers {
		var stopped <-chan struct{}
		if s, ok := ownInformer(informer); ok {
			stopped = s.stopped.done()
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
		if state := stateOf(informer); !state.Synced {
			errs = append(errs, fmt.Errorf("%s has not synced: %w", state.Type, state.Unsynced()))
		}
	}
	if ctx.Err() != nil {
		errs = append(errs, context.Cause(ctx))
	}
	return errors.Join(errs...)
}

// SyncedIn returns a checker that is done when the informer's store contains the first list of the source that has a
// namespace, whether or not other sources have synced. For informers of other packages, and if no source has the
// namespace, it is the informer's own checker.
func SyncedIn(informer SharedInformer, namespace string) DoneChecker {
	if s, ok := ownInformer(informer); ok {
		if i := s.indexOf(namespace); i >= 0 {
			return sourceSynced{s, i}
		}
	}
	return informer.HasSyncedChecker()
}

// sourceSynced is done when a source of an informer has synced.
type sourceSynced struct {
	*sharedInformer
	source int
}

func (s sourceSynced) Name() string {
	name := "SharedIndexInformer " + s.description
	if namespace := s.sources[s.source].Namespace; namespace != "" {
		name += " in namespace " + namespace
	}
	return name
}

func (s sourceSynced) Done() <-chan struct{} { return s.applier.listed[s.source].done() }

func (s sourceSynced) unsyncedCause() error {
	state := s.state()
	if source := state.Sources[s.source]; source.Synced || state.Started && state.Phase != PhaseStopped {
		return source.Unsynced()
	}
	return state.Unsynced()
}
