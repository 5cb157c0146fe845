package testing

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/rest"
)

// A Reactor handles actions.
type Reactor interface {
	// Handles reports whether to call React for the action.
	Handles(action Action) bool
	// React returns the result of the action, or leaves it to the next reactor: handled is then
	// false and the other results are ignored.
	React(action Action) (handled bool, ret runtime.Object, err error)
}

// A WatchReactor handles watches.
type WatchReactor interface {
	// Handles reports whether to call React for the action.
	Handles(action Action) bool
	// React returns the result of the action, or leaves it to the next reactor: handled is then
	// false and the other results are ignored.
	React(action Action) (handled bool, ret watch.Interface, err error)
}

// A ProxyReactor handles requests through a proxy.
type ProxyReactor interface {
	// Handles reports whether to call React for the action.
	Handles(action Action) bool
	// React returns the result of the action, or leaves it to the next reactor: handled is then
	// false, or err is not nil, and the other results are ignored.
	React(action Action) (handled bool, ret rest.ResponseWrapper, err error)
}

// A ReactionFunc returns the result of an action, or leaves it to the next reactor: handled is then
// false and the other results are ignored. The action's GetSubresource distinguishes subresources.
type ReactionFunc func(action Action) (handled bool, ret runtime.Object, err error)

// A WatchReactionFunc returns the result of a watch, or leaves it to the next reactor: handled is
// then false and the other results are ignored.
type WatchReactionFunc func(action Action) (handled bool, ret watch.Interface, err error)

// A ProxyReactionFunc returns the result of a request through a proxy, or leaves it to the next
// reactor: handled is then false, or err is not nil, and the other results are ignored.
type ProxyReactionFunc func(action Action) (handled bool, ret rest.ResponseWrapper, err error)

// SimpleReactor is a Reactor for one verb and one resource, either of which may be "*" for all. A
// resource "pods" includes its subresources; "pods/status" is that subresource only.
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

// DefaultWatchReactor returns the same watch or error for every watch.
func DefaultWatchReactor(watchInterface watch.Interface, err error) WatchReactionFunc {
	return func(Action) (bool, watch.Interface, error) {
		return true, watchInterface, err
	}
}

// covers reports whether the resource of a reactor matches the action.
func covers(resource string, action Action) bool {
	if resource == "*" || resource == action.GetResource().Resource {
		return true
	}
	resource, subresource, narrow := strings.Cut(resource, "/")
	return narrow && resource == action.GetResource().Resource && subresource == action.GetSubresource()
}
