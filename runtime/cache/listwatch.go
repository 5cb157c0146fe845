package cache

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// Lister lists objects.
type Lister interface {
	List(options metav1.ListOptions) (runtime.Object, error)
}

// Watcher starts watches.
type Watcher interface {
	Watch(options metav1.ListOptions) (watch.Interface, error)
}

// ListerWatcher lists objects and watches them from there.
type ListerWatcher interface {
	Lister
	Watcher
}

// ListerWithContext is a [Lister] with a context.
type ListerWithContext interface {
	ListWithContext(ctx context.Context, options metav1.ListOptions) (runtime.Object, error)
}

// WatcherWithContext is a [Watcher] with a context.
type WatcherWithContext interface {
	WatchWithContext(ctx context.Context, options metav1.ListOptions) (watch.Interface, error)
}

// ListerWatcherWithContext is a [ListerWatcher] with contexts.
type ListerWatcherWithContext interface {
	ListerWithContext
	WatcherWithContext
}
