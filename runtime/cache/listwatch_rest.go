package cache

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/rest"
)

// withoutRetryAfter returns the context for requests of a caller that obeys Retry-After itself, and
// reports that.
func withoutRetryAfter(ctx context.Context) context.Context { return rest.WithoutRetryAfter(ctx) }

// Getter creates GET requests; a REST client implements it.
type Getter interface {
	Get() *rest.Request
}

// NewListWatchFromClient returns the [ListWatch] of a resource over a REST client, for
// the objects of a namespace (empty for all) that the field selector selects.
func NewListWatchFromClient(c Getter, resource string, namespace string, fieldSelector fields.Selector) *ListWatch {
	return NewFilteredListWatchFromClient(c, resource, namespace, func(options *metav1.ListOptions) {
		options.FieldSelector = fieldSelector.String()
	})
}

// NewFilteredListWatchFromClient is [NewListWatchFromClient] with options that
// optionsModifier changes before each request. All functions of the result are set.
//
// A REST client does not know the type of the objects in advance: it reads lists as a whole,
// and they fail if an object cannot be decoded. [ListWatchFor] does neither.
func NewFilteredListWatchFromClient(c Getter, resource string, namespace string, optionsModifier func(options *metav1.ListOptions)) *ListWatch {
	request := func(options metav1.ListOptions) *rest.Request {
		return c.Get().Namespace(namespace).Resource(resource).VersionedParams(&options, metav1.ParameterCodec)
	}
	list := func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		optionsModifier(&options)
		return listShards(ctx, options, func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			return request(options).Do(ctx).Get()
		})
	}
	start := func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
		options.Watch = true
		optionsModifier(&options)
		return watchShards(ctx, options, func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			return request(options).Watch(ctx)
		})
	}
	return &ListWatch{
		ListFunc: func(options metav1.ListOptions) (runtime.Object, error) {
			return list(context.Background(), options)
		},
		WatchFunc: func(options metav1.ListOptions) (watch.Interface, error) {
			return start(context.Background(), options)
		},
		ListWithContextFunc:  list,
		WatchFuncWithContext: start,
	}
}
