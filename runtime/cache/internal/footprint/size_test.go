package footprint

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

type node struct {
	Name  string
	Next  *node
	Few   map[string]string
	Many  map[int]string
	Any   any
	List  []node
	Ports [3]*int64
	when  *metav1.Time // not read
}

// live returns the bytes in use, after a collection.
func live() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// TestSizeIsLike compares sizes with the heap, for values of every kind.
func TestSizeIsLike(t *testing.T) {
	text := func(i, n int) string { return fmt.Sprintf("%0*d", n, i) }
	for name, object := range map[string]func(i int) any{
		"plain":  func(i int) any { return &node{Name: text(i, 200)} },
		"nested": func(i int) any { return &node{Next: &node{Next: &node{Name: text(i, 300)}}, List: make([]node, 3)} },
		"large":  func(int) any { return &node{List: make([]node, 700)} },
		"few":    func(i int) any { return &node{Few: map[string]string{text(i, 200): "a"}} },
		"many":   func(i int) any { return &node{Many: manyOf(300, i)} },
		"more":   func(i int) any { return &node{Many: manyOf(9, i)} },
		"interface": func(i int) any {
			return &node{Any: []any{int64(1000 + i), text(i, 150), map[string]any{"a": text(i, 160)}, 1.5, true}}
		},
		"untyped": func(i int) any {
			return &unstructured.Unstructured{Object: map[string]any{"kind": text(i, 140), "a": nil}}
		},
		"fields": func(i int) any {
			return &metav1.ObjectMeta{ManagedFields: []metav1.ManagedFieldsEntry{{Manager: text(i, 256)}}}
		},
		"not pointer": func(i int) any { return text(i, 1000) },
	} {
		const n = 2000
		objects := make([]any, n)
		before := live()
		for i := range n {
			objects[i] = object(i)
		}
		took := live() - before
		sum := 0
		for _, object := range objects {
			sum += Size(object)
		}
		if off := math.Abs(float64(sum-took)) / float64(took); off > 0.05 {
			t.Errorf("%s: %d bytes an object, want %d", name, sum/n, took/n)
		}
		runtime.KeepAlive(objects)
	}
}

func manyOf(n, i int) map[int]string {
	m := map[int]string{}
	for k := range n {
		m[k+i] = ""
	}
	return m
}

// TestSampleCountsSharedPartsOnce has objects share strings, maps and structs.
func TestSampleCountsSharedPartsOnce(t *testing.T) {
	long := strings.Repeat("x", 1000)
	common := &node{Name: strings.Repeat("y", 5000)}
	var sample Sample
	sum, own := 0, 0
	const n = 1000
	for i := range n {
		object := &node{Name: long, Next: common, Few: map[string]string{"a": fmt.Sprintf("%0200d", i)}}
		sum += Size(object)
		own += Size(object) - Size(common) - 1024
		if i%10 == 0 {
			sample.Add(object)
		}
	}
	got, want := sample.Distinct(n)*float64(sum), float64(own+1024+Size(common))
	if math.Abs(got-want)/want > 0.02 {
		t.Errorf("%.0f bytes, want %.0f", got, want)
	}
}

// TestSizeOfAnything measures values that are not objects, and those that refer to themselves.
func TestSizeOfAnything(t *testing.T) {
	cycle := &node{}
	cycle.Next = cycle
	for _, object := range []any{nil, 1, "a", (*node)(nil), cycle, func() {}, make(chan int), struct{}{}, reflect.ValueOf(1), map[string]any(nil)} {
		if n := Size(object); n < 0 {
			t.Errorf("%T: %d bytes", object, n)
		}
	}
	var empty Sample
	if got := empty.Distinct(10); got != 1 {
		t.Errorf("distinct of nothing is %v", got)
	}
}

// TestUnexportedFieldsAreNotRead has a field be written while the object is measured, which the race detector would see.
func TestUnexportedFieldsAreNotRead(t *testing.T) {
	object := &node{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 100 {
			object.when = &metav1.Time{}
		}
	}()
	for range 100 {
		Size(object)
	}
	<-done
}
