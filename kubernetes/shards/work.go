package shards

import (
	"context"
	"errors"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/runtime/cache"
)

// Item is a key for work queues that knows its slot: the name of an object, and the UID that the object had when the
// item was added. An object that is created again with the name of a deleted one is another item.
type Item struct {
	cache.ObjectName
	UID types.UID
}

// ItemOf returns the item of an object.
func ItemOf(object metav1.Object) Item {
	return Item{cache.MetaObjectToName(object), object.GetUID()}
}

// KeyOf returns the item's value of the ring's key: its UID or its namespace.
func (r *Ring) KeyOf(item Item) string {
	if r.options.Key == ByNamespace {
		return item.Namespace
	}
	return string(item.UID)
}

// Do reconciles an object: it calls work with the context of [Ring.Begin] unless the member does not own the object's
// slot, and returns nil if that is so, or the slot was lost before work returned an error. A worker therefore drops keys of lost
// slots as it does those that have succeeded. key is a value of the ring's key, such as of [Ring.KeyOf]. The slot is not
// handed over before work has returned, or bounds have passed.
func (r *Ring) Do(ctx context.Context, key string, work func(ctx context.Context) error) error {
	inSlot, done, err := r.Begin(ctx, key)
	if err != nil {
		r.count(&r.counts.Dropped)
		return nil
	}
	defer done()
	if err = work(inSlot); err != nil && isLost(context.Cause(inSlot)) {
		return nil
	}
	return err
}

func isLost(err error) bool { return errors.Is(err, ErrNotOwned) || errors.Is(err, ErrLapsed) }

// Transport checks each write of work before it is sent: what [Ring.Check] does, for all requests of a client.
//
//	config.Wrap(ring.Transport)
//
// A write whose context is of [Ring.Do] or [Ring.Begin], and whose slot is lost, fails with [ErrNotOwned] or [ErrLapsed]. Other
// requests are sent as they are, so one client can also be used for events, and for what does not belong to an object.
func (r *Ring) Transport(next http.RoundTripper) http.RoundTripper {
	return transport{of: r, next: next}
}

type transport struct {
	of   *Ring
	next http.RoundTripper
}

func (t transport) RoundTrip(request *http.Request) (*http.Response, error) {
	switch request.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
	default:
		if h := t.of.holdingOf(request.Context()); h != nil {
			if err := t.of.check(request.Context(), h); err != nil {
				t.of.count(&t.of.counts.Refused)
				if request.Body != nil {
					_ = request.Body.Close()
				}
				return nil, err
			}
		}
	}
	return t.next.RoundTrip(request)
}

// WrappedRoundTripper returns the round tripper that sends the requests.
func (t transport) WrappedRoundTripper() http.RoundTripper { return t.next }
