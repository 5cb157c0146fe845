package rest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/rest"
)

func newGadget() runtime.Object { return &Gadget{} }

// streamList lists and returns the names of the items in order.
func streamList(ctx context.Context, r *rest.Request, list runtime.Object) (string, error) {
	var names []string
	err := r.StreamList(ctx, list, newGadget, func(obj runtime.Object) error {
		names = append(names, obj.(*Gadget).Name)
		return nil
	})
	return strings.Join(names, " "), err
}

// eachSerializer runs a test with a decoder that streams and one that does not.
func eachSerializer(t *testing.T, test func(*testing.T, runtime.NegotiatedSerializer)) {
	for name, s := range serializers {
		t.Run(name, func(t *testing.T) { test(t, s) })
	}
}

func TestStreamList(t *testing.T) {
	yaml := "apiVersion: test.dev/v1\nkind: GadgetList\nmetadata: {resourceVersion: '7'}\nitems: [{metadata: {name: one}}, {metadata: {name: two}}]\n"
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		want   string
	}{
		{"JSON", answerJSON(listJSON), "one two"},
		{"compressed", compressed(writes(listJSON), 0), "one two"},
		{"YAML", answer(200, "application/yaml", yaml), "one two"},
		{"empty", answerJSON(`{"apiVersion":"test.dev/v1","kind":"GadgetList","metadata":{"resourceVersion":"7"},"items":[]}`), ""},
		{"null", answerJSON(`{"apiVersion":"test.dev/v1","kind":"GadgetList","metadata":{"resourceVersion":"7"},"items":null}`), ""},
		{"metadata at the end", answerJSON(`{"items":[{"metadata":{"name":"one"}}],"metadata":{"resourceVersion":"7"},"kind":"GadgetList","apiVersion":"test.dev/v1"}`), "one"},
	} {
		t.Run(test.name, func(t *testing.T) {
			eachSerializer(t, func(t *testing.T, s runtime.NegotiatedSerializer) {
				var list GadgetList
				got, err := streamList(t.Context(), serve(t, test.answer).client(t, withSerializer(s)).Get().Resource("gadgets"), &list)
				if err != nil || got != test.want {
					t.Errorf("%v, %q", err, got)
				}
				if list.ResourceVersion != "7" || len(list.Items) != 0 {
					t.Errorf("list is %+v", list)
				}
			})
		})
	}
}

// Items are passed on before the list is complete: the server sends the second only after the first
// was passed on.
func TestItemsComeAsTheyAreSent(t *testing.T) {
	first := make(chan struct{})
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		i := strings.Index(listJSON, `,{"metadata":{"name":"two"`)
		fmt.Fprint(w, listJSON[:i+1])
		_ = http.NewResponseController(w).Flush()
		select {
		case <-first:
			fmt.Fprint(w, listJSON[i+1:])
		case <-r.Context().Done():
		}
	}).client(t)
	var got []string
	err := c.Get().Resource("gadgets").StreamList(t.Context(), &GadgetList{}, newGadget, func(obj runtime.Object) error {
		if got = append(got, obj.(*Gadget).Name); len(got) == 1 {
			close(first)
		}
		return nil
	})
	if err != nil || len(got) != 2 {
		t.Errorf("%v, %q", err, got)
	}
}

func TestStreamListFails(t *testing.T) {
	stop := errors.New("enough")
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		each   func(runtime.Object) error
		want   func(error) bool
		text   string
	}{
		{"stopped", answerJSON(listJSON), func(runtime.Object) error { return stop }, func(err error) bool { return err.Error() == "enough" }, ""},
		{"connection cut in an item", cut("application/json", listJSON[:150]), nil, isCut, "Please retry"},
		{"connection cut after the list", cut("application/json", listJSON), nil, isCut, "Please retry"},
		{"truncated gzip", compressed(writes(listJSON), 5), nil, isCut, "Please retry"},
		{"Status", answer(410, "application/json", `{"apiVersion":"v1","kind":"Status","status":"Failure","reason":"Expired","code":410}`), nil, apierrors.IsResourceExpired, ""},
		{"Status with 200", answerJSON(statusJSON), nil, apierrors.IsConflict, ""},
		{"Status of success", answerJSON(`{"apiVersion":"v1","kind":"Status","status":"Success"}`), nil, anyError, "want *rest_test.GadgetList"},
		{"another kind", answerJSON(gadgetJSON), nil, anyError, "want *rest_test.GadgetList"},
		{"no body", answerJSON(""), nil, anyError, "0-length response"},
		{"sign-in page", answer(200, "text/html", "<html>"), nil, asContentType("text/html"), ""},
		{"bad gateway", answer(502, "text/html", "<html>bad"), nil, unexpected, "<html>bad"},
	} {
		t.Run(test.name, func(t *testing.T) {
			eachSerializer(t, func(t *testing.T, s runtime.NegotiatedSerializer) {
				each := test.each
				if each == nil {
					each = func(runtime.Object) error { return nil }
				}
				r := serve(t, test.answer).client(t, withSerializer(s)).Get().Resource("gadgets")
				err := r.StreamList(t.Context(), &GadgetList{}, newGadget, each)
				if err == nil || !test.want(err) || !strings.Contains(err.Error(), test.text) {
					t.Errorf("error is %v", err)
				}
			})
		})
	}
}

