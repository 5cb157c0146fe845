package cache

// InformerSynced says whether an informer, or a handler, has synced.
type InformerSynced func() bool

// DoneChecker is something with a name that gets done once.
type DoneChecker interface {
	// Name describes it.
	Name() string
	// Done returns a channel that is closed when it is done.
	Done() <-chan struct{}
}
