package shards_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/kubernetes/fake"
	"github.com/listwatch/listwatch/kubernetes/shards"
	"github.com/listwatch/listwatch/runtime/workqueue"
)

var errFailed = errors.New("failed")

// Items that were queued while their slots were the member's are dropped when these are lost; work that runs may write
// until its context ends, and what it returns then is not retried.
func TestDo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		leases := fake.NewClientset().CoordinationV1()
		a := join(t, leases, "a")
		time.Sleep(time.Minute)
		queue := workqueue.NewTyped[shards.Item]()
		for i := range 100 {
			queue.Add(shards.ItemOf(&metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprint("o", i), UID: types.UID(fmt.Sprint(i, "-9f5c-4a5e-8a51-0d3c6f5f9c1e"))}))
		}
		sent := 0
		api := a.Transport(roundTripper(func(*http.Request) (*http.Response, error) {
			sent++
			return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
		}))
		request := func(ctx context.Context, method string) (closed bool, err error) {
			body := &closer{Reader: strings.NewReader("{}")}
			r, err := http.NewRequestWithContext(ctx, method, "http://server/", body)
			if err != nil {
				t.Fatal(err)
			}
			before := sent
			response, err := api.RoundTrip(r)
			if err == nil {
				_ = response.Body.Close()
			}
			if (err == nil) != (sent == before+1) {
				t.Errorf("%s is sent %d times, error %v", method, sent-before, err)
			}
			return body.closed, err
		}

		// Some of the work runs when the second member comes.
		running := map[shards.Item]chan error{}
		contexts := map[shards.Item]context.Context{}
		for range 50 {
			item, _ := queue.Get()
			ended, begun := make(chan error, 1), make(chan struct{})
			running[item] = ended
			go func() {
				ended <- a.Do(context.Background(), a.KeyOf(item), func(ctx context.Context) error {
					contexts[item] = ctx
					close(begun)
					<-ctx.Done()
					return ctx.Err()
				})
			}()
			<-begun
		}
		if err := a.Do(context.Background(), "uid-0", func(context.Context) error { return errFailed }); !errors.Is(err, errFailed) {
			t.Errorf("work that fails in an own slot: %v", err)
		}
		b := join(t, leases, "b")
		defer leave(t, a, b)
		time.Sleep(12 * time.Second) // the slots are lost, and their work has ten seconds
		lost := 0
		for item := range running {
			if !a.Owns(a.KeyOf(item)) {
				lost++
				if _, err := request(contexts[item], http.MethodPut); err != nil {
					t.Errorf("work that goes on may not write: %v", err)
				}
			}
		}
		done := 0
		for queue.Len() > 0 {
			item, _ := queue.Get()
			err := a.Do(context.Background(), a.KeyOf(item), func(context.Context) error {
				done++
				if !a.Owns(a.KeyOf(item)) {
					t.Errorf("work on %s begins", item)
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
			queue.Done(item)
		}
		if lost == 0 || done == 0 || done == 50 {
			t.Errorf("%d of 50 slots are lost in which work runs, work in %d of 50 begins", lost, done)
		}
		time.Sleep(12 * time.Second)
		for item, ended := range running {
			if a.Owns(a.KeyOf(item)) {
				if _, err := request(contexts[item], http.MethodPatch); err != nil {
					t.Errorf("work in an own slot may not write: %v", err)
				}
				continue
			}
			if err := <-ended; err != nil {
				t.Errorf("work whose slot was lost is retried: %v", err)
			}
			if closed, err := request(contexts[item], http.MethodDelete); !errors.Is(err, shards.ErrNotOwned) || !closed {
				t.Errorf("a write after the slot was lost: error %v, body closed: %v", err, closed)
			}
			if _, err := request(context.WithoutCancel(contexts[item]), http.MethodPost); !errors.Is(err, shards.ErrNotOwned) {
				t.Errorf("a write that is detached from its context: %v", err)
			}
			if _, err := request(contexts[item], http.MethodGet); err != nil {
				t.Errorf("a read: %v", err)
			}
		}
		if _, err := request(context.Background(), http.MethodPost); err != nil {
			t.Errorf("a write that is not of work: %v", err)
		}
	})
}

func TestKeyOf(t *testing.T) {
	item := shards.ItemOf(&metav1.ObjectMeta{Namespace: "default", Name: "a", UID: "b2a5"})
	for key, want := range map[shards.Key]string{"": "b2a5", shards.ByUID: "b2a5", shards.ByNamespace: "default"} {
		synctest.Test(t, func(t *testing.T) {
			ring, err := shards.Join(t.Context(), fake.NewClientset().CoordinationV1(), shards.Options{Name: "sites", Namespace: "default", Identity: "a", Key: key})
			if err != nil {
				t.Fatal(err)
			}
			defer leave(t, ring)
			if got := ring.KeyOf(item); got != want {
				t.Errorf("key %q of an item is %q, want %q", key, got, want)
			}
		})
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

type closer struct {
	io.Reader
	closed bool
}

func (c *closer) Close() error {
	c.closed = true
	return nil
}
