package pace_test

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/runtime/rest"
)

// rounds is the number of pods that are created and deleted for each median.
const rounds = 50

func TestApitest(t *testing.T) {
	for name, options := range map[string][]embedded.Option{"at once": nil, "1ms": {embedded.WithPace(time.Millisecond)}, "3ms": {embedded.WithPace(3 * time.Millisecond)}} {
		t.Run(name, func(t *testing.T) { measure(t, embedded.Start(t, options...).Config()) })
	}
}

// event is an event of a watch.
type event struct {
	is   watch.EventType
	seen time.Time
}

// measure logs the medians of a server, and checks that each pod has its three events.
func measure(t *testing.T, config *rest.Config) {
	t.Helper()
	config = rest.CopyConfig(config)
	config.QPS = -1
	pods := kubernetes.NewForConfigOrDie(config).CoreV1().Pods("default")
	w, err := pods.Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	next := func(want watch.EventType) event {
		t.Helper()
		got, ok := <-w.ResultChan()
		if !ok || got.Type != want {
			t.Fatalf("got %v %T, want %s", got.Type, got.Object, want)
		}
		return event{got.Type, time.Now()}
	}
	var create, added, remove, between []time.Duration
	for range rounds {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: "a-"}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "a", Image: "b"}}}}
		start := time.Now()
		made, err := pods.Create(t.Context(), pod, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		create = append(create, time.Since(start))
		added = append(added, next(watch.Added).seen.Sub(start))
		start = time.Now()
		deleted := make(chan error, 1)
		go func() { deleted <- pods.Delete(t.Context(), made.Name, metav1.DeleteOptions{}) }()
		first := next(watch.Modified)
		between = append(between, next(watch.Deleted).seen.Sub(first.seen))
		if err := <-deleted; err != nil {
			t.Fatal(err)
		}
		remove = append(remove, time.Since(start))
	}
	for _, m := range []struct {
		what string
		all  []time.Duration
	}{{"create responds", create}, {"create is seen", added}, {"delete responds", remove}, {"between the two events of a deletion", between}} {
		slices.Sort(m.all)
		t.Logf("%s: median %s, fastest %s", m.what, m.all[len(m.all)/2].Round(time.Microsecond), m.all[0].Round(time.Microsecond))
	}
}
