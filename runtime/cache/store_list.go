package cache

import (
	"errors"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/cache/internal/objectstore"
	"github.com/listwatch/listwatch/runtime/cache/internal/packing"
)

// AppendFunc is called with every object that is listed.
type AppendFunc func(obj any)

// all calls f, and returns true: it is a loop's body that continues.
func (f AppendFunc) all(obj any, _ bool) bool {
	f(obj)
	return true
}

// ListAll calls appendFn with all objects of a store whose labels match. It fails at an object
// without metadata, unless the selector selects everything.
func ListAll(store Store, selector labels.Selector, appendFn AppendFunc) error {
	if err := readable(store); err != nil {
		return err
	}
	if labels.MatchesNothing(selector) {
		return nil
	}
	if s := storeOf(store); s != nil {
		return eachSelected(s, metav1.NamespaceAll, selector, opened, appendFn.all)
	}
	return appendMatching(store.List(), selector, appendFn)
}

// ListAllByNamespace is [ListAll] for the objects of one namespace, or of all if that is empty. It
// is slow if indexer has no index [NamespaceIndex] or objects are missing from it: then it
// searches all objects.
func ListAllByNamespace(indexer Indexer, namespace string, selector labels.Selector, appendFn AppendFunc) error {
	if namespace == metav1.NamespaceAll || labels.MatchesNothing(selector) {
		return ListAll(indexer, selector, appendFn)
	}
	if err := readable(indexer); err != nil {
		return err
	}
	if s := storeOf(indexer); s != nil {
		return eachSelected(s, namespace, selector, opened, appendFn.all)
	}
	objects, err := indexer.Index(NamespaceIndex, &metav1.ObjectMeta{Namespace: namespace})
	if err == nil {
		return appendMatching(objects, selector, appendFn)
	}
	warnUnindexed(err)
	return appendMatching(indexer.List(), selector, func(obj any) {
		if isIn(namespace, obj) {
			appendFn(obj)
		}
	})
}

func warnUnindexed(err error) {
	klog.Background().V(2).Info("No complete namespace index, searching all objects", "reason", err)
}

func appendMatching(objects []any, selector labels.Selector, appendFn AppendFunc) error {
	everything := selector.Empty()
	for _, obj := range objects {
		if !everything {
			matches, err := matchesLabels(selector, obj)
			if err != nil {
				return err
			}
			if !matches {
				continue
			}
		}
		appendFn(obj)
	}
	return nil
}

func matchesLabels(selector labels.Selector, obj any) (bool, error) {
	if labeled, ok := obj.(interface{ GetLabels() map[string]string }); ok {
		return selector.Matches(labels.Set(labeled.GetLabels())), nil
	}
	accessor, err := meta.Accessor(obj)
	if err != nil {
		return false, err
	}
	return selector.Matches(labels.Set(accessor.GetLabels())), nil
}

// ListObjects returns the objects of one namespace, or of all if that is empty, whose
// labels match. The caller owns the slice, which is nil if there are none; the objects are those in
// the indexer. An object that is not a T is an error.
func ListObjects[T any](indexer Indexer, namespace string, selector labels.Selector) ([]T, error) {
	if labels.MatchesNothing(selector) {
		return nil, nil
	}
	s := storeOf(indexer)
	if s == nil {
		return listForeign[T](indexer, namespace, selector)
	}
	if err := s.Readable(); err != nil {
		return nil, err
	}
	if !selector.Empty() {
		return listSelected[T](s, namespace, selector)
	}
	objects, err := listNamespace[T](s, namespace)
	if err != nil || len(objects) == 0 {
		return nil, err
	}
	return objects, nil
}

// EachObject calls yield with the objects that [ListObjects] returns, as of one moment, until it returns
// false. It does not copy them: it is for loops over many objects of which few are retained. It holds no
// locks, so yield may also write to the indexer. It returns an error after the objects before it.
func EachObject[T any](indexer Indexer, namespace string, selector labels.Selector, yield func(T) bool) error {
	if labels.MatchesNothing(selector) {
		return nil
	}
	s := storeOf(indexer)
	if s == nil {
		objects, err := listForeign[T](indexer, namespace, selector)
		for i := 0; i < len(objects) && yield(objects[i]); i++ {
		}
		return err
	}
	if err := s.Readable(); err != nil {
		return err
	}
	return eachSelected(s, namespace, selector, opened, func(object T, _ bool) bool { return yield(object) })
}