func isCut(err error) bool {
	var broken *rest.BodyError
	return errors.As(err, &broken) && errors.Is(err, io.ErrUnexpectedEOF)
}

// deafDecoder hides the reason of a failure, or the failure.
type deafDecoder struct {
	codec.StreamDecoder
	err error
}

func (d deafDecoder) DecodeFrom(r io.Reader, into runtime.Object) (runtime.Object, error) {
	_, _ = io.ReadAll(r)
	return into, d.err
}

func (d deafDecoder) DecodeList(r io.Reader, list runtime.Object, _ func() runtime.Object, _ func(runtime.Object) error) (runtime.Object, error) {
	return d.DecodeFrom(r, list)
}

type deafSerializer struct {
	runtime.NegotiatedSerializer
	err error
}

func (d deafSerializer) DecoderToVersion(serializer runtime.Decoder, gv runtime.GroupVersioner) runtime.Decoder {
	return deafDecoder{d.NegotiatedSerializer.DecoderToVersion(serializer, gv).(codec.StreamDecoder), d.err}
}

func TestDecoderThatDoesNotNotice(t *testing.T) {
	for _, decoderErr := range []error{nil, errors.New("something")} {
		c := serve(t, cut("application/json", listJSON)).client(t, withSerializer(deafSerializer{streaming, decoderErr}))
		if err := c.Get().DoInto(t.Context(), &GadgetList{}); !isCut(err) {
			t.Errorf("DoInto: %v", err)
		}
		if _, err := streamList(t.Context(), c.Get(), &GadgetList{}); !isCut(err) {
			t.Errorf("StreamList: %v", err)
		}
	}
}

func TestStreamListOfUnstructured(t *testing.T) {
	item := `{"apiVersion":"test.dev/v1","kind":"Gadget","metadata":{"name"`
	c := serve(t, answerJSON(strings.ReplaceAll(listJSON, `{"metadata":{"name"`, item))).
		client(t, withSerializer(runtime.NewSimpleNegotiatedSerializer(runtime.SerializerInfo{
			MediaType:  runtime.ContentTypeJSON,
			Serializer: plainSerializer{unstructured.UnstructuredJSONScheme},
		})))
	var names []string
	list := &unstructured.UnstructuredList{}
	err := c.Get().StreamList(t.Context(), list, nil, func(obj runtime.Object) error {
		names = append(names, obj.(*unstructured.Unstructured).GetName())
		return nil
	})
	if err != nil || strings.Join(names, " ") != "one two" || len(list.Items) != 0 || list.GetResourceVersion() != "7" {
		t.Errorf("%v, %q, %+v", err, names, list)
	}
}

// plainSerializer returns a serializer for a codec.
type plainSerializer struct{ runtime.Codec }

func TestStream(t *testing.T) {
	c := serve(t, answer(206, "text/plain", "some lines\n")).client(t)
	body, err := c.Get().Stream(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = body.Close() }()
	if got, err := io.ReadAll(body); err != nil || string(got) != "some lines\n" {
		t.Errorf("%v, %q", err, got)
	}
}

func TestStreamFails(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		want   func(error) bool
	}{
		{"Status", answer(409, "application/json", statusJSON), apierrors.IsConflict},
		{"text", answer(404, "text/plain", "no such log"), apierrors.IsNotFound},
		{"not followed", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) }, unexpected},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := serve(t, test.answer).client(t).Get().Stream(t.Context()); !test.want(err) {
				t.Errorf("error is %v", err)
			}
		})
	}
}

// The reader of a stream gets the error that breaks it.
func TestStreamIsCut(t *testing.T) {
	body, err := serve(t, cut("text/plain", "half a line")).client(t).Get().Stream(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = body.Close() }()
	if got, err := io.ReadAll(body); !errors.Is(err, io.ErrUnexpectedEOF) || string(got) != "half a line" {
		t.Errorf("%v, %q", err, got)
	}
}
