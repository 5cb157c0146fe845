package script_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// source is a list and watch whose answers are in a table. The last one is given again and again.
// It does not stream lists unless streams is set.
type source struct {
	p     *tape
	mu    sync.Mutex
	lists int
	list  []any // *corev1.PodList, error
	// watches are nil for one that stays open.
	watches int
	watch   []any // []watch.Event, error
	// open has the watch that is open.
	open    *watch.FakeWatcher
	streams bool
}

func describe(o metav1.ListOptions) string {
	s := fmt.Sprintf("rv=%q match=%q", o.ResourceVersion, o.ResourceVersionMatch)
	if o.Limit != 0 || o.Continue != "" {
		s += fmt.Sprintf(" limit=%d continue=%q", o.Limit, o.Continue)
	}
	if o.AllowWatchBookmarks {
		s += " bookmarks"
	}
	if o.SendInitialEvents != nil {
		s += fmt.Sprintf(" initial=%v", *o.SendInitialEvents)
	}
	if o.LabelSelector+o.FieldSelector != "" {
		s += " " + o.LabelSelector + " " + o.FieldSelector
	}
	if o.TimeoutSeconds != nil {
		s += " timeout"
	}
	return s
}

func at[T any](list []T, i int) T { return list[min(i, len(list)-1)] }

// IsWatchListSemanticsUnSupported is asked by ToListWatcherWithWatchListSemantics.
func (s *source) IsWatchListSemanticsUnSupported() bool { return !s.streams }

func (s *source) listWatch() cache.ListerWatcher {
	return cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{
		ListWithContextFunc: func(_ context.Context, o metav1.ListOptions) (runtime.Object, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			answer := at(s.list, s.lists)
			s.lists++
			if s.lists <= len(s.list)+1 {
				s.p.printf("list %s", describe(o))
			}
			if err, ok := answer.(error); ok {
				return nil, err
			}
			return answer.(runtime.Object), nil
		},
		WatchFuncWithContext: func(_ context.Context, o metav1.ListOptions) (watch.Interface, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			answer := at(s.watch, s.watches)
			s.watches++
			if s.watches <= len(s.watch)+1 {
				s.p.printf("watch %s", describe(o))
			}
			if err, ok := answer.(error); ok {
				return nil, err
			}
			events, _ := answer.([]watch.Event)
			ends := events != nil
			if stay, ok := answer.(staying); ok {
				events = stay
			}
			w := watch.NewFakeWithChanSize(len(events)+10, false)
			for _, e := range events {
				w.Action(e.Type, e.Object)
			}
			if ends {
				w.Stop()
			} else {
				s.open = w
			}
			return w, nil
		},
	}, s)
}

// staying are the events of a watch that stays open.
type staying []watch.Event

// send sends an event to the open watch.
func (s *source) send(typ watch.EventType, object runtime.Object) {
	s.mu.Lock()
	w := s.open
	s.mu.Unlock()
	w.Action(typ, object)
}

func newPod(name string, version int) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "n", ResourceVersion: strconv.Itoa(version)}}
}

func pods(version int, items ...*corev1.Pod) *corev1.PodList {
	list := &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: strconv.Itoa(version)}}
	for _, item := range items {
		list.Items = append(list.Items, *item)
	}
	return list
}

func nameOf(obj any) string {
	switch obj := obj.(type) {
	case *corev1.Pod:
		return obj.Name + "@" + obj.ResourceVersion
	case cache.DeletedFinalStateUnknown:
		return fmt.Sprintf("unknown(%s %s)", obj.Key, nameOf(obj.Obj))
	}
	return fmt.Sprintf("%T", obj)
}

// named returns the name of the object in a line that handler writes.
func named(line string) string {
	object := strings.Fields(strings.NewReplacer("unknown(n/", "").Replace(line))[2]
	name, _, _ := strings.Cut(object, "@")
	return name
}

// nothing is a handler that does nothing.
type nothing struct{}

func (nothing) OnAdd(any, bool)   {}
func (nothing) OnUpdate(any, any) {}
func (nothing) OnDelete(any)      {}

