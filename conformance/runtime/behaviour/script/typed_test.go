package script_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/retry"
)

// Calls of a clientset, with every response.
func TestTypedResponses(t *testing.T) {
	ctx := context.Background()
	for name, r := range responses {
		run(t, name, func(t *testing.T, p *tape) {
			server := serve(t, p, r.handler())
			client, err := typedcorev1.NewForConfig(&rest.Config{Host: server.URL, QPS: 1000, Burst: 1000})
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(name, "429") || strings.Contains(name, "after-0") {
				return // of which there are too many attempts
			}
			n := client.Pods("n")
			show := func(name string, pod *corev1.Pod, err error) {
				p.json(name, pod)
				p.err(name, err)
			}
			pod, err := n.Get(ctx, "a", metav1.GetOptions{})
			show("Get", pod, err)
			pod, err = n.Create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, metav1.CreateOptions{})
			show("Create", pod, err)
			pod, err = n.UpdateStatus(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, metav1.UpdateOptions{})
			show("UpdateStatus", pod, err)
			pod, err = n.Patch(ctx, "a", types.MergePatchType, []byte("{}"), metav1.PatchOptions{})
			show("Patch", pod, err)
			list, err := n.List(ctx, metav1.ListOptions{})
			p.json("List", list)
			p.err("List", err)
			p.err("Delete", n.Delete(ctx, "a", metav1.DeleteOptions{}))
			p.err("DeleteCollection", n.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}))
			p.err("Evict", n.Bind(ctx, &corev1.Binding{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, metav1.CreateOptions{}))
			raw, err := n.GetLogs("a", &corev1.PodLogOptions{Container: "c"}).DoRaw(ctx)
			p.printf("GetLogs %q", raw)
			p.err("GetLogs", err)
			raw, err = client.Services("n").ProxyGet("http", "s", "80", "/x", nil).DoRaw(ctx)
			p.printf("ProxyGet %q", raw)
			p.err("ProxyGet", err)
		})
	}
	run(t, "requests", func(t *testing.T, p *tape) {
		server := serve(t, p, func(w http.ResponseWriter, r *http.Request) {
			p.printf("%s %s %s", r.Method, r.URL, r.Header.Get("Accept"))
			response{200, asJSON, pod}.write(w)
		})
		client, err := typedcorev1.NewForConfig(&rest.Config{Host: server.URL, QPS: 1000, Burst: 1000})
		if err != nil {
			t.Fatal(err)
		}
		n := client.Pods("n")
		seconds := int64(7)
		_, err = n.Get(ctx, "", metav1.GetOptions{})
		p.err("Get", err)
		_, err = n.Get(ctx, "a/b", metav1.GetOptions{})
		p.err("Get", err)
		_, err = n.Get(ctx, "%", metav1.GetOptions{ResourceVersion: "5"})
		p.err("Get", err)
		_, err = n.List(ctx, metav1.ListOptions{LabelSelector: "a=b", FieldSelector: "c!=d", Limit: 5, TimeoutSeconds: &seconds})
		p.err("List", err)
		_, err = n.Update(ctx, &corev1.Pod{}, metav1.UpdateOptions{})
		p.err("Update", err)
		_, err = n.Apply(ctx, nil, metav1.ApplyOptions{})
		p.err("Apply", err)
		_, err = client.Pods("").Create(ctx, &corev1.Pod{}, metav1.CreateOptions{FieldManager: "f", DryRun: []string{"All"}})
		p.err("Create", err)
		_, err = client.Pods("..").Get(ctx, "a", metav1.GetOptions{})
		p.err("Get", err)
		p.err("Delete", n.Delete(ctx, "", metav1.DeleteOptions{}))
		p.try("Create nil", func() { _, _ = n.Create(ctx, nil, metav1.CreateOptions{}) })
	})
}

// What handles the warnings of responses.
func TestWarnings(t *testing.T) {
	run(t, "writer", func(t *testing.T, p *tape) {
		for _, o := range []rest.WarningWriterOptions{{}, {Deduplicate: true}, {Color: true}} {
			var b lockedBuffer
			w := rest.NewWarningWriter(&b, o)
			for _, text := range []string{"first", "second", "first", "", "with \"quotes\"", strings.Repeat("long ", 100)} {
				w.HandleWarningHeader(299, "-", text)
				w.HandleWarningHeader(199, "-", text)
			}
			p.printf("%q %d", b.String(), w.WarningCount())
		}
		rest.NoWarnings{}.HandleWarningHeader(299, "-", "nothing")
		rest.SetDefaultWarningHandler(recorder{p})
		server := serve(t, p, responses["200-warning"].handler())
		client, err := rest.RESTClientFor(restConfig(server.URL))
		if err != nil {
			t.Fatal(err)
		}
		p.err("Get", client.Get().AbsPath("/").Do(context.Background()).Error())
	})
}