// opened decodes an object, which stays decoded, and so is not the caller's.
func opened(obj any) (object any, owned bool) { return packing.Open(obj), false }

// eachSelected calls yield with the objects of a namespace, or of all, whose labels match, until it returns
// false. Packed ones are decoded by open, which reports whether the caller owns them.
func eachSelected[T any](s *objectstore.Store, namespace string, selector labels.Selector, open func(any) (object any, owned bool), yield func(object T, owned bool) bool) error {
	objects, filter := viewNamespace(s, namespace)
	everything := selector.Empty()
	for i := range objects.Len() {
		object := objects.At(i)
		if filter != "" && !isIn(filter, object) {
			continue
		}
		_, isPacked := object.(*packing.Object)
		t, ok := object.(T)
		if !ok && !isPacked {
			return objectstore.WrongType[T](object)
		}
		if !everything {
			matches, err := matchesLabels(selector, object)
			if err != nil {
				return err
			}
			if !matches {
				continue
			}
		}
		owned := false
		if isPacked { // and decoded only if it matches
			object, owned = open(object)
			if t, ok = object.(T); !ok {
				return objectstore.WrongType[T](object)
			}
		}
		if !yield(t, owned) {
			return nil
		}
	}
	return nil
}

// viewNamespace returns the objects of a namespace, or of all namespaces if that is empty. If it cannot find
// those of the namespace, it returns all, and filter is the namespace.
func viewNamespace(s *objectstore.Store, namespace string) (objects objectstore.View, filter string) {
	if namespace == metav1.NamespaceAll {
		return s.View(), ""
	}
	objects, err := s.ViewComplete(NamespaceIndex, namespace)
	if err != nil {
		warnUnindexed(err)
		return s.View(), namespace
	}
	return objects, ""
}

func isIn(namespace string, object any) bool {
	in, ok := delta.NamespaceOf(object)
	return ok && in == namespace
}

// listNamespace returns the objects of a namespace, or of all, from a store of this package.
func listNamespace[T any](s *objectstore.Store, namespace string) ([]T, error) {
	switch {
	case namespace == metav1.NamespaceAll:
		return objectstore.All[T](s)
	case s.IsComplete(NamespaceIndex):
		objects, err := objectstore.Having[T](s, NamespaceIndex, []string{namespace})
		if err == nil || !errors.As(err, new(*IncompleteIndexError)) {
			return objects, err
		}
	}
	return listSelected[T](s, namespace, labels.Everything())
}

// listSelected returns the objects of a namespace, or of all, whose labels match. The selector is
// called without locks.
func listSelected[T any](s *objectstore.Store, namespace string, selector labels.Selector) (out []T, err error) {
	err = eachSelected(s, namespace, selector, opened, func(object T, _ bool) bool {
		out = append(out, object)
		return true
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// listForeign lists from any indexer.
func listForeign[T any](indexer Indexer, namespace string, selector labels.Selector) (out []T, err error) {
	var wrong error
	err = ListAllByNamespace(indexer, namespace, selector, func(obj any) {
		if t, ok := obj.(T); ok {
			out = append(out, t)
		} else {
			wrong = objectstore.WrongType[T](obj)
		}
	})
	if err == nil {
		err = wrong
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// GetObject returns the object of a name from an indexer. An empty namespace means a cluster-scoped
// object; name may also be a key with a namespace then. An object that is not a T is an error.
func GetObject[T any](indexer Indexer, namespace, name string) (obj T, exists bool, err error) {
	var found any
	objectName := ObjectName{Namespace: namespace, Name: name}
	if s := storeOf(indexer); s != nil {
		if err = s.Readable(); err == nil {
			found, exists = s.Object(delta.Name(objectName))
		}
	} else {
		found, exists, err = indexer.GetByKey(objectName.String())
	}
	if err != nil || !exists {
		return obj, false, err
	}
	obj, ok := found.(T)
	if !ok {
		return obj, false, objectstore.WrongType[T](found)
	}
	return obj, true, nil
}
