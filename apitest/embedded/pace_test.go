package embedded_test

import (
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// TestPace checks by the clock of a bubble how late responses and events are. A pod without a node is written twice when
// it is deleted.
func TestPace(t *testing.T) {
	for name, pace := range map[string]time.Duration{"at once": 0, "negative": -time.Second, "paced": 3 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := embedded.Start(t, embedded.WithoutNetwork(), embedded.WithPace(pace))
				pods := kubernetes.NewForConfigOrDie(srv.RESTConfig()).CoreV1().Pods("default")
				each := max(pace, 0)
				type seen struct {
					event watch.EventType
					after time.Duration
				}
				events := make(chan seen, 8)
				w, err := pods.Watch(t.Context(), metav1.ListOptions{})
				if err != nil {
					t.Fatal(err)
				}
				defer w.Stop()
				synctest.Wait()
				start := time.Now()
				go func() {
					for e := range w.ResultChan() {
						events <- seen{e.Type, time.Since(start)}
					}
					close(events)
				}()
				took := func(what string, writes int, err error) {
					t.Helper()
					if err != nil {
						t.Fatal(err)
					}
					if got, want := time.Since(start), time.Duration(writes)*each; got != want {
						t.Errorf("%s: responds %s after the start, want %s", what, got, want)
					}
				}
				pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "one"}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "a", Image: "b"}}}}
				_, err = pods.Create(t.Context(), pod, metav1.CreateOptions{})
				took("create", 1, err)
				_, err = pods.Get(t.Context(), "one", metav1.GetOptions{})
				took("get", 1, err)
				took("delete", 3, pods.Delete(t.Context(), "one", metav1.DeleteOptions{}))
				synctest.Wait()
				w.Stop()
				want := []seen{{watch.Added, each}, {watch.Modified, 2 * each}, {watch.Deleted, 3 * each}}
				for _, expected := range want {
					if got := <-events; got != expected {
						t.Errorf("got %v, want %v", got, expected)
					}
				}
			})
		})
	}
}

// TestPaceOfManyWrites checks that writes do not wait for each other, and that a write ends with its request.
func TestPaceOfManyWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := embedded.Start(t, embedded.WithoutNetwork(), embedded.WithPace(time.Millisecond))
		maps := kubernetes.NewForConfigOrDie(srv.RESTConfig()).CoreV1().ConfigMaps("default")
		start, errs := time.Now(), make(chan error)
		for range 20 {
			go func() {
				_, err := maps.Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "a-"}}, metav1.CreateOptions{})
				errs <- err
			}()
		}
		for range 20 {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		if took := time.Since(start); took != time.Millisecond {
			t.Errorf("20 writes took %s, want a millisecond", took)
		}
	})
}