// Queues of deltas.
func TestDeltas(t *testing.T) {
	show := func(p *tape) cache.PopProcessFunc {
		return func(obj any, initial bool) error {
			for _, d := range obj.(cache.Deltas) {
				p.printf("%s %s %v", d.Type, nameOf(d.Object), initial)
			}
			return nil
		}
	}
	drain := func(p *tape, f *cache.DeltaFIFO, n int) {
		for range n {
			_, err := f.Pop(show(p))
			p.err("Pop", err)
		}
	}
	known := cache.NewStore(cache.MetaNamespaceKeyFunc)
	run(t, "order", func(_ *testing.T, p *tape) {
		f := cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{KnownObjects: known, EmitDeltaTypeReplaced: true})
		p.err("Add", f.Add(newPod("a", 1)))
		drain(p, f, 1)
		p.err("Update", f.Update(newPod("b", 2)))
		drain(p, f, 1)
		p.err("Delete unknown", f.Delete(newPod("none", 1))) // which queues nothing
		_ = known.Add(newPod("gone", 1))
		p.err("Replace", f.Replace([]any{newPod("c", 3)}, "5"))
		p.printf("synced %v", f.HasSynced())
		q := &tape{}
		drain(q, f, 2)
		slices.Sort(q.lines)
		p.lines = append(p.lines, q.lines...)
		p.printf("synced %v", f.HasSynced())
		p.err("Resync", f.Resync())
		drain(p, f, 1)
		p.err("Add 5", f.Add(5))
		p.err("Replace 5", f.Replace([]any{5}, ""))
		f.Close()
		p.printf("closed %v", f.IsClosed())
		_, err := f.Pop(show(p))
		p.err("Pop", err)
	})
	run(t, "failing", func(_ *testing.T, p *tape) {
		f := cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{})
		p.err("Add", f.Add(newPod("a", 1)))
		_, err := f.Pop(func(any, bool) error { return errors.New("failed") })
		p.err("Pop", err)
		p.err("key", cache.KeyError{Obj: 5, Err: errors.New("x")})
		p.printf("%v %v", cache.ErrZeroLengthDeltasObject, cache.ErrFIFOClosed)
	})
	run(t, "stores", func(_ *testing.T, p *tape) {
		s := cache.NewStore(cache.MetaNamespaceKeyFunc)
		p.err("Add", s.Add(5))
		p.err("Update", s.Update(nil))
		p.err("Delete", s.Delete("x"))
		_, _, err := s.Get(5)
		p.err("Get", err)
		p.err("Replace", s.Replace([]any{5}, ""))
		p.err("Resync", s.Resync())
		_, err = cache.MetaNamespaceKeyFunc(5)
		p.err("MetaNamespaceKeyFunc", err)
		_, err = cache.DeletionHandlingMetaNamespaceKeyFunc(cache.DeletedFinalStateUnknown{Key: "k"})
		p.err("DeletionHandlingMetaNamespaceKeyFunc", err)
		_, _, err = cache.SplitMetaNamespaceKey("a/b/c")
		p.err("SplitMetaNamespaceKey", err)
		_, err = cache.MetaNamespaceIndexFunc(5)
		p.err("MetaNamespaceIndexFunc", err)
		_, err = cache.ParseObjectName("a/b/c")
		p.err("ParseObjectName", err)
		f := cache.NewFIFO(cache.MetaNamespaceKeyFunc)
		p.err("FIFO Add", f.Add(newPod("a", 1)))
		_, err = f.Pop(func(obj any, initial bool) error { p.printf("%s %v", nameOf(obj), initial); return nil })
		p.err("FIFO Pop", err)
		p.err("FIFO Add 5", f.Add(5))
		f.Close()
		_, err = f.Pop(func(any, bool) error { return nil })
		p.err("FIFO Pop", err)
	})
	run(t, "expiring", func(t *testing.T, p *tape) {
		synctest.Test(t, func(*testing.T) {
			s := cache.NewTTLStore(cache.MetaNamespaceKeyFunc, time.Minute)
			p.err("Add", s.Add(newPod("a", 1)))
			_, found, err := s.GetByKey("n/a")
			p.printf("%v %v", found, err)
			time.Sleep(time.Hour)
			_, found, err = s.GetByKey("n/a")
			p.printf("%v %v %d", found, err, len(s.ListKeys()))
			p.err("Add 5", s.Add(5))
		})
	})
	run(t, "retries", func(t *testing.T, p *tape) {
		synctest.Test(t, func(*testing.T) {
			for _, failure := range []error{errors.New("plain"), forbidden("x"), statusError("Conflict", 409)} {
				n := 0
				p.err("RetryOnConflict", retry.RetryOnConflict(retry.DefaultRetry, func() error { n++; return failure }))
				p.printf("%d times", n)
				n = 0
				p.err("OnError", retry.OnError(retry.DefaultBackoff, func(err error) bool { return fmt.Sprint(err) == "plain" }, func() error { n++; return failure }))
				p.printf("%d times", n)
			}
		})
	})
}
