package testing

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/rest"
)

// A Reactor answers actions.
type Reactor interface {
	// Handles tells whether to ask the reactor about the action.
	Handles(action Action) bool
	// React answers the action, or leaves it to the next reactor: handled is then
	// false and the rest is ignored.
	React(action Action) (handled bool, ret runtime.Object, err error)
}

// A WatchReactor answers watches.
type WatchReactor interface {
	// Handles tells whether to ask the reactor about the action.
	Handles(action Action) bool
	// React answers the action, or leaves it to the next reactor: handled is then
	// false and the rest is ignored.
	React(action Action) (handled bool, ret watch.Interface, err error)
}

// A ProxyReactor answers requests through a proxy.
type ProxyReactor interface {
	// Handles tells whether to ask the reactor about the action.
	Handles(action Action) bool
	// React answers the action, or leaves it to the next reactor: handled is then
	// false, or err is not nil, and the rest is ignored.
	React(action Action) (handled bool, ret rest.ResponseWrapper, err error)
}

// A ReactionFunc answers an action, or leaves it to the next reactor: handled is
// then false and the rest is ignored. It can tell subresources apart by the
// action's GetSubresource.
type ReactionFunc func(action Action) (handled bool, ret runtime.Object, err error)

// A WatchReactionFunc answers a watch, or leaves it to the next reactor: handled is
// then false and the rest is ignored.
type WatchReactionFunc func(action Action) (handled bool, ret watch.Interface, err error)

// A ProxyReactionFunc answers a request through a proxy, or leaves it to the next
// reactor: handled is then false, or err is not nil, and the rest is ignored.
type ProxyReactionFunc func(action Action) (handled bool, ret rest.ResponseWrapper, err error)

// SimpleReactor is a Reactor for one verb and one resource, either of which may be
// "*" for all. A resource "pods" covers its subresources; "pods/status" is that
// subresource only.
type SimpleReactor struct {
	Verb     string
	Resource string

	Reaction ReactionFunc
}

// Handles implements Reactor.
func (r *SimpleReactor) Handles(action Action) bool {
	return (r.Verb == "*" || r.Verb == action.GetVerb()) && covers(r.Resource, action)
}

// React implements Reactor.
func (r *SimpleReactor) React(action Action) (bool, runtime.Object, error) {
	return r.Reaction(action)
}

// SimpleWatchReactor is a WatchReactor for one resource, as in SimpleReactor.
type SimpleWatchReactor struct {
	Resource string

	Reaction WatchReactionFunc
}

// Handles implements WatchReactor.
func (r *SimpleWatchReactor) Handles(action Action) bool {
	return covers(r.Resource, action)
}

// React implements WatchReactor.
func (r *SimpleWatchReactor) React(action Action) (bool, watch.Interface, error) {
	return r.Reaction(action)
}

// SimpleProxyReactor is a ProxyReactor for one resource, as in SimpleReactor.
type SimpleProxyReactor struct {
	Resource string

	Reaction ProxyReactionFunc
}

// Handles implements ProxyReactor.
func (r *SimpleProxyReactor) Handles(action Action) bool {
	return covers(r.Resource, action)
}

// React implements ProxyReactor.
func (r *SimpleProxyReactor) React(action Action) (bool, rest.ResponseWrapper, error) {
	return r.Reaction(action)
}

// DefaultWatchReactor answers every watch with the same watch or error.
func DefaultWatchReactor(watchInterface watch.Interface, err error) WatchReactionFunc {
	return func(Action) (bool, watch.Interface, error) {
		return true, watchInterface, err
	}
}

// covers tells whether a reactor for the resource handles the action, as far as its
// resource goes.
func covers(resource string, action Action) bool {
	if resource == "*" || resource == action.GetResource().Resource {
		return true
	}
	resource, subresource, narrow := strings.Cut(resource, "/")
	return narrow && resource == action.GetResource().Resource && subresource == action.GetSubresource()
}
