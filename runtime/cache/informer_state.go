package cache

import (
	"errors"
	"fmt"
	"slices"
)

// StateOf returns what an informer is doing. For an informer of another package it reports what
// its methods return: whether it has stopped, has synced, its resource version, the number of
// objects. It may be called at any time, and makes no requests.
//
// It measures the objects that were stored since the last call, a few microseconds each, and retains 16 bytes for each
// object from the first call on. They are read meanwhile, so that nobody may modify them, as always.
func StateOf(informer SharedInformer) State {
	state := stateOf(informer)
	if s, ok := ownInformer(informer); ok {
		bytes := s.store.Bytes()
		packed, more := s.packedState()
		bytes.Total += more
		state.Packed, state.Objects = packed, bytes.Objects // of one moment, as the objects' bytes
		state.Bytes, state.Largest, state.LargestBytes = bytes.Total, ObjectName(bytes.Largest), bytes.LargestBytes
	}
	return state
}

// stateOf is StateOf without what the objects take.
func stateOf(informer SharedInformer) State {
	if s, ok := ownInformer(informer); ok {
		return s.state()
	}
	return foreignState(informer)
}

// ownInformer returns the informer of this package that informer is, or is a view of.
func ownInformer(informer SharedInformer) (*sharedInformer, bool) {
	for {
		switch i := informer.(type) {
		case *sharedInformer:
			return i, true
		case interface{ unwrap() SharedInformer }:
			informer = i.unwrap()
		default:
			return nil, false
		}
	}
}

func foreignState(informer SharedInformer) State {
	state := State{
		Type:            fmt.Sprintf("%T", informer),
		Phase:           PhaseStarting,
		ResourceVersion: informer.LastSyncResourceVersion(),
	}
	if store := informer.GetStore(); store != nil {
		state.Objects = len(store.ListKeys())
	}
	state.Synced = informer.HasSynced()
	switch {
	case informer.IsStopped():
		state.Phase = PhaseStopped
	case state.Synced:
		state.Phase = PhaseLive
	}
	state.Started = state.Phase != PhaseStarting || state.ResourceVersion != ""
	return state
}

func (s *sharedInformer) state() State {
	var listed []bool // first, too
	for _, first := range s.applier.listed {
		listed = append(listed, first.happened())
	}
	state := State{
		Name:            s.options.Identifier.Name(),
		Type:            s.description,
		Synced:          s.applier.synced.happened(), // first: what is read later may be newer
		Resource:        s.options.Identifier.GroupVersionResource(),
		Owner:           s.options.Owner,
		ResourceVersion: s.applier.progress.oldest(),
		Objects:         s.store.Len(),
		QueueDepth:      s.queue.Len(),
		Handlers:        s.processor.states(),
		IndexErrors:     s.indexErrors(),
		SlowFields:      s.slowFields(),
		Released:        s.store.Readable() != nil,
	}
	if s.options.Selectors != nil {
		state.LabelSelector, state.FieldSelector = s.options.Selectors()
	}
	s.mu.Lock()
	state.Started = s.started
	reflectors := s.reflectors
	s.mu.Unlock()

	for _, r := range reflectors {
		state.Sources = append(state.Sources, r.state())
	}
	if !state.Started {
		for _, source := range s.sources {
			state.Sources = append(state.Sources, SourceState{Namespace: source.Namespace, Phase: PhaseStarting, Since: s.made})
		}
	}
	for i := range state.Sources {
		source := &state.Sources[i]
		source.Synced = listed[i]
		source.LabelSelector, source.FieldSelector = s.selectors(&s.sources[i])
		if source.LastEvent.After(state.LastEvent) {
			state.LastEvent = source.LastEvent
		}
		if source.Failures > 0 && state.Err == nil {
			state.Err = source.Err
		}
	}
	state.Phase = worstPhase(state.Sources)
	refused := s.refusal()
	switch {
	case refused != nil:
		state.Phase, state.Err = PhaseFailed, refused
	case s.IsStopped():
		state.Phase = PhaseStopped
	case state.Phase == PhaseLive && !s.allSynced(state.Handlers):
		state.Phase = PhaseSyncing
	}
	return state
}

// allSynced reports whether the informer and all its handlers have synced.
func (s *sharedInformer) allSynced(handlers []HandlerState) bool {
	return s.applier.synced.happened() &&
		!slices.ContainsFunc(handlers, func(h HandlerState) bool { return !h.Synced })
}

// phasesFromWorst are the phases, worst first. An informer has stopped when all of its sources
// have.
var phasesFromWorst = []Phase{PhaseFailed, PhaseStale, PhaseStarting, PhaseListing, PhaseSyncing, PhaseLive, PhaseStopped}

func worstPhase(sources []SourceState) Phase {
	worst := len(phasesFromWorst) - 1
	for _, source := range sources {
		worst = min(worst, slices.Index(phasesFromWorst, source.Phase))
	}
	return phasesFromWorst[worst]
}

// Unsynced returns why an informer in this state has not synced, nil if it has, even if its sources fail now: the errors
// of its sources, or what they are doing, or that it was never started, or that it has stopped, with
// the last failure before that if there was no success since. It is [ErrReleased] if the informer was released.
func (s State) Unsynced() error {
	switch {
	case s.Released:
		return ErrReleased
	case s.Synced:
		return nil
	case s.Phase == PhaseStopped && s.Err != nil:
		return fmt.Errorf("%w; last failure: %w", errStopped, s.Err)
	case s.Phase == PhaseStopped:
		return errStopped
	case !s.Started && s.Err != nil: // it cannot be started
		return s.Err
	case !s.Started:
		return errNeverStarted
	case len(s.Sources) == 0: // of another package
		return errNotSynced
	}
	var causes []error
	for _, source := range s.Sources {
		cause := source.Unsynced()
		if cause == nil {
			continue
		}
		if source.Namespace != "" {
			cause = fmt.Errorf("namespace %s: %w", source.Namespace, cause)
		}
		causes = append(causes, cause)
	}
	if len(causes) == 0 {
		return fmt.Errorf("%d changes are still queued", s.QueueDepth)
	}
	return errors.Join(causes...)
}

// Unsynced returns why a source in this state has not synced: its last error if there was no success since, or what it is
// doing. It returns nil if it has synced, even if it fails now, and if all objects were received but are still queued.
func (s SourceState) Unsynced() error {
	switch {
	case s.Synced:
		return nil
	case s.Failures > 0 && s.Err != nil:
		return s.Err
	case s.Phase == PhaseSyncing || s.Phase == PhaseLive || s.Phase == PhaseStale:
		return nil
	case s.Doing != "":
		return fmt.Errorf("%s: %s", s.Phase, s.Doing)
	default:
		return errors.New(string(s.Phase))
	}
}

// indexErrors returns the objects that are missing from indexes.
func (s *sharedInformer) indexErrors() []IndexError {
	var out []IndexError
	for _, e := range s.store.IndexErrors() {
		out = append(out, IndexError{Index: e.Index, Name: ObjectName(e.Name), Err: e.Err})
	}
	return out
}