func handler(p *tape, name string) cache.ResourceEventHandlerDetailedFuncs {
	return cache.ResourceEventHandlerDetailedFuncs{
		AddFunc:    func(obj any, initial bool) { p.printf("%s add %s %v", name, nameOf(obj), initial) },
		UpdateFunc: func(old, obj any) { p.printf("%s update %s %s", name, nameOf(old), nameOf(obj)) },
		DeleteFunc: func(obj any) { p.printf("%s delete %s", name, nameOf(obj)) },
	}
}

func forbidden(verb string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Reason: metav1.StatusReasonForbidden, Code: http.StatusForbidden,
		Message: "pods is forbidden: User \"u\" cannot " + verb + " resource \"pods\"",
	}}
}

var missing = &apierrors.StatusError{ErrStatus: metav1.Status{
	Status: metav1.StatusFailure, Reason: metav1.StatusReasonNotFound, Code: http.StatusNotFound,
	Message: "the server could not find the requested resource",
}}

var refused = &url.Error{Op: "Get", URL: "https://server/pods", Err: fmt.Errorf("dial tcp: connect: %w", syscall.ECONNREFUSED)}

func event(typ watch.EventType, object runtime.Object) watch.Event {
	return watch.Event{Type: typ, Object: object}
}

func bookmark(version int, initial bool) *corev1.Pod {
	b := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{ResourceVersion: strconv.Itoa(version)}}
	if initial {
		b.Annotations = map[string]string{metav1.InitialEventsAnnotationKey: "true"}
	}
	return b
}

func statusOf(err error) *metav1.Status {
	s := err.(apierrors.APIStatus).Status()
	return &s
}

