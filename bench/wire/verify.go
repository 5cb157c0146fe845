package main

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// verifyAll checks that the contenders decode the same objects in all works, with enough objects to
// distinguish streams and lists from single objects.
func verifyAll(url string) error {
	const enough = 20
	in, err := newInputs(url)
	if err != nil {
		return err
	}
	for _, w := range works {
		if err := w.verify(enough, in); err != nil {
			return err
		}
	}
	return nil
}

// verify returns an error unless all contenders decode the same n objects in a work.
func (w work) verify(n int, in inputs) error {
	var want []runtime.Object
	for _, c := range contenders {
		run, err := w.start(c, in)
		if err != nil {
			return fmt.Errorf("%s, %s: %w", w.name, c.name, err)
		}
		var got []runtime.Object
		see := func(object runtime.Object) {
			if w.typeDiffers {
				object.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
			}
			got = append(got, object)
		}
		if _, err := run(n, see); err != nil {
			return fmt.Errorf("%s, %s: %w", w.name, c.name, err)
		}
		if len(got) != n {
			return fmt.Errorf("%s, %s: got %d objects, want %d", w.name, c.name, len(got), n)
		}
		if want == nil {
			want = got
		}
		for i := range want {
			if !reflect.DeepEqual(got[i], want[i]) {
				return fmt.Errorf("%s: %s decodes object %d as\n%+v\nand %s as\n%+v", w.name, contenders[0].name, i, want[i], c.name, got[i])
			}
		}
	}
	return nil
}
