package testing

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/rest"
)

// A FakeClient is a fake clientset, as emitted.
type FakeClient interface {
	// Tracker returns what holds the clientset's objects.
	Tracker() ObjectTracker

	// AddReactor puts a reactor behind all others.
	AddReactor(verb, resource string, reaction ReactionFunc)
	// PrependReactor puts a reactor before all others.
	PrependReactor(verb, resource string, reaction ReactionFunc)

	// AddWatchReactor puts a reactor to watches behind all others.
	AddWatchReactor(resource string, reaction WatchReactionFunc)
	// PrependWatchReactor puts a reactor to watches before all others.
	PrependWatchReactor(resource string, reaction WatchReactionFunc)

	// AddProxyReactor puts a reactor to requests through proxies behind all others.
	AddProxyReactor(resource string, reaction ProxyReactionFunc)
	// PrependProxyReactor puts a reactor to requests through proxies before all
	// others.
	PrependProxyReactor(resource string, reaction ProxyReactionFunc)

	// Invokes records the action and returns the answer of the first reactor that
	// handles it, or defaultReturnObj, of the type that the call returns, if none
	// does.
	Invokes(action Action, defaultReturnObj runtime.Object) (runtime.Object, error)
	// InvokesWatch records the action and returns the answer of the first reactor
	// that handles it.
	InvokesWatch(action Action) (watch.Interface, error)

	// InvokesProxy records the action and returns the answer of the first reactor that
	// handles it.
	InvokesProxy(action Action) rest.ResponseWrapper

	// ClearActions forgets the recorded actions.
	ClearActions()
	// Actions returns the recorded actions, oldest first.
	Actions() []Action
}
