package objectstore

import (
	"fmt"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// beside calls read repeatedly in two goroutines while write runs. Each ends at its first error, which fails the test.
func beside(t *testing.T, read func() error, write func()) {
	t.Helper()
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					if err := read(); err != nil {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	write()
	close(stop)
	wg.Wait()
}

// TestLookUpBesideChurn adds and deletes objects so that the table grows, shrinks and moves:
// objects that are not deleted are always found, deleted ones are not.
func TestLookUpBesideChurn(t *testing.T) {
	const stay, churn = 3, 400
	s := New(options())
	set := func(name string) { _ = s.Add(&metav1.ObjectMeta{Name: name}) }
	for i := range stay {
		set(fmt.Sprint("stays", i))
	}
	_ = s.Add(&metav1.ObjectMeta{Name: "gone"})
	_ = s.Delete(&metav1.ObjectMeta{Name: "gone"})
	beside(t, func() error {
		for i := range stay {
			name := fmt.Sprint("stays", i)
			if obj, exists := s.ObjectByKey(name); !exists || obj.(*metav1.ObjectMeta).Name != name {
				return fmt.Errorf("%s, which is never deleted, is %v (exists: %t)", name, obj, exists)
			}
		}
		if obj, exists := s.ObjectByKey("gone"); exists {
			return fmt.Errorf("found %v, which was deleted before", obj)
		}
		return nil
	}, func() {
		for range 20 {
			for i := range churn {
				set(fmt.Sprint(i))
			}
			for i := range churn {
				_ = s.Delete(&metav1.ObjectMeta{Name: fmt.Sprint(i)})
			}
		}
	})
	if size := len(s.contents.table.directory.Load().slots); size > 16*stay {
		t.Errorf("%d slots for %d objects", size, stay)
	}
}

// TestTypesBesideLookUps replaces an object with one of another type, and moves the entries of all: it is
// always found.
func TestTypesBesideLookUps(t *testing.T) {
	o := options()
	o.Name = func(obj any) (delta.Name, error) {
		if name, ok := obj.(delta.Name); ok {
			return name, nil
		}
		return delta.Name{Name: "key"}, nil
	}
	s := New(o)
	_ = s.Add("one")
	beside(t, func() error {
		if obj, exists := s.ObjectByKey("key"); !exists || obj != "one" && obj != 1 {
			return fmt.Errorf("the key is %v (exists: %t), want one of the two objects", obj, exists)
		}
		return nil
	}, func() {
		for i := range 2_000 {
			_ = s.Add(1)
			_ = s.Add(delta.Name{Name: fmt.Sprint(i)})
			_ = s.Add("one")
			_ = s.Delete(delta.Name{Name: fmt.Sprint(i - 100)})
		}
	})
}

// TestTransactBesideLookUps sets objects in transactions: when the first is new, so is the last.
func TestTransactBesideLookUps(t *testing.T) {
	const objects = 300
	s := New(options())
	write := func(generation int64) {
		var deltas []delta.Delta
		for i := range objects {
			obj := &metav1.ObjectMeta{Name: fmt.Sprint(i), Generation: generation}
			deltas = append(deltas, delta.Delta{Name: delta.NameOf(obj), Object: obj})
		}
		s.Transact(deltas)
	}
	generation := func(name string) int64 {
		obj, _ := s.ObjectByKey(name)
		return obj.(*metav1.ObjectMeta).Generation
	}
	write(0)
	beside(t, func() error {
		if first, last := generation("0"), generation(fmt.Sprint(objects-1)); first > last {
			return fmt.Errorf("one is of generation %d, another later still of %d", first, last)
		}
		return nil
	}, func() {
		for i := range int64(200) {
			write(i)
		}
	})
}

// TestObjectsOfManyTypes replaces objects with others of another type, or of none.
func TestObjectsOfManyTypes(t *testing.T) {
	fails := func(obj any) ([]string, error) {
		if obj == 1 {
			return nil, fmt.Errorf("no value")
		}
		return []string{fmt.Sprint(obj)}, nil
	}
	o := options()
	o.Name = func(any) (delta.Name, error) { return delta.Name{Name: "key"}, nil }
	s := New(o, Index{Name: "value", Func: fails})
	_ = s.Add("another")
	for i, obj := range []any{1, 2, "two", nil, nil, 3, []string{"3"}, []string{"4"}, nil, 1, "one"} {
		if err := s.Update(obj); err != nil {
			t.Fatal(err)
		}
		got, exists, _ := s.GetByKey("key")
		if !exists || fmt.Sprint(got) != fmt.Sprint(obj) || fmt.Sprint(s.List()) != fmt.Sprint([]any{obj}) {
			t.Errorf("%d: %v, %t, and a list of %v, want %v", i, got, exists, s.List(), obj)
		}
		values := 1
		if obj == 1 || obj == nil {
			values = 0
		}
		if held, errs := len(s.ListIndexFuncValues("value")), len(s.IndexErrors()); held != values || (errs > 0) != (obj == 1) {
			t.Errorf("%d: %d values, %d index errors for %v", i, held, errs, obj)
		}
	}
	_ = s.Delete(nil)
	if _, exists, _ := s.GetByKey("key"); exists || s.Len() != 0 {
		t.Error("it is still there")
	}
}
