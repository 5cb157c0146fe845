package controllerruntime

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/selection"
	theircache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	ourcache "github.com/listwatch/listwatch/runtime/cache"
)

var (
	errContinue = errors.New("continue list option is not supported by the cache")
	errNotExact = errors.New("non-exact field matches are not supported by the cache")
)

// errUnknownNamespace reports a read of a namespace that is not cached.
var errUnknownNamespace = errors.New("unknown namespace for the cache")

// reader returns the informer for a read of an object in a namespace or, with isList, of those of a namespace, or of all if
// it is empty. Its errors come in controller-runtime's order.
func (e *engine) reader(k key, namespace string, isList bool) (*entry, error) {
	e.mu.RLock()
	found, started := e.informers[k], e.ctx != nil
	e.mu.RUnlock()
	if found == nil {
		if e.settings.limits(k.gvk) {
			if err := e.check(k, namespace, isList); err != nil {
				return nil, err
			}
		}
		var err error
		if found, started, err = e.find(k, e.strict); err != nil {
			return nil, err
		}
	}
	if all := isList && namespace == ""; found.namespaced && !all && found.scopes.of(namespace) == nil {
		return nil, errUnknownNamespace
	}
	if !started {
		return nil, &cache.ErrCacheNotStarted{}
	}
	return found, nil
}

// check returns an error if the mapper does not know a kind, or its namespaces in the options are without this one.
func (e *engine) check(k key, namespace string, isList bool) error {
	namespaced, err := apiutil.IsGVKNamespaced(k.gvk, e.mapper)
	if err != nil {
		return err
	}
	if all := isList && namespace == ""; namespaced && !all && e.settings.scopes(k.gvk, true).of(namespace) == nil {
		return errUnknownNamespace
	}
	return nil
}

// Get implements [client.Reader].
func (e *engine) Get(ctx context.Context, name client.ObjectKey, out client.Object, opts ...client.GetOption) error {
	k, err := e.keyOf(out)
	if err != nil {
		return err
	}
	n, err := e.reader(k, name.Namespace, false)
	if err != nil {
		return unable("get", name, err)
	}
	var options client.GetOptions
	options.ApplyOptions(opts)
	if !n.namespaced {
		name.Namespace = ""
	}
	in := n.scopes.of(name.Namespace)
	if err = n.in(name.Namespace).wait(ctx); err != nil {
		return err
	}
	if err = n.waitForVersion(ctx, name.Namespace, versionOfGet(opts)); err != nil {
		return err
	}
	shared := in.shares(options.UnsafeDisableDeepCopy)
	var stored any
	var exists bool
	if shared {
		stored, exists, err = n.informer.GetIndexer().GetByKey(ourcache.ObjectName(name).String())
	} else {
		stored, exists, err = ourcache.GetCopy(n.informer.GetIndexer(), name.Namespace, name.Name)
	}
	switch {
	case err != nil:
		return err
	case !exists:
		// As in controller-runtime, the kind is in place of the resource.
		return apierrors.NewNotFound(schema.GroupResource{Group: k.gvk.Group, Resource: k.gvk.Kind}, name.Name)
	}
	object, ok := stored.(runtime.Object)
	if !ok {
		return fmt.Errorf("cache contained %T, which is not an Object", stored)
	}
	from, to := reflect.ValueOf(object), reflect.ValueOf(out)
	if from.Type() != to.Type() {
		return fmt.Errorf("cache had type %s, but %s was asked for", from.Type(), to.Type())
	}
	to.Elem().Set(from.Elem())
	if !shared {
		out.GetObjectKind().SetGroupVersionKind(k.gvk)
	}
	return nil
}

// List implements [client.Reader].
func (e *engine) List(ctx context.Context, out client.ObjectList, opts ...client.ListOption) error {
	k, err := e.keyOf(out)
	if err != nil {
		return err
	}
	var options client.ListOptions
	options.ApplyOptions(opts)
	if options.Continue != "" && e.settings.limits(k.item().gvk) {
		return errContinue
	}
	n, err := e.reader(k.item(), options.Namespace, true)
	if err != nil {
		return unable("list", options.Namespace, err)
	}
	wanted := n.all()
	if options.Namespace != "" {
		wanted = n.in(options.Namespace)
	}
	if err := wanted.wait(ctx); err != nil {
		return err
	}
	if options.Continue != "" {
		return errContinue
	}
	if err := n.waitForVersion(ctx, options.Namespace, versionOfList(options)); err != nil {
		return err
	}
	items := n.items(out, options)
	if err := n.each(options, items.add); err != nil {
		return err
	}
	if err := items.finish(); err != nil {
		return err
	}
	out.SetContinue("continue-not-supported")
	return nil
}

// unable returns err with what could not be read, if its namespace is unknown.
func unable(verb string, what any, err error) error {
	if errors.Is(err, errUnknownNamespace) {
		return fmt.Errorf("unable to %s: %v because of %w", verb, what, err)
	}
	return err
}

// waitForVersion waits until the objects of a namespace, or of all if it is empty, are not older than a resource version.
func (n *entry) waitForVersion(ctx context.Context, namespace, rv string) error {
	if rv == "" || rv == "0" {
		return nil
	}
	return n.bounded(ctx, func(ctx context.Context) error {
		if namespace == "" {
			return ourcache.WaitForResourceVersion(ctx, n.informer, rv)
		}
		return ourcache.WaitForResourceVersionIn(ctx, n.informer, namespace, rv)
	})
}

// sharesAll reports whether a list with an option returns the stored objects of all scopes, not copies.
func (n *entry) sharesAll(option *bool) bool {
	for i := range n.scopes {
		if !n.scopes[i].shares(option) {
			return false
		}
	}
	return true
}

