package controllerruntime_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	theircache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// answer is what a cache returns for a call.
type answer struct {
	err  error
	text string // of the objects
}

// patience is how long calls may take that wait for a server that responds, and impatience how long calls wait that
// can only end with their context.
const (
	patience   = 90 * time.Second
	impatience = 300 * time.Millisecond
)

// ask makes a call on both caches, at the same time: controller-runtime's is the first.
func (s *script) ask(timeout time.Duration, call func(ctx context.Context, i int, c cache.Cache) answer) (out [2]answer) {
	ctx, cancel := context.WithTimeout(s.ctx, timeout)
	defer cancel()
	var calls sync.WaitGroup
	for i, c := range s.caches {
		calls.Go(func() { out[i] = call(ctx, i, c) })
	}
	calls.Wait()
	return out
}

// compare compares the answers of both caches. If a call must wait for what cannot happen, any error is right.
func (s *script) compare(what string, blocked bool, answers [2]answer) error {
	theirs, ours := answers[0], answers[1]
	s.say("%s: %s", what, errorKind(theirs.err))
	switch {
	case blocked:
		if theirs.err == nil || ours.err == nil {
			return fmt.Errorf("%s cannot succeed: controller-runtime's error is %s, ours %s", what, errorKind(theirs.err), errorKind(ours.err))
		}
	case errorKind(theirs.err) != errorKind(ours.err):
		return fmt.Errorf("%s: controller-runtime's error is\n%s\nours\n%s", what, errorKind(theirs.err), errorKind(ours.err))
	case theirs.text != ours.text:
		return fmt.Errorf("%s: controller-runtime returns\n%s\nours\n%s", what, theirs.text, ours.text)
	}
	return nil
}

// errorKind returns how a program distinguishes an error.
func errorKind(err error) string {
	switch {
	case err == nil:
		return "ok"
	case errors.As(err, new(*cache.ErrCacheNotStarted)):
		return "not started"
	case errors.As(err, new(*cache.ErrResourceNotCached)):
		return "not cached"
	case apierrors.IsNotFound(err):
		return "not found"
	case meta.IsNoMatchError(err):
		return "no match"
	case apierrors.IsTimeout(err), apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
		return "not synced"
	case strings.Contains(err.Error(), "indexer conflict"):
		return "indexer conflict"
	}
	return err.Error()
}

// textOf describes an object.
func textOf(obj any) string {
	text, err := json.Marshal(obj)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// textOfList describes a list, whose order does not matter.
func textOfList(list client.ObjectList) string {
	items, err := meta.ExtractList(list)
	if err != nil {
		return err.Error()
	}
	var texts []string
	for _, item := range items {
		texts = append(texts, textOf(item))
	}
	slices.Sort(texts)
	return fmt.Sprintf("%v, continue %q, version %q\n%s", list.GetObjectKind().GroupVersionKind(),
		list.GetContinue(), list.GetResourceVersion(), strings.Join(texts, "\n"))
}

// witness is a handler of events that checks their order.
type witness struct {
	mu      sync.Mutex // guards the fields below
	objects map[string]client.Object
	wrong   []string
}

func newWitness() *witness { return &witness{objects: map[string]client.Object{}} }

var _ theircache.ResourceEventHandler = &witness{}

func (w *witness) note(format string, args ...any) {
	w.wrong = append(w.wrong, fmt.Sprintf(format, args...))
}

func (w *witness) OnAdd(obj any, _ bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	object := obj.(client.Object)
	key := keyOf(object)
	if _, ok := w.objects[key]; ok {
		w.note("%s is added twice", key)
	}
	w.objects[key] = object
}

func (w *witness) OnUpdate(before, obj any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	object := obj.(client.Object)
	key := keyOf(object)
	switch last, ok := w.objects[key]; {
	case !ok:
		w.note("%s is updated before it is added", key)
	case last.GetResourceVersion() != before.(client.Object).GetResourceVersion():
		w.note("the update of %s is from version %s, the last one was %s", key, before.(client.Object).GetResourceVersion(), last.GetResourceVersion())
	}
	w.objects[key] = object
}

func (w *witness) OnDelete(obj any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var key string
	if gone, ok := obj.(theircache.DeletedFinalStateUnknown); ok {
		key = gone.Key
	} else {
		key = keyOf(obj.(client.Object))
	}
	if _, ok := w.objects[key]; !ok {
		w.note("%s is deleted without being there", key)
	}
	delete(w.objects, key)
}

// content returns the versions of the objects in some namespaces, by key, and their texts.
func (w *witness) content(in func(namespace string) bool) (found map[string]string, texts string, wrong []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	found = map[string]string{}
	var all []string
	for key, object := range w.objects {
		if in(object.GetNamespace()) {
			found[key] = object.GetResourceVersion()
			all = append(all, textOf(object))
		}
	}
	slices.Sort(all)
	return found, strings.Join(all, "\n"), slices.Clone(w.wrong)
}
