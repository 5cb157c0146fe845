package rest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/rest"
)

// TestRecognizedStreams checks that lists are decoded one by one for a recognized serializer, and not for a user's own.
func TestRecognizedStreams(t *testing.T) {
	for _, c := range []struct {
		name string
		s    runtime.NegotiatedSerializer
		want bool
	}{{"ours", streaming, true}, {"recognized", recognized, true}, {"a user's own", buffering, false}} {
		t.Run(c.name, func(t *testing.T) {
			made := map[runtime.Object]bool{}
			newItem := func() runtime.Object {
				g := &Gadget{}
				made[g] = true
				return g
			}
			streamed := true
			err := serve(t, answerJSON(listJSON)).client(t, withSerializer(c.s)).Get().StreamList(t.Context(), &GadgetList{}, newItem, func(obj runtime.Object) error {
				streamed = streamed && made[obj]
				return nil
			})
			if err != nil || streamed != c.want {
				t.Errorf("one by one: %v, %v", streamed, err)
			}
		})
	}
}

// TestRecognizedErrors checks that errors for a recognized serializer are those for a user's own of the same decoding.
func TestRecognizedErrors(t *testing.T) {
	item := `{"metadata":{"name":"one"},"size":1}`
	list := `{"apiVersion":"test.dev/v1","kind":"GadgetList","metadata":{"resourceVersion":"7"},"items":[`
	event := func(typ, object string) string { return `{"type":"` + typ + `","object":` + object + `}` }
	do := func(ctx context.Context, r *rest.Request) error { return r.Do(ctx).Into(&GadgetList{}) }
	doInto := func(ctx context.Context, r *rest.Request) error { return r.DoInto(ctx, &GadgetList{}) }
	stream := func(ctx context.Context, r *rest.Request) error {
		return r.StreamList(ctx, &GadgetList{}, newGadget, func(runtime.Object) error { return nil })
	}
	get := func(ctx context.Context, r *rest.Request) error {
		_, err := r.Do(ctx).Get()
		return err
	}
	watch := func(ctx context.Context, r *rest.Request) error {
		w, err := r.Watch(ctx)
		if err != nil {
			return err
		}
		defer w.Stop()
		var all []string
		for e := range w.ResultChan() {
			all = append(all, fmt.Sprintf("%s %T", e.Type, e.Object))
			if status, ok := e.Object.(*metav1.Status); ok {
				all = append(all, fmt.Sprintf("%+v %+v", status, status.Details))
			}
		}
		return fmt.Errorf("%s", strings.Join(all, "\n")) //nolint:err113 // what came of the watch, to be compared
	}
	for name, body := range map[string]string{
		"type in an item":       list + item + `,{"metadata":{"name":"two"},"size":"x"},` + item + `]}`,
		"syntax in an item":     list + item + `,{"metadata":{"name":"two"},"size":x},` + item + `]}`,
		"end in an item":        list + item + `,{"metadata":{"name":"two"`,
		"type in the metadata":  `{"apiVersion":"test.dev/v1","kind":"GadgetList","metadata":7,"items":[]}`,
		"another kind":          gadgetJSON,
		"unknown kind":          strings.Replace(listJSON, "GadgetList", "Unknown", 1),
		"no kind":               `{"metadata":{"name":"one"}}`,
		"status":                statusJSON,
		"page":                  `<html>`,
		"nothing":               ``,
		"null":                  `null`,
		"events":                event("ADDED", gadgetJSON) + event("DELETED", gadgetJSON),
		"undecodable event":     event("ADDED", gadgetJSON) + event("ADDED", undecodable("two")),
		"event of unknown kind": event("ADDED", strings.Replace(gadgetJSON, "Gadget", "Unknown", 1)),
		"status event":          event("ERROR", statusJSON),
		"event of unknown type": event("GONE", gadgetJSON),
		"broken event":          event("ADDED", gadgetJSON) + `{"type":"ADDED","object":{]`,
		"event without a kind":  event("ADDED", `{"metadata":{"name":"one"}}`),
	} {
		for how, call := range map[string]func(context.Context, *rest.Request) error{"Into": do, "DoInto": doInto, "StreamList": stream, "Get": get, "Watch": watch} {
			t.Run(how+" "+name, func(t *testing.T) {
				s := serve(t, answerJSON(body))
				want := call(t.Context(), s.client(t, withSerializer(buffering)).Get().Resource("gadgets"))
				got := call(t.Context(), s.client(t, withSerializer(recognized)).Get().Resource("gadgets"))
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%v\nwant %v", got, want)
				}
			})
		}
	}
}
