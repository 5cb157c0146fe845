package testing

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/rest"
)

// A FakeClient is a generated fake clientset.
type FakeClient interface {
	// Tracker returns the tracker that stores the clientset's objects.
	Tracker() ObjectTracker

	// AddReactor appends a reactor to the chain.
	AddReactor(verb, resource string, reaction ReactionFunc)
	// PrependReactor inserts a reactor at the front of the chain.
	PrependReactor(verb, resource string, reaction ReactionFunc)

	// AddWatchReactor appends a reactor to the chain of watches.
	AddWatchReactor(resource string, reaction WatchReactionFunc)
	// PrependWatchReactor inserts a reactor at the front of the chain of watches.
	PrependWatchReactor(resource string, reaction WatchReactionFunc)

	// AddProxyReactor appends a reactor to the chain of requests through proxies.
	AddProxyReactor(resource string, reaction ProxyReactionFunc)
	// PrependProxyReactor inserts a reactor at the front of the chain of requests through proxies.
	PrependProxyReactor(resource string, reaction ProxyReactionFunc)

	// Invokes records the action and returns the result of the first reactor that handles it. If
	// none does, it returns defaultReturnObj, which has the result type of the call.
	Invokes(action Action, defaultReturnObj runtime.Object) (runtime.Object, error)
	// InvokesWatch records the action and returns the result of the first reactor that handles it.
	InvokesWatch(action Action) (watch.Interface, error)

	// InvokesProxy records the action and returns the result of the first reactor that handles it.
	InvokesProxy(action Action) rest.ResponseWrapper

	// ClearActions removes the recorded actions.
	ClearActions()
	// Actions returns the recorded actions, oldest first.
	Actions() []Action
}
