package informers

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/listwatch/listwatch/runtime/cache"
)

// Tweak changes the options with which an informer lists and watches. It may be nil.
type Tweak = func(*metav1.ListOptions)

// Options say how an informer works. The zero value is a plain one.
type Options struct {
	// ResyncPeriod is how often handlers are told again of every object; 0 is never.
	ResyncPeriod time.Duration

	// Indexers are the indexes that the informer keeps.
	Indexers cache.Indexers

	// InformerName is the name under which the informer reports metrics, made once with
	// [cache.NewInformerName]; without it there are none.
	InformerName *cache.InformerName

	// Owner names what the informer belongs to, in states and on the debug page. If it is
	// empty, it is the place that created the informer or its factory, such as "boats/main.go:42".
	Owner string

	// TweakListOptions, if set, changes the options of each list and watch, after the
	// selectors below are in them. A ShardSelector that it sets holds also where the server
	// ignores it; see [cache.ListWatchFor].
	TweakListOptions Tweak

	// Namespaces, if there are any, are the ones whose objects the informer holds. Each is
	// listed and watched for itself, so that rights in these namespaces suffice. Informers of
	// objects of the cluster scope ignore them.
	Namespaces []string

	// LabelSelector and FieldSelector, if set, select the objects that the informer holds.
	LabelSelector labels.Selector
	FieldSelector fields.Selector

	// Transform, if set, changes objects before they are stored.
	Transform cache.TransformFunc

	// Backoff, if set, is how long the informer waits after failures; see
	// [cache.ReflectorOptions].
	Backoff *wait.Backoff

	// AllowStaleFirstList has the first list ask for any state that the server has, which
	// may be an old one; if it is false, the list is a consistent read. See
	// [cache.ReflectorOptions].
	AllowStaleFirstList bool

	// Undecodable says what becomes of objects that cannot be decoded.
	Undecodable cache.UndecodablePolicy

	// ProgressDeadline is how long a watch may stay silent before it is given up; see
	// [cache.ReflectorOptions].
	ProgressDeadline time.Duration
}

// over returns o, changed by the fields of other that are set. Both change the
// options of lists and watches, o first.
func (o Options) over(other Options) Options {
	set(&o.ResyncPeriod, other.ResyncPeriod)
	set(&o.InformerName, other.InformerName)
	set(&o.Owner, other.Owner)
	set(&o.LabelSelector, other.LabelSelector)
	set(&o.FieldSelector, other.FieldSelector)
	set(&o.Backoff, other.Backoff)
	set(&o.AllowStaleFirstList, other.AllowStaleFirstList)
	set(&o.Undecodable, other.Undecodable)
	set(&o.ProgressDeadline, other.ProgressDeadline)
	if other.Transform != nil {
		o.Transform = other.Transform
	}
	if len(other.Namespaces) > 0 {
		o.Namespaces = other.Namespaces
	}
	if len(other.Indexers) > 0 {
		indexers := cache.Indexers{}
		for _, some := range []cache.Indexers{o.Indexers, other.Indexers} {
			for name, index := range some {
				indexers[name] = index
			}
		}
		o.Indexers = indexers
	}
	o.TweakListOptions = both(o.TweakListOptions, other.TweakListOptions)
	return o
}

// set sets field to value unless that is zero.
func set[T comparable](field *T, value T) {
	var zero T
	if value != zero {
		*field = value
	}
}

// both returns a function that calls the ones that are set, in their order; nil
// if none is.
func both(first, second Tweak) Tweak {
	switch {
	case first == nil:
		return second
	case second == nil:
		return first
	}
	return func(options *metav1.ListOptions) {
		first(options)
		second(options)
	}
}

// tweak returns what changes the options of each list and watch; nil if nothing does.
func (o Options) tweak() Tweak {
	if o.LabelSelector == nil && o.FieldSelector == nil {
		return o.TweakListOptions
	}
	return both(func(options *metav1.ListOptions) {
		if o.LabelSelector != nil {
			options.LabelSelector = o.LabelSelector.String()
		}
		if o.FieldSelector != nil {
			options.FieldSelector = o.FieldSelector.String()
		}
	}, o.TweakListOptions)
}