// answers of servers, and what informers make of them.
var sources = map[string]*source{
	"nothing":                   {list: []any{pods(5)}, watch: []any{nil}},
	"two":                       {list: []any{pods(5, newPod("a", 1), newPod("b", 2))}, watch: []any{nil}},
	"list forbidden":            {list: []any{forbidden("list"), forbidden("list"), pods(5, newPod("a", 1))}, watch: []any{nil}},
	"list unauthorized":         {list: []any{apierrors.NewUnauthorized("no"), pods(5, newPod("a", 1))}, watch: []any{nil}},
	"list missing":              {list: []any{missing, missing, pods(5, newPod("a", 1))}, watch: []any{nil}},
	"list refused":              {list: []any{refused, pods(5, newPod("a", 1))}, watch: []any{nil}},
	"list broken off":           {list: []any{io.ErrUnexpectedEOF, pods(5, newPod("a", 1))}, watch: []any{nil}},
	"list expired":              {list: []any{apierrors.NewResourceExpired("too old"), pods(5, newPod("a", 1))}, watch: []any{nil}},
	"list always expired":       {list: []any{apierrors.NewResourceExpired("too old"), apierrors.NewResourceExpired("too old"), pods(5, newPod("a", 1))}, watch: []any{nil}},
	"list too large version":    {list: []any{apierrors.NewTimeoutError("Too large resource version", 1), pods(5, newPod("a", 1))}, watch: []any{nil}},
	"list 500":                  {list: []any{apierrors.NewInternalError(errors.New("oops")), pods(5, newPod("a", 1))}, watch: []any{nil}},
	"list 429":                  {list: []any{apierrors.NewTooManyRequests("slow", 1), pods(5, newPod("a", 1))}, watch: []any{nil}},
	"list canceled":             {list: []any{context.Canceled, pods(5, newPod("a", 1))}, watch: []any{nil}},
	"list of another type":      {list: []any{&corev1.Pod{}, pods(5, newPod("a", 1))}, watch: []any{nil}},
	"list of other items":       {list: []any{&corev1.NodeList{ListMeta: metav1.ListMeta{ResourceVersion: "5"}, Items: []corev1.Node{{ObjectMeta: metav1.ObjectMeta{Name: "x"}}}}}, watch: []any{nil}},
	"list without version":      {list: []any{&corev1.PodList{Items: []corev1.Pod{*newPod("a", 1)}}}, watch: []any{nil}},
	"watch forbidden":           {list: []any{pods(5, newPod("a", 1))}, watch: []any{forbidden("watch"), forbidden("watch"), nil}},
	"watch missing":             {list: []any{pods(5, newPod("a", 1))}, watch: []any{missing, nil}},
	"watch refused":             {list: []any{pods(5, newPod("a", 1))}, watch: []any{refused, nil}},
	"watch 429":                 {list: []any{pods(5, newPod("a", 1))}, watch: []any{apierrors.NewTooManyRequests("slow", 1), nil}},
	"watch 500":                 {list: []any{pods(5, newPod("a", 1))}, watch: []any{apierrors.NewInternalError(errors.New("oops")), nil}},
	"watch 500 with retries":    {list: []any{pods(5, newPod("a", 1))}, watch: []any{apierrors.NewInternalError(errors.New("internal error")), nil}},
	"watch EOF":                 {list: []any{pods(5, newPod("a", 1))}, watch: []any{io.EOF, nil}},
	"watch unexpected EOF":      {list: []any{pods(5, newPod("a", 1))}, watch: []any{io.ErrUnexpectedEOF, nil}},
	"watch expired":             {list: []any{pods(5, newPod("a", 1)), pods(7, newPod("a", 6))}, watch: []any{apierrors.NewResourceExpired("too old"), nil}},
	"watch bad request":         {list: []any{pods(5, newPod("a", 1))}, watch: []any{apierrors.NewBadRequest("no"), nil}},
	"watch unexplained":         {list: []any{pods(5, newPod("a", 1))}, watch: []any{errors.New("unexplained"), nil}},
	"event expired":             {list: []any{pods(5, newPod("a", 1)), pods(7, newPod("b", 6))}, watch: []any{[]watch.Event{event(watch.Error, statusOf(apierrors.NewResourceExpired("too old")))}, nil}},
	"event gone":                {list: []any{pods(5, newPod("a", 1)), pods(7, newPod("b", 6))}, watch: []any{[]watch.Event{event(watch.Error, &metav1.Status{Status: metav1.StatusFailure, Reason: metav1.StatusReasonGone, Code: http.StatusGone, Message: "gone"})}, nil}},
	"event 500":                 {list: []any{pods(5, newPod("a", 1)), pods(7, newPod("a", 6))}, watch: []any{[]watch.Event{event(watch.Error, statusOf(apierrors.NewInternalError(errors.New("oops"))))}, nil}},
	"event forbidden":           {list: []any{pods(5, newPod("a", 1)), forbidden("list"), pods(7, newPod("a", 6))}, watch: []any{[]watch.Event{event(watch.Error, statusOf(forbidden("watch")))}, nil}},
	"event unauthorized":        {list: []any{pods(5, newPod("a", 1)), pods(7, newPod("a", 6))}, watch: []any{[]watch.Event{event(watch.Error, statusOf(apierrors.NewUnauthorized("ended")))}, nil}},
	"event 429":                 {list: []any{pods(5, newPod("a", 1)), pods(7, newPod("a", 6))}, watch: []any{[]watch.Event{event(watch.Error, statusOf(apierrors.NewTooManyRequests("slow", 1)))}, nil}},
	"event timeout":             {list: []any{pods(5, newPod("a", 1)), pods(7, newPod("a", 6))}, watch: []any{[]watch.Event{event(watch.Error, statusOf(apierrors.NewTimeoutError("timeout", 0)))}, nil}},
	"event error of a pod":      {list: []any{pods(5, newPod("a", 1)), pods(7, newPod("a", 6))}, watch: []any{[]watch.Event{event(watch.Error, newPod("a", 7))}, nil}},
	"event of another type":     {list: []any{pods(5, newPod("a", 1))}, watch: []any{[]watch.Event{event(watch.Added, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "x", ResourceVersion: "6"}}), event(watch.Added, newPod("b", 7))}, nil}},
	"event of unknown type":     {list: []any{pods(5, newPod("a", 1))}, watch: []any{[]watch.Event{event("RENAMED", newPod("b", 6)), event(watch.Added, newPod("c", 7))}, nil}},
	"event older":               {list: []any{pods(5, newPod("a", 5))}, watch: []any{[]watch.Event{event(watch.Modified, newPod("a", 3))}, nil}},
	"event without version":     {list: []any{pods(5, newPod("a", 5))}, watch: []any{[]watch.Event{event(watch.Modified, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "n"}})}, nil}},
	"event modified of unknown": {list: []any{pods(5)}, watch: []any{[]watch.Event{event(watch.Modified, newPod("a", 6)), event(watch.Deleted, newPod("c", 7)), event(watch.Added, newPod("a", 8)), event(watch.Added, newPod("a", 9))}, nil}},
	"events":                    {list: []any{pods(5, newPod("a", 1), newPod("b", 2))}, watch: []any{[]watch.Event{event(watch.Added, newPod("c", 6)), event(watch.Modified, newPod("a", 7)), event(watch.Deleted, newPod("b", 8)), event(watch.Bookmark, bookmark(9, false))}, nil}},
	"watch ends at once":        {list: []any{pods(5, newPod("a", 1))}, watch: []any{[]watch.Event{}, nil}},
	"relist deletes":            {list: []any{pods(5, newPod("a", 1), newPod("b", 2), newPod("c", 3)), pods(9, newPod("b", 2), newPod("c", 8), newPod("d", 7))}, watch: []any{[]watch.Event{event(watch.Error, statusOf(apierrors.NewResourceExpired("too old")))}, nil}},
	"list twice the same":       {list: []any{pods(5, newPod("a", 1), newPod("a", 2))}, watch: []any{nil}},

	"stream": {streams: true, list: []any{pods(5)}, watch: []any{staying{
		event(watch.Added, newPod("a", 1)), event(watch.Added, newPod("b", 2)), event(watch.Bookmark, bookmark(5, true)), event(watch.Modified, newPod("a", 6)),
	}}},
	"stream forbidden":     {streams: true, list: []any{forbidden("list"), pods(5, newPod("a", 1))}, watch: []any{forbidden("watch"), forbidden("watch"), nil}},
	"stream not supported": {streams: true, list: []any{pods(5, newPod("a", 1))}, watch: []any{apierrors.NewInvalid(schema.GroupKind{Kind: "ListOptions"}, "", nil), nil}},
	"stream refused":       {streams: true, list: []any{pods(5, newPod("a", 1))}, watch: []any{refused, refused, initial}},
	"stream 429":           {streams: true, list: []any{pods(5, newPod("a", 1))}, watch: []any{apierrors.NewTooManyRequests("slow", 1), initial}},
	"stream too large":     {streams: true, list: []any{pods(5, newPod("a", 1))}, watch: []any{apierrors.NewTimeoutError("Too large resource version", 1), initial}},
	"stream 500":           {streams: true, list: []any{pods(5, newPod("a", 1))}, watch: []any{apierrors.NewInternalError(errors.New("oops")), nil}},
	"stream broken off":    {streams: true, list: []any{pods(5, newPod("a", 1))}, watch: []any{[]watch.Event{event(watch.Added, newPod("a", 1))}, initial}},
	"stream with error":    {streams: true, list: []any{pods(5, newPod("a", 1))}, watch: []any{[]watch.Event{event(watch.Added, newPod("a", 1)), event(watch.Error, statusOf(apierrors.NewInternalError(errors.New("oops"))))}, initial}},
	"stream expired": {streams: true, list: []any{pods(5, newPod("a", 1))}, watch: []any{
		[]watch.Event{event(watch.Added, newPod("a", 1)), event(watch.Bookmark, bookmark(4, true)), event(watch.Error, statusOf(apierrors.NewResourceExpired("too old")))}, initial,
	}},
	"stream deletes": {streams: true, list: []any{pods(5)}, watch: []any{
		[]watch.Event{event(watch.Added, newPod("a", 1)), event(watch.Added, newPod("b", 1)), event(watch.Bookmark, bookmark(4, true)), event(watch.Error, statusOf(apierrors.NewResourceExpired("too old")))},
		staying{event(watch.Added, newPod("b", 3)), event(watch.Bookmark, bookmark(5, true))},
	}},
}

