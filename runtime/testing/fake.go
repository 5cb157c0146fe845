package testing

import (
	"fmt"
	"slices"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/rest"
)

// Fake records the actions of a fake client and passes them to chains of reactors. Generated fake
// clientsets embed it. The zero value is ready to use: it has no reactors.
//
// Its methods are safe for concurrent use. Reactors run one at a time, in the order in which
// actions are recorded; while one runs, actions can be read and reactors added, but an action on
// the same Fake within a reactor waits forever.
type Fake struct {
	// reacting is held while the reactors of an action run.
	reacting sync.Mutex

	// RWMutex guards the fields below. It is never held while a reactor runs.
	sync.RWMutex
	actions []Action

	// ReactionChain contains the reactors in the order in which they are called.
	ReactionChain []Reactor
	// WatchReactionChain contains the reactors to watches in the order in which they are called.
	WatchReactionChain []WatchReactor
	// ProxyReactionChain contains the reactors to requests through proxies in the order in which
	// they are called.
	ProxyReactionChain []ProxyReactor

	// Resources are the resources that the fake discovery client returns.
	Resources []*metav1.APIResourceList
}

// AddReactor appends a reactor to the chain. Verb and resource are as in SimpleReactor.
func (c *Fake) AddReactor(verb, resource string, reaction ReactionFunc) {
	c.Lock()
	defer c.Unlock()
	c.ReactionChain = with(c.ReactionChain, len(c.ReactionChain), Reactor(&SimpleReactor{verb, resource, reaction}))
}

// PrependReactor inserts a reactor at the front of the chain. Verb and resource are as in
// SimpleReactor.
func (c *Fake) PrependReactor(verb, resource string, reaction ReactionFunc) {
	c.Lock()
	defer c.Unlock()
	c.ReactionChain = with(c.ReactionChain, 0, Reactor(&SimpleReactor{verb, resource, reaction}))
}

// AddWatchReactor appends a reactor to the chain of watches.
func (c *Fake) AddWatchReactor(resource string, reaction WatchReactionFunc) {
	c.Lock()
	defer c.Unlock()
	c.WatchReactionChain = with(c.WatchReactionChain, len(c.WatchReactionChain), WatchReactor(&SimpleWatchReactor{resource, reaction}))
}

// PrependWatchReactor inserts a reactor at the front of the chain of watches.
func (c *Fake) PrependWatchReactor(resource string, reaction WatchReactionFunc) {
	c.Lock()
	defer c.Unlock()
	c.WatchReactionChain = with(c.WatchReactionChain, 0, WatchReactor(&SimpleWatchReactor{resource, reaction}))
}

// AddProxyReactor appends a reactor to the chain of requests through proxies.
func (c *Fake) AddProxyReactor(resource string, reaction ProxyReactionFunc) {
	c.Lock()
	defer c.Unlock()
	c.ProxyReactionChain = with(c.ProxyReactionChain, len(c.ProxyReactionChain), ProxyReactor(&SimpleProxyReactor{resource, reaction}))
}

// PrependProxyReactor inserts a reactor at the front of the chain of requests through proxies.
func (c *Fake) PrependProxyReactor(resource string, reaction ProxyReactionFunc) {
	c.Lock()
	defer c.Unlock()
	c.ProxyReactionChain = with(c.ProxyReactionChain, 0, ProxyReactor(&SimpleProxyReactor{resource, reaction}))
}

// with returns a new chain, because a running action may be iterating over the old one.
func with[R any](chain []R, at int, reactor R) []R {
	return slices.Insert(slices.Clone(chain), at, reactor)
}

// Invokes records the action and returns the result of the first reactor that handles it, or
// defaultReturnObj if none does. A reactor's changes of the action are visible to the reactors
// after it, and are not recorded. An action with an object that was cut, see [codec.CheckWhole], is an
// error, and is not recorded: clients do not send it.
func (c *Fake) Invokes(action Action, defaultReturnObj runtime.Object) (runtime.Object, error) {
	if write, ok := action.(interface{ GetObject() runtime.Object }); ok {
		if err := codec.CheckWhole(write.GetObject()); err != nil {
			return nil, err
		}
	}
	handled, ret, err := invoke(c, action, &c.ReactionChain, final)
	if !handled {
		return defaultReturnObj, nil
	}
	return ret, err
}

// InvokesWatch records the action and returns the result of the first reactor that handles it, or
// an error if none does.
func (c *Fake) InvokesWatch(action Action) (watch.Interface, error) {
	handled, ret, err := invoke(c, action, &c.WatchReactionChain, final)
	if !handled {
		return nil, fmt.Errorf("unhandled watch: %#v", action)
	}
	return ret, err
}

// InvokesProxy records the action and returns the result of the first reactor that handles it
// without an error, or nil if none does.
func (c *Fake) InvokesProxy(action Action) rest.ResponseWrapper {
	_, ret, _ := invoke(c, action, &c.ProxyReactionChain, func(err error) bool { return err == nil })
	return ret
}

// final accepts any result.
func final(error) bool { return true }

// invoke records the action and returns the first accepted result of the current chain.
func invoke[V any, R interface {
	Handles(Action) bool
	React(Action) (bool, V, error)
}](c *Fake, action Action, chain *[]R, accepted func(error) bool) (handled bool, ret V, err error) {
	c.reacting.Lock()
	defer c.reacting.Unlock()
	reactors := recorded(c, action, chain)
	action = action.DeepCopy()
	for _, reactor := range reactors {
		if !reactor.Handles(action) {
			continue
		}
		if handled, ret, err = reactor.React(action); handled && accepted(err) {
			return true, ret, err
		}
	}
	var none V
	return false, none, nil
}

// recorded records a copy of the action and returns the current chain.
func recorded[R any](c *Fake, action Action, chain *[]R) []R {
	c.Lock()
	defer c.Unlock()
	c.actions = append(c.actions, action.DeepCopy())
	return *chain
}

// ClearActions removes the recorded actions.
func (c *Fake) ClearActions() {
	c.Lock()
	defer c.Unlock()
	c.actions = nil
}

// Actions returns the recorded actions, oldest first. The caller owns the slice, but not the
// actions: modify a DeepCopy.
func (c *Fake) Actions() []Action {
	c.RLock()
	defer c.RUnlock()
	return append(make([]Action, 0, len(c.actions)), c.actions...)
}
