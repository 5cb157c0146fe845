package controllerruntime_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// canSync reports whether an informer of a kind syncs, or goes on, in a scope.
func (s *script) canSync(k *kind, scope string) bool {
	return s.started && !s.stopped && s.readable(k, s.requested(k, scope))
}

// blocked reports whether a call that needs scopes waits for ever.
func (s *script) blocked(id informerID, scopes []string) bool {
	if !s.started {
		return false
	}
	known := s.informers[id]
	if known == nil && s.ReaderFailOnMissingInformer {
		return false
	}
	for _, scope := range scopes {
		if synced := known != nil && known.synced[scope]; !synced && !s.canSync(id.kind, scope) {
			return true
		}
	}
	return false
}

// needs returns the scopes that a read of a namespace, or of all, needs.
func (s *script) needs(k *kind, namespace string, isList bool) []string {
	switch scope, ok := s.scopeOf(k, namespace); {
	case !k.namespaced, isList && namespace == "":
		return s.scopesOf(k)
	case ok:
		return []string{scope}
	}
	return nil
}

// sorted returns the informers in an order that depends on nothing but their names.
func (s *script) sorted() []informerID {
	return slices.SortedFunc(maps.Keys(s.informers), func(a, b informerID) int { return strings.Compare(a.String(), b.String()) })
}

// settle waits until both caches, and the handlers of events, have what the server has, and compares all objects.
func (s *script) settle() error {
	if !s.started || s.stopped {
		return nil
	}
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	for _, id := range s.sorted() {
		if s.isGone(id) {
			continue
		}
		if err := s.settleOne(ctx, id); err != nil {
			return fmt.Errorf("%s does not settle: %w", id, err)
		}
	}
	return nil
}

func (s *script) settleOne(ctx context.Context, id informerID) error {
	known := s.informers[id]
	var contents [2]map[string]string
	contents[0], contents[1] = map[string]string{}, map[string]string{}
	in := map[string]bool{} // namespaces that have settled
	for _, scope := range s.scopesOf(id.kind) {
		can := s.canSync(id.kind, scope)
		if !can && !known.synced[scope] {
			continue
		}
		for _, namespace := range s.within(id.kind, scope) {
			var want map[string]string // nil if the informers have an older state
			if can {
				var err error
				if want, err = s.content(ctx, id.kind, namespace, s.selectorsOf(id.kind, scope)); err != nil {
					return err
				}
			}
			var texts [2]string
			for i, c := range s.caches {
				found, text, err := settledList(ctx, c, id, namespace, want)
				if err != nil {
					return fmt.Errorf("%s: %w", []string{"controller-runtime", "ours"}[i], err)
				}
				maps.Copy(contents[i], found)
				texts[i] = text
			}
			if texts[0] != texts[1] {
				return fmt.Errorf("in %q, controller-runtime has\n%s\nours\n%s", namespace, texts[0], texts[1])
			}
			in[namespace] = true
		}
		known.synced[scope] = true
	}
	return s.settleHandlers(ctx, known, contents, func(namespace string) bool { return in[namespace] })
}

// within returns the namespaces of a scope.
func (s *script) within(k *kind, scope string) []string {
	if !k.namespaced {
		return []string{""}
	}
	var out []string
	for _, namespace := range append([]string{"default"}, homes...) {
		if of, ok := s.scopeOf(k, namespace); ok && of == scope {
			out = append(out, namespace)
		}
	}
	return out
}

// settledList waits until a cache has the wanted objects in a namespace.
func settledList(ctx context.Context, c cache.Cache, id informerID, namespace string, want map[string]string) (map[string]string, string, error) {
	for pause := 2 * time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		list := id.objects(id.form)
		err := c.List(ctx, list, client.InNamespace(namespace))
		found := map[string]string{}
		if err == nil {
			eachOf(list, func(obj client.Object) { found[keyOf(obj)] = obj.GetResourceVersion() })
			if want == nil || maps.Equal(found, want) {
				return found, textOfList(list), nil
			}
		}
		if ctx.Err() != nil {
			return nil, "", errors.Join(err, fmt.Errorf("in %q it has %s, the server %s", namespace, versions(found), versions(want)))
		}
		time.Sleep(pause)
	}
}

// settleHandlers waits until handlers have the objects of their caches.
func (s *script) settleHandlers(ctx context.Context, known *informer, contents [2]map[string]string, in func(namespace string) bool) error {
	for _, pair := range known.handlers {
		var texts [2]string
		for i, handler := range pair {
			for pause := time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
				found, text, wrong := handler.content(in)
				if len(wrong) > 0 {
					return fmt.Errorf("a handler of cache %d: %s", i, strings.Join(wrong, "; "))
				}
				if maps.Equal(found, contents[i]) {
					texts[i] = text
					break
				}
				if ctx.Err() != nil {
					return fmt.Errorf("a handler of cache %d has %s, the cache %s", i, versions(found), versions(contents[i]))
				}
				time.Sleep(pause)
			}
		}
		if texts[0] != texts[1] {
			return fmt.Errorf("controller-runtime's handler got\n%s\nours\n%s", texts[0], texts[1])
		}
	}
	return nil
}

// eachOf calls f with the items of a list.
func eachOf(list client.ObjectList, f func(client.Object)) {
	if typed, ok := list.(*metav1.PartialObjectMetadataList); ok {
		for i := range typed.Items {
			f(&typed.Items[i])
		}
		return
	}
	for _, item := range itemsOf(list) {
		f(item.(client.Object))
	}
}
