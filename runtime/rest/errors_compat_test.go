package rest_test

import (
	"context"
	"net/http"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/internal/compattest"
	"github.com/listwatch/listwatch/runtime/rest"
)

func TestClientGoErrors(t *testing.T) {
	compattest.Run(t, testClientGoErrors)
}

// Errors have client-go's texts, and an object of another kind, or none, is an empty one.
func testClientGoErrors(t *testing.T) {
	const text, json = "text/plain", "application/json"
	short := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "10")
			answer(code, json, "{")(w, r)
		}
	}
	do := func(ctx context.Context, r *rest.Request) error { return r.Do(ctx).Into(&Gadget{}) }
	doInto := func(ctx context.Context, r *rest.Request) error { return r.DoInto(ctx, &Gadget{}) }
	stream := func(ctx context.Context, r *rest.Request) error {
		return r.StreamList(ctx, &GadgetList{}, func() runtime.Object { return &Gadget{} }, func(runtime.Object) error { return nil })
	}
	raw := func(ctx context.Context, r *rest.Request) error { _, err := r.DoRaw(ctx); return err }
	watch := func(ctx context.Context, r *rest.Request) error { _, err := r.Watch(ctx); return err }
	canceled := func(ctx context.Context, r *rest.Request) error {
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		return r.Do(ctx).Error()
	}
	const broken = "unexpected error when reading response body. Please retry. Original error: unexpected EOF"
	for _, tt := range []struct {
		name   string
		answer http.HandlerFunc
		call   func(context.Context, *rest.Request) error
		want   string // empty: no error
	}{
		{"text", answer(200, text, "hello"), do, "serializer for text/plain doesn't exist"},
		{"text to DoInto", answer(200, text, "hello"), doInto, "serializer for text/plain doesn't exist"},
		{"text to a watch", answer(200, text, "hello"), watch, "no stream serializers registered for text/plain"},
		{"text to DoDiscard", answer(200, text, "hello"), func(ctx context.Context, r *rest.Request) error { return r.DoDiscard(ctx) }, ""},
		{"invalid media type", answer(200, ";", "hello"), do, "Internal error occurred: mime: no media type"},
		{"page", answer(200, json, "<html>"), do, "couldn't get version/kind; json parse error: invalid character '<' looking for beginning of value"},
		{"bad request", answer(400, text, "why?"), do, "the server rejected our request for an unknown reason (get gadgets.test.dev)"},
		{"broken off", short(200), do, broken},
		{"broken off, DoInto", short(200), doInto, broken},
		{"broken off, DoRaw", short(200), raw, "unexpected EOF"},
		{"error broken off", short(500), do, broken},
		{"empty", answer(200, json, ""), doInto, "0-length response with status code: 200 and content type: application/json"},
		{"no object", answer(200, json, "{}"), doInto, ""},
		{"null", answer(200, json, "null"), doInto, ""},
		{"another kind", answer(200, json, listJSON), doInto, ""},
		{"no list", answer(200, json, "{}"), stream, ""},
		{"another kind than the list", answer(200, json, gadgetJSON), stream, ""},
		{"a Status", answer(200, json, statusJSON), stream, "the object has been modified"},
		{"canceled", answer(200, json, gadgetJSON), canceled, "context canceled"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.call(t.Context(), serve(t, tt.answer).client(t, withSerializer(recognized)).Get().Resource("gadgets"))
			if tt.want == "" {
				if err != nil {
					t.Error(err)
				}
			} else if err == nil || err.Error() != tt.want {
				t.Errorf("error %q, want %q", err, tt.want)
			}
		})
	}
}

func TestClientGoErrorTypes(t *testing.T) {
	compattest.Run(t, testClientGoErrorTypes)
}

// The error of a watch of an unknown format is apimachinery's itself, as programs assert its type.
func testClientGoErrorTypes(t *testing.T) {
	_, err := serve(t, answer(200, "text/plain", "hello")).client(t, withSerializer(recognized)).Get().Resource("gadgets").Watch(t.Context())
	if want := (runtime.NegotiateError{ContentType: "text/plain", Stream: true}); err != want { //nolint:errorlint // the type is tested
		t.Errorf("error %#v, want %#v", err, want)
	}
}
