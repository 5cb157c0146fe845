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

// Options configure an informer. The zero value uses the defaults.
type Options struct {
	// ResyncPeriod is how often every object is redelivered to handlers; 0 disables resync.
	ResyncPeriod time.Duration

	// Indexers are the indexes of the informer's store.
	Indexers cache.Indexers

	// InformerName is the name under which the informer reports metrics, created once with
	// [cache.NewInformerName]; if nil, it reports none.
	InformerName *cache.InformerName

	// Owner names what the informer belongs to, in states and on the debug page. If it is empty, it
	// is the file and line that created the informer or its factory, such as "boats/main.go:42".
	Owner string

	// ObjectDescription describes the objects in logs and states. If it is empty, their type does.
	ObjectDescription string

	// TweakListOptions, if set, changes the options of each list and watch; they already contain
	// the selectors below. A ShardSelector that it sets is enforced even if the server ignores it;
	// see [cache.ListWatchFor].
	TweakListOptions Tweak

	// Namespaces, if not empty, restricts the informer to objects of these namespaces. Each is
	// listed and watched separately, so permissions in these namespaces suffice. Informers of
	// cluster-scoped objects ignore it.
	Namespaces []string

	// LabelSelector and FieldSelector, if set, restrict the informer to matching objects.
	LabelSelector labels.Selector
	FieldSelector fields.Selector

	// Transform, if set, changes objects before they are stored. [cache.DropManagedFields] has the server
	// leave out managedFields; [cache.Keep] keeps declared fields only.
	Transform cache.TransformFunc

	// Backoff, if set, determines how long the informer waits after failures; see
	// [cache.ReflectorOptions].
	Backoff *wait.Backoff

	// AllowStaleFirstList lets the first list request any state that the server has, which may be
	// an old one. If it is false, the list is a consistent read. See [cache.ReflectorOptions].
	AllowStaleFirstList bool

	// Undecodable is the policy for objects that cannot be decoded.
	Undecodable cache.UndecodablePolicy

	// ProgressDeadline is how long a watch may be silent before it is restarted; see
	// [cache.ReflectorOptions].
	ProgressDeadline time.Duration

	// Packed, if set, has the store hold objects as compressed texts, which are decoded when they are read: packed.S2
	// of package packed. If nil, objects are stored decoded. See [cache.SharedIndexInformerOptions].
	Packed cache.Compression

	// Shards, if set, determines which objects are this replica's, such as a *shards.Ring of package kubernetes/shards;
	// the informer has only those. [cache.AllShards] exempts a type. If nil, it has all objects. See
	// [cache.SharedIndexInformerOptions].
	Shards cache.Shards

	// Share lets equal maps, slices and structs of different objects be one in memory; see
	// [cache.SharedIndexInformerOptions].
	Share bool
}

// over returns o with the fields of other that are set. The functions of both that tweak list
// options are called, o's first.
func (o Options) over(other Options) Options {
	set(&o.ResyncPeriod, other.ResyncPeriod)
	set(&o.InformerName, other.InformerName)
	set(&o.Owner, other.Owner)
	set(&o.ObjectDescription, other.ObjectDescription)
	set(&o.LabelSelector, other.LabelSelector)
	set(&o.FieldSelector, other.FieldSelector)
	set(&o.Backoff, other.Backoff)
	set(&o.AllowStaleFirstList, other.AllowStaleFirstList)
	set(&o.Undecodable, other.Undecodable)
	set(&o.ProgressDeadline, other.ProgressDeadline)
	set(&o.Share, other.Share)
	set(&o.Packed, other.Packed)
	if other.Shards != nil {
		o.Shards = other.Shards
	}
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

// set sets field to value unless value is zero.
func set[T comparable](field *T, value T) {
	var zero T
	if value != zero {
		*field = value
	}
}

// both returns a function that calls those of the two that are not nil, in order; nil if both are.
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

// tweak returns the function that changes the options of each list and watch; nil if none is
// needed.
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
