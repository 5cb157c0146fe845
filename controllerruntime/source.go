package controllerruntime

import (
	"math/rand/v2"
	"reflect"
	"runtime"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	theircache "k8s.io/client-go/tools/cache"
	theirs "sigs.k8s.io/controller-runtime/pkg/cache"

	"github.com/listwatch/listwatch/runtime/cache"
)

// defaultSyncPeriod is controller-runtime's.
const defaultSyncPeriod = 10 * time.Hour

// source returns the source of an informer for a scope.
func (s *scope) source(list lists, k key) cache.Source {
	bookmarks := isTrue(s.EnableWatchBookmarks, true)
	labels, fields := s.selectors()
	listing := list(s.requested(), func(options *metav1.ListOptions) {
		options.LabelSelector, options.FieldSelector = labels, fields
		options.AllowWatchBookmarks = options.AllowWatchBookmarks && bookmarks
	})
	if streams, ok := listing.(streamingSource); ok && !bookmarks {
		listing = withoutBookmarks{streams}
	}
	period := s.syncPeriod()
	return cache.Source{
		Namespace:     s.namespace,
		Except:        s.except,
		ListerWatcher: listing,
		Transform:     transform(s.Transform, k),
		ResyncPeriod:  &period,
		Selectors:     s.selectors,
		KeepsParts:    k.as == partialMeta && (s.Transform == nil || positionOf(s.Transform) == stripManagedFields),
	}
}

// streamingSource is what all sources are.
type streamingSource interface {
	cache.ListerWatcher
	cache.ListerWatcherWithContext
	cache.ListStreamer
}

// withoutBookmarks is a source whose watches have no bookmarks, and so cannot start with a list.
type withoutBookmarks struct{ streamingSource }

func (withoutBookmarks) IsWatchListSemanticsUnSupported() bool { return true }

// selectors returns the selectors of the scope's requests.
func (s *scope) selectors() (labels, fields string) {
	if s.LabelSelector != nil {
		labels = s.LabelSelector.String()
	}
	if s.FieldSelector != nil {
		fields = s.FieldSelector.String()
	}
	return labels, fields
}

// position is where a function is in the source. A function literal that is compiled several times, because what
// returns it is inlined, has one.
type position struct {
	file string
	line int
}

func positionOf(f theircache.TransformFunc) (p position) {
	pc := reflect.ValueOf(f).Pointer()
	p.file, p.line = runtime.FuncForPC(pc).FileLine(pc)
	return p
}

// stripManagedFields identifies controller-runtime's function.
var stripManagedFields = positionOf(theirs.TransformStripManagedFields())

// transform returns what is done with objects before they are stored, nil if nothing is. In place of
// controller-runtime's function that removes managed fields, these are not decoded.
func transform(own theircache.TransformFunc, k key) cache.TransformFunc {
	if own != nil && positionOf(own) == stripManagedFields {
		own = cache.DropManagedFields
	}
	if k.as != partialMeta {
		return cache.TransformFunc(own)
	}
	return func(obj any) (any, error) {
		if m, ok := obj.(*metav1.PartialObjectMetadata); ok {
			m.SetGroupVersionKind(k.gvk)
		}
		if own == nil {
			return obj, nil
		}
		return own(obj)
	}
}

// syncPeriod returns the resync period of a scope, up to a tenth shorter or longer, so that informers are not all
// resynced at once.
func (s *scope) syncPeriod() time.Duration {
	period := defaultSyncPeriod
	if s.SyncPeriod != nil {
		period = *s.SyncPeriod
	}
	return time.Duration(float64(period) * (0.9 + 0.2*rand.Float64()))
}