// each calls f with the objects that options select, and with whether the caller owns them, until it returns false.
func (n *entry) each(options client.ListOptions, f func(object client.Object, owned bool) bool) error {
	selector := options.LabelSelector
	if selector == nil {
		selector = labels.Everything()
	}
	indexer := n.informer.GetIndexer()
	shared := n.sharesAll(options.UnsafeDisableDeepCopy)
	switch {
	case options.FieldSelector != nil:
	case shared:
		return ourcache.EachObject(indexer, options.Namespace, selector, func(object client.Object) bool { return f(object, false) })
	default:
		return ourcache.EachOwned(indexer, options.Namespace, selector, f)
	}
	found, err := byFields(indexer, options.FieldSelector, options.Namespace, shared)
	if err != nil {
		return err
	}
	for _, one := range found {
		object, ok := one.object.(client.Object)
		if !ok {
			return fmt.Errorf("cache contained %T, which is not an Object", one.object)
		}
		if selector.Matches(labels.Set(object.GetLabels())) && !f(object, one.owned) {
			return nil
		}
	}
	return nil
}

// read is an object from a store, and whether the reader owns it.
type read struct {
	object any
	owned  bool
}

// byFields returns the objects that a field selector selects: the first field by its index, the others
// by the functions of theirs. If shared is set, they are those of the store.
func byFields(indexer ourcache.Indexer, selector fields.Selector, namespace string, shared bool) ([]read, error) {
	requirements := selector.Requirements()
	if len(requirements) == 0 {
		return nil, errNotExact
	}
	for _, r := range requirements {
		if r.Operator != selection.Equals && r.Operator != selection.DoubleEquals {
			return nil, errNotExact
		}
	}
	first, others := requirements[0], requirements[1:]
	objects, err := byIndex(indexer, fieldIndex(first.Field), fieldValue(namespace, first.Value), shared)
	if err != nil || len(others) == 0 {
		return objects, err
	}
	functions := indexer.GetIndexers()
	for _, r := range others {
		if len(objects) == 0 {
			return nil, err
		}
		f, ok := functions[fieldIndex(r.Field)]
		if !ok {
			return nil, fmt.Errorf("index with name %s does not exist", fieldIndex(r.Field))
		}
		value := fieldValue(namespace, r.Value)
		objects = slices.DeleteFunc(objects, func(one read) bool {
			values, failed := f(one.object)
			err = errors.Join(err, failed)
			return !slices.Contains(values, value)
		})
	}
	return objects, err
}

// byIndex returns the objects that have a value in an index.
func byIndex(indexer ourcache.Indexer, index, value string, shared bool) (found []read, err error) {
	if !shared {
		err = ourcache.EachOwnedByIndex(indexer, index, value, func(object any, owned bool) bool {
			found = append(found, read{object, owned})
			return true
		})
		return found, err
	}
	objects, err := indexer.ByIndex(index, value)
	for _, object := range objects {
		found = append(found, read{object, false})
	}
	return found, err
}

// fieldIndex returns the name of the index of a field, which is controller-runtime's.
func fieldIndex(field string) string { return "field:" + field }

// fieldValue returns what the index of a field contains for a value: in one namespace or, if that is empty, in
// any. It is controller-runtime's.
func fieldValue(namespace, value string) string {
	if namespace == "" {
		namespace = "__all_namespaces"
	}
	return namespace + "/" + value
}

// fieldIndexFunc returns the function of the index of a field.
func fieldIndexFunc(extract client.IndexerFunc) theircache.IndexFunc {
	return func(obj any) ([]string, error) {
		object, ok := obj.(client.Object)
		if !ok {
			return nil, fmt.Errorf("object of type %T is not an Object", obj)
		}
		values := extract(object)
		namespace := object.GetNamespace()
		out := make([]string, 0, 2*len(values))
		for _, value := range values {
			out = append(out, fieldValue("", value))
			if namespace != "" {
				out = append(out, fieldValue(namespace, value))
			}
		}
		return out, nil
	}
}

// of returns the scope of the objects of a namespace, nil if there is none.
func (s scopes) of(namespace string) *scope {
	if i := s.indexOf(namespace); i >= 0 {
		return &s[i]
	}
	return nil
}

// indexOf returns the index of the scope of the objects of a namespace, -1 if there is none.
func (s scopes) indexOf(namespace string) int {
	if len(s) == 1 && s[0].namespace == "" {
		return 0
	}
	all := -1
	for i := range s {
		switch s[i].namespace {
		case namespace:
			return i
		case metav1.NamespaceAll:
			all = i
		}
	}
	return all
}

// shares reports whether a read with an option returns the stored objects, not copies.
func (s *scope) shares(option *bool) bool {
	return isTrue(s.UnsafeDisableDeepCopy, false) || isTrue(option, false)
}

// items are the items of the result of a list.
type items struct {
	*entry
	list  client.ObjectList
	limit int
	share *bool
	found []runtime.Object
}

func (n *entry) items(list client.ObjectList, options client.ListOptions) *items {
	return &items{entry: n, list: list, limit: int(options.Limit), share: options.UnsafeDisableDeepCopy}
}

// add adds an object, which it may own, and reports whether there is room for more.
func (i *items) add(object client.Object, owned bool) bool {
	var one runtime.Object = object
	if in := i.scopes.of(object.GetNamespace()); in == nil || !in.shares(i.share) {
		if !owned {
			one = object.DeepCopyObject()
		}
		one.GetObjectKind().SetGroupVersionKind(i.gvk)
	}
	i.found = append(i.found, one)
	return i.limit <= 0 || len(i.found) < i.limit
}

func (i *items) finish() error { return meta.SetList(i.list, i.found) }
