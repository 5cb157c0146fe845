package shards

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	corev1client "github.com/listwatch/listwatch/kubernetes/typed/core/v1"
)

// load changes objects.
type load struct {
	t       *testing.T
	client  corev1client.ConfigMapInterface
	objects int
	running sync.WaitGroup
	number  int // of changes
}

// newLoad creates the objects.
func newLoad(t *testing.T, client corev1client.ConfigMapInterface, objects int) *load {
	l := &load{t: t, client: client, objects: objects}
	for i := range objects {
		l.create(t.Context(), i)
	}
	return l
}

func (l *load) create(ctx context.Context, i int) {
	l.number++
	obj := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: l.name(i), Labels: map[string]string{"listwatch.example.com/shards": "yes"}},
		Data:       map[string]string{"want": fmt.Sprint(l.number)},
	}
	if _, err := l.client.Create(ctx, obj, metav1.CreateOptions{}); err != nil {
		l.t.Error(err)
	}
}

func (l *load) name(i int) string { return fmt.Sprint("object-", i) }

// change changes an object, or creates it again as another one.
func (l *load) change(i int, again bool) {
	ctx := l.t.Context()
	var err error
	if again {
		if err = l.client.Delete(ctx, l.name(i), metav1.DeleteOptions{}); err == nil {
			l.create(ctx, i)
		}
	} else {
		l.number++
		_, err = l.client.Patch(ctx, l.name(i), types.MergePatchType, fmt.Appendf(nil, `{"data":{"want":"%d"}}`, l.number), metav1.PatchOptions{})
	}
	if err != nil {
		l.t.Error(err)
	}
}

// during changes objects while f runs.
func (l *load) during(f func()) {
	ctx, cancel := context.WithCancel(l.t.Context())
	l.running.Go(func() {
		for ctx.Err() == nil {
			l.change(rand.IntN(l.objects), rand.IntN(10) == 0)
			select {
			case <-time.After(20 * time.Millisecond):
			case <-ctx.Done():
			}
		}
	})
	f()
	cancel()
	l.running.Wait()
}

// all changes each object.
func (l *load) all() {
	for i := range l.objects {
		l.change(i, false)
	}
}