// initial is a watch that starts with the objects.
var initial = staying{event(watch.Added, newPod("a", 1)), event(watch.Bookmark, bookmark(5, true))}

// replay returns a source to read from the beginning.
func replay(name string, p *tape) *source {
	s := sources[name]
	return &source{p: p, list: s.list, watch: s.watch, streams: s.streams}
}

func TestInformerSources(t *testing.T) {
	for name := range sources {
		run(t, name, func(t *testing.T, p *tape) {
			synctest.Test(t, func(t *testing.T) {
				s := replay(name, p)
				informer := cache.NewSharedIndexInformer(s.listWatch(), &corev1.Pod{}, 0, cache.Indexers{})
				p.err("SetWatchErrorHandler", informer.SetWatchErrorHandlerWithContext(func(_ context.Context, r *cache.Reflector, err error) {
					p.printf("handler %s", r.TypeDescription())
					p.err("handler", err)
					p.printf("handler expired %v", apierrors.IsResourceExpired(err))
				}))
				events := &tape{} // in client-go, they are not in step with requests
				_, err := informer.AddEventHandler(handler(events, "h"))
				p.err("AddEventHandler", err)
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan struct{})
				go func() { defer close(done); informer.RunWithContext(ctx) }()
				time.Sleep(2 * time.Minute)
				p.printf("synced %v at %q, stopped %v", informer.HasSynced(), informer.LastSyncResourceVersion(), informer.IsStopped())
				p.json("keys", len(informer.GetStore().List()))
				cancel()
				<-done
				p.printf("stopped %v", informer.IsStopped())
				if s.streams {
					// Their order is random in client-go, but for those of one object.
					slices.SortStableFunc(events.lines, func(a, b string) int { return cmp.Compare(named(a), named(b)) })
				}
				p.lines = append(p.lines, events.lines...)
			})
		})
		run(t, name+", log", func(t *testing.T, p *tape) {
			synctest.Test(t, func(t *testing.T) {
				s := replay(name, &tape{})
				informer := cache.NewSharedIndexInformer(s.listWatch(), &corev1.Pod{}, 0, cache.Indexers{})
				end := p.klog()
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan struct{})
				go func() { defer close(done); informer.RunWithContext(ctx) }()
				time.Sleep(2 * time.Minute)
				cancel()
				<-done
				end()
			})
		})
	}
}

