package rest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/codec"
)

// undecodable returns the Gadget with that name and a size that is not a number.
func undecodable(name string) string {
	return strings.Replace(gadget(name, 0), `"size":0`, `"size":"big"`, 1)
}

// brief describes an object.
func brief(obj runtime.Object) string {
	switch obj := obj.(type) {
	case *Gadget:
		return "gadget " + obj.Name
	case *codec.Undecodable:
		return fmt.Sprintf("undecodable %s/%s %s %s", obj.Namespace, obj.Name, obj.Kind, obj.Err.Pointer)
	case *metav1.Status:
		return fmt.Sprint("status ", obj.Code)
	default:
		return fmt.Sprintf("%T", obj)
	}
}

func TestToleratedItems(t *testing.T) {
	items := `[` + gadget("one", 1) + `,` + undecodable("two") + `,` + gadget("three", 3) + `]`
	for name, text := range map[string]string{
		"kind first":  `{"apiVersion":"test.dev/v1","kind":"GadgetList","metadata":{"resourceVersion":"7"},"items":` + items + `}`,
		"items first": `{"apiVersion":"test.dev/v1","items":` + items + `,"kind":"GadgetList","metadata":{"resourceVersion":"7"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			c := serve(t, answerJSON(text)).client(t)
			list := func(tolerate bool) (got []string, list GadgetList, err error) {
				ctx := t.Context()
				if tolerate {
					ctx = codec.WithUndecodable(ctx)
				}
				err = c.Get().Resource("gadgets").StreamList(ctx, &list, newGadget, func(obj runtime.Object) error {
					got = append(got, brief(obj))
					return nil
				})
				return got, list, err
			}
			got, l, err := list(true)
			want := []string{"gadget one", "undecodable ns/two Gadget /size", "gadget three"}
			if err != nil || !slices.Equal(got, want) || l.ResourceVersion != "7" {
				t.Errorf("%q, %+v, %v", got, l, err)
			}
			if got, _, err := list(false); err == nil || len(got) != 1 {
				t.Errorf("without tolerance: %q, %v", got, err)
			}
		})
	}
}

func TestToleratedEvents(t *testing.T) {
	server := serve(t, answerJSON(event(watch.Added, gadget("one", 1))+
		event(watch.Modified, undecodable("two"))+
		`{"object":`+undecodable("three")+`,"type":"DELETED"}`+"\n"+
		event(watch.Added, gadget("four", 4))+
		event(watch.Error, `{"apiVersion":"v1","kind":"Status","status":"Failure","code":410,"reason":"Expired"}`)))
	w, err := server.client(t).Get().Resource("gadgets").Watch(codec.WithUndecodable(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	var got []string
	for e := range w.ResultChan() {
		got = append(got, string(e.Type)+" "+brief(e.Object))
	}
	want := []string{"ADDED gadget one", "MODIFIED undecodable ns/two Gadget /size", "DELETED undecodable ns/three Gadget /size", "ADDED gadget four", "ERROR status 410"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestIntolerable checks that the watch ends with an object without an identity, even with
// tolerance.
func TestIntolerable(t *testing.T) {
	for name, object := range map[string]string{
		"no name":           strings.Replace(undecodable("two"), `"name"`, `"generateName"`, 1),
		"namespace unclear": strings.Replace(undecodable("two"), `"namespace":"ns"`, `"namespace":7`, 1),
		"unknown kind":      strings.Replace(undecodable("two"), `"Gadget"`, `"Widget"`, 1),
	} {
		server := serve(t, answerJSON(event(watch.Added, gadget("one", 1))+event(watch.Added, object)+event(watch.Added, gadget("three", 3))))
		w, err := server.client(t).Get().Resource("gadgets").Watch(codec.WithUndecodable(t.Context()))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for e := range w.ResultChan() {
			got = append(got, string(e.Type)+" "+brief(e.Object))
		}
		if want := []string{"ADDED gadget one", "ERROR status 500"}; !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