// What programs call in which order.
func TestInformerCalls(t *testing.T) {
	bubble := func(name string, f func(t *testing.T, p *tape, s *source, i cache.SharedIndexInformer)) {
		run(t, name, func(t *testing.T, p *tape) {
			synctest.Test(t, func(t *testing.T) {
				defer func() {
					if r := recover(); r != nil {
						p.printf("panic: %v", r)
					}
				}()
				s := &source{p: p, list: []any{pods(5, newPod("a", 1), newPod("b", 2))}, watch: []any{nil}}
				f(t, p, s, cache.NewSharedIndexInformer(s.listWatch(), &corev1.Pod{}, 0, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}))
			})
		})
	}
	start := func(t *testing.T, i cache.SharedIndexInformer) (stop func()) {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); i.RunWithContext(ctx) }()
		synctest.Wait()
		return func() { cancel(); <-done }
	}
	bubble("after start", func(t *testing.T, p *tape, _ *source, i cache.SharedIndexInformer) {
		stop := start(t, i)
		p.err("SetTransform", i.SetTransform(func(obj any) (any, error) { return obj, nil }))
		p.err("SetWatchErrorHandler", i.SetWatchErrorHandler(func(*cache.Reflector, error) {}))
		p.err("AddIndexers", i.AddIndexers(cache.Indexers{"name": func(obj any) ([]string, error) { return []string{obj.(*corev1.Pod).Name}, nil }}))
		p.printf("again: %v", i.AddIndexers(cache.Indexers{"name": cache.MetaNamespaceIndexFunc}) != nil)
		items, err := i.GetIndexer().ByIndex("name", "a")
		p.printf("ByIndex %d", len(items))
		p.err("ByIndex", err)
		_, err = i.GetIndexer().ByIndex("none", "a")
		p.err("ByIndex none", err)
		_, err = i.GetIndexer().Index("none", newPod("a", 1))
		p.err("Index none", err)
		_, err = i.GetIndexer().IndexKeys("none", "a")
		p.err("IndexKeys none", err)
		p.printf("values %q", i.GetIndexer().ListIndexFuncValues("none"))
		stop()
		p.err("AddIndexers, stopped", i.AddIndexers(cache.Indexers{"z": cache.MetaNamespaceIndexFunc}))
		_, err = i.AddEventHandler(handler(p, "late"))
		p.printf("AddEventHandler, stopped: %v", err != nil)
		p.err("SetTransform, stopped", i.SetTransform(nil))
	})
	bubble("names in errors", func(t *testing.T, p *tape, _ *source, i cache.SharedIndexInformer) {
		stop := start(t, i)
		p.err("AddIndexers namespace", i.AddIndexers(cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}))
		stop()
		_, err := i.AddEventHandler(nothing{})
		p.err("AddEventHandler, stopped", err)
	})
	bubble("run twice", func(t *testing.T, p *tape, _ *source, i cache.SharedIndexInformer) {
		stop := start(t, i)
		end := p.klog()
		i.RunWithContext(t.Context())
		end()
		stop()
		end = p.klog()
		i.RunWithContext(t.Context())
		end()
		p.printf("synced %v stopped %v", i.HasSynced(), i.IsStopped())
	})
	bubble("canceled before", func(t *testing.T, p *tape, _ *source, i cache.SharedIndexInformer) {
		_, err := i.AddEventHandler(handler(p, "h"))
		p.err("AddEventHandler", err)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		i.RunWithContext(ctx)
		p.printf("synced %v stopped %v", i.HasSynced(), i.IsStopped())
	})
	bubble("late and removed handlers", func(t *testing.T, p *tape, s *source, i cache.SharedIndexInformer) {
		stop := start(t, i)
		events := &tape{}
		late, err := i.AddEventHandler(handler(events, "late"))
		p.err("AddEventHandler", err)
		synctest.Wait()
		slices.Sort(events.lines)
		p.lines, events.lines = append(p.lines, events.lines...), nil
		p.printf("synced %v", late.HasSynced())
		s.send(watch.Added, newPod("c", 6))
		synctest.Wait()
		p.err("RemoveEventHandler", i.RemoveEventHandler(late))
		p.err("RemoveEventHandler again", i.RemoveEventHandler(late))
		s.send(watch.Modified, newPod("c", 7))
		synctest.Wait()
		other := cache.NewSharedIndexInformer(s.listWatch(), &corev1.Pod{}, 0, cache.Indexers{})
		others := &tape{} // of another goroutine than requests
		foreign, err := other.AddEventHandler(handler(others, "foreign"))
		p.err("AddEventHandler", err)
		p.err("RemoveEventHandler foreign", i.RemoveEventHandler(foreign))
		stop()
		p.err("RemoveEventHandler stopped", i.RemoveEventHandler(late))
		start(t, other)()
		p.lines = slices.Concat(p.lines, others.lines, events.lines)
	})
	bubble("resync", func(t *testing.T, p *tape, s *source, _ cache.SharedIndexInformer) {
		i := cache.NewSharedIndexInformer(s.listWatch(), &corev1.Pod{}, 1500*time.Millisecond, cache.Indexers{})
		each, often, never, late := &tape{}, &tape{}, &tape{}, &tape{}
		_, err := i.AddEventHandlerWithResyncPeriod(handler(each, "seconds"), 2*time.Second)
		p.err("AddEventHandler", err)
		_, err = i.AddEventHandlerWithResyncPeriod(handler(often, "often"), time.Millisecond)
		p.err("AddEventHandler", err)
		_, err = i.AddEventHandlerWithResyncPeriod(handler(never, "never"), 0)
		p.err("AddEventHandler", err)
		stop := start(t, i)
		time.Sleep(4600 * time.Millisecond)
		_, err = i.AddEventHandlerWithResyncPeriod(handler(late, "late"), time.Second)
		p.err("AddEventHandler", err)
		time.Sleep(5 * time.Second)
		stop()
		for _, handled := range []*tape{each, often, never, late} {
			slices.SortStableFunc(handled.lines, func(a, b string) int { return cmp.Compare(named(a), named(b)) })
			// When in its period a resync comes first is not the same.
			p.lines = append(p.lines, slices.Compact(handled.lines)...)
		}
	})
	bubble("resync of an informer without", func(t *testing.T, p *tape, _ *source, i cache.SharedIndexInformer) {
		events := &tape{} // of another goroutine than requests
		_, err := i.AddEventHandlerWithResyncPeriod(handler(events, "seconds"), 2*time.Second)
		p.err("AddEventHandler", err)
		stop := start(t, i)
		time.Sleep(5 * time.Second)
		stop()
		p.lines = append(p.lines, events.lines...)
	})
	bubble("transform fails", func(t *testing.T, p *tape, s *source, i cache.SharedIndexInformer) {
		utilruntime.ReallyCrash = false
		end := p.klog()
		p.err("SetTransform", i.SetTransform(func(obj any) (any, error) {
			if d, ok := obj.(cache.DeletedFinalStateUnknown); ok {
				p.printf("transform of %s", nameOf(d))
				return obj, nil
			}
			p.printf("transform %s", nameOf(obj))
			if obj.(*corev1.Pod).Name == "b" {
				return nil, errors.New("cannot transform b")
			}
			return obj, nil
		}))
		p.err("SetWatchErrorHandler", i.SetWatchErrorHandler(func(_ *cache.Reflector, err error) { p.err("handler", err) }))
		events := &tape{} // of another goroutine than transforms
		_, err := i.AddEventHandler(handler(events, "h"))
		p.err("AddEventHandler", err)
		stop := start(t, i)
		time.Sleep(time.Second)
		p.printf("synced %v, %d", i.HasSynced(), len(i.GetStore().List()))
		s.mu.Lock()
		open := s.open != nil
		s.mu.Unlock()
		if open {
			s.send(watch.Modified, newPod("a", 7))
			s.send(watch.Modified, newPod("b", 8))
			time.Sleep(time.Second)
		}
		stop()
		end()
		p.lines = append(p.lines, events.lines...)
	})
	bubble("handler panics", func(t *testing.T, p *tape, s *source, i cache.SharedIndexInformer) {
		crash, handlers := utilruntime.ReallyCrash, utilruntime.PanicHandlers
		utilruntime.ReallyCrash = false
		utilruntime.PanicHandlers = []func(context.Context, any){func(_ context.Context, r any) { p.printf("crash %v", r) }}
		defer func() { utilruntime.ReallyCrash, utilruntime.PanicHandlers = crash, handlers }()
		s.p = &tape{} // requests are not in step with handlers
		first := true
		_, err := i.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(obj any) {
			p.printf("add %s", nameOf(obj))
			if first {
				first = false
				panic("no")
			}
		}})
		p.err("AddEventHandler", err)
		stop := start(t, i)
		time.Sleep(5 * time.Second)
		s.send(watch.Added, newPod("c", 7))
		time.Sleep(5 * time.Second)
		stop()
	})
	bubble("waiting", func(t *testing.T, p *tape, _ *source, i cache.SharedIndexInformer) {
		end := p.klog()
		stopped := make(chan struct{})
		close(stopped)
		p.printf("WaitForCacheSync %v", cache.WaitForCacheSync(stopped, i.HasSynced))
		p.printf("WaitForNamedCacheSync %v", cache.WaitForNamedCacheSync("things", stopped, i.HasSynced))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		p.printf("WaitForNamedCacheSyncWithContext %v", cache.WaitForNamedCacheSyncWithContext(ctx, i.HasSynced))
		stop := start(t, i)
		p.printf("WaitForNamedCacheSync %v", cache.WaitForNamedCacheSync("things", t.Context().Done(), i.HasSynced))
		p.printf("WaitForCacheSync %v", cache.WaitForCacheSync(t.Context().Done(), i.HasSynced))
		stop()
		end()
	})
}

func statusError(reason metav1.StatusReason, code int32) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure, Reason: reason, Code: code, Message: string(reason)}}
}
