package rest_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/rest"
)

// serializers are serializers that must decode everything in the same way.
var serializers = map[string]runtime.NegotiatedSerializer{"streaming": streaming, "recognized": recognized, "buffering": buffering}

// into are the ways to decode a response into an object.
var into = map[string]func(context.Context, *rest.Request, runtime.Object) error{
	"Into":   func(ctx context.Context, r *rest.Request, obj runtime.Object) error { return r.Do(ctx).Into(obj) },
	"DoInto": func(ctx context.Context, r *rest.Request, obj runtime.Object) error { return r.DoInto(ctx, obj) },
}

// eachInto runs a test for all ways and serializers.
func eachInto(t *testing.T, test func(t *testing.T, s runtime.NegotiatedSerializer, into func(context.Context, *rest.Request, runtime.Object) error)) {
	for serializer, s := range serializers {
		for way, into := range into {
			t.Run(serializer+"/"+way, func(t *testing.T) { test(t, s, into) })
		}
	}
}

func isContentType(err error) bool {
	var contentType *rest.ContentTypeError
	return errors.As(err, &contentType)
}

func TestInto(t *testing.T) {
	for _, test := range []struct {
		name    string
		answer  http.HandlerFunc
		wantErr func(error) bool // nil for none
		text    string           // in the error
	}{
		{"object", answerJSON(gadgetJSON), nil, ""},
		{"created", answer(201, "application/json; charset=utf-8", gadgetJSON), nil, ""},
		{"no format", answer(200, "", gadgetJSON), nil, ""},
		{"YAML", answer(200, "application/yaml", "apiVersion: test.dev/v1\nkind: Gadget\nsize: 3\n"), nil, ""},
		{"Status of failure with 200", answerJSON(statusJSON), apierrors.IsConflict, "the object has been modified"},
		{"Status", answer(409, "application/json", statusJSON), apierrors.IsConflict, "the object has been modified"},
		{"Status without a version", answer(403, "application/json", `{"kind":"Status","status":"Failure","reason":"Forbidden","message":"keep out"}`), apierrors.IsForbidden, "keep out"},
		{"Status without a failure", answer(500, "application/json", `{"apiVersion":"v1","kind":"Status","status":"Success"}`), apierrors.IsInternalError, `("unknown")`},
		{"HTML", answer(502, "text/html", "<html>bad gateway</html>\n"), apierrors.IsInternalError, `("<html>bad gateway</html>") has prevented the request from succeeding (get gadgets.test.dev one)`},
		{"much HTML", answer(500, "text/html", strings.Repeat("x", 5000)), apierrors.IsInternalError, `("` + strings.Repeat("x", 2048) + `")`},
		{"error in JSON that is not a Status", answer(500, "application/json", `{"a":"b"}`), apierrors.IsInternalError, `("unknown")`},
		{"error of an unknown format", answer(404, "image/png", "png"), apierrors.IsNotFound, "could not find the requested resource (get gadgets.test.dev one)"},
		{"error without a body", answer(401, "", ""), apierrors.IsUnauthorized, "provide credentials"},
		{"not modified", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) }, unexpected, "status code 304"},
		{"multi status", answer(207, "application/json", gadgetJSON), unexpected, "status code 207"},
		{"no body", answer(200, "application/json", ""), anyError, "0-length response with status code: 200 and content type: application/json"},
		{"no content", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }, anyError, "0-length response with status code: 204"},
		{"unknown format", answer(200, "text/html", "<html>sign in</html>"), asContentType("text/html"), `status code 200 and content type "text/html": serializer for text/html doesn't exist`},
		{"no format at all", answer(200, ";;", gadgetJSON), isContentType, "no media type"},
		{"unknown kind", answerJSON(`{"apiVersion":"test.dev/v1","kind":"Widget"}`), anyError, "Widget"},
		{"not JSON", answerJSON("<html>"), anyError, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			eachInto(t, func(t *testing.T, s runtime.NegotiatedSerializer, into func(context.Context, *rest.Request, runtime.Object) error) {
				c := serve(t, test.answer).client(t, withSerializer(s))
				var got Gadget
				err := into(t.Context(), c.Get().Resource("gadgets").Name("one"), &got)
				if test.wantErr == nil {
					if err != nil || got.Size != 3 {
						t.Errorf("%v, %+v", err, got)
					}
					return
				}
				if err == nil || !test.wantErr(err) || !strings.Contains(err.Error(), test.text) {
					t.Errorf("error is %v, want one with %q", err, test.text)
				}
				if len(err.Error()) > 2500 {
					t.Errorf("error is too long: %d bytes", len(err.Error()))
				}
			})
		})
	}
}

func anyError(error) bool { return true }

func unexpected(err error) bool { return apierrors.IsUnexpectedServerError(err) }

func asContentType(want string) func(error) bool {
	return func(err error) bool {
		var got *rest.ContentTypeError
		return errors.As(err, &got) && got.ContentType == want && got.StatusCode == http.StatusOK
	}
}

func TestIntoOtherKinds(t *testing.T) {
	success := `{"apiVersion":"v1","kind":"Status","status":"Success"}`
	eachInto(t, func(t *testing.T, s runtime.NegotiatedSerializer, into func(context.Context, *rest.Request, runtime.Object) error) {
		// As after a deletion, whose response may be an object or a Status.
		var gadget Gadget
		if err := into(t.Context(), serve(t, answerJSON(success)).client(t, withSerializer(s)).Delete(), &gadget); err != nil || gadget.Size != 0 {
			t.Errorf("Status of success: %v, %+v", err, gadget)
		}
		// A caller that passes a Status gets it.
		var status metav1.Status
		if err := into(t.Context(), serve(t, answerJSON(statusJSON)).client(t, withSerializer(s)).Get(), &status); err != nil || status.Code != 409 {
			t.Errorf("Status: %v, %+v", err, status)
		}
		if err := into(t.Context(), serve(t, answerJSON(gadgetJSON)).client(t, withSerializer(s)).Get(), nil); err != nil {
			t.Errorf("no object: %v", err)
		}
	})
}

func TestResult(t *testing.T) {
	w := &warnings{}
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Warning"] = []string{`299 - "one", 299 - "two"`, "junk", `199 agent "three"`}
		answer(201, "application/json", gadgetJSON)(w, r)
	}).client(t, func(c *rest.Config) { c.WarningHandler = w })
	var (
		code        int
		contentType string
		created     bool
	)
	result := c.Post().Do(t.Context()).StatusCode(&code).ContentType(&contentType).WasCreated(&created)
	if code != 201 || contentType != "application/json" || !created {
		t.Errorf("%d, %s, %t", code, contentType, created)
	}
	if body, err := result.Raw(); err != nil || string(body) != gadgetJSON {
		t.Errorf("%v, %s", err, body)
	}
	obj, err := result.Get()
	if gadget, ok := obj.(*Gadget); err != nil || !ok || gadget.Size != 3 {
		t.Errorf("%v, %+v", err, obj)
	}
	if got := fmt.Sprint(result.Warnings()); got != "[{299 - one} {299 - two} {199 agent three}]" || w.String() != "299 - one; 299 - two; 199 agent three" {
		t.Errorf("warnings are %s, the handler got %s", got, w)
	}
}

func TestGetOfStatus(t *testing.T) {
	for _, code := range []int{200, 409} {
		obj, err := serve(t, answer(code, "application/json", statusJSON)).client(t).Get().Do(t.Context()).Get()
		if obj != nil || !apierrors.IsConflict(err) {
			t.Errorf("%d: %v, %v", code, obj, err)
		}
	}
}

func TestRawOfError(t *testing.T) {
	body, err := serve(t, answer(409, "application/json", statusJSON)).client(t).Get().Do(t.Context()).Raw()
	if string(body) != statusJSON || !unexpected(err) {
		t.Errorf("%s, %v", body, err)
	}
	body, err = serve(t, answer(503, "text/plain", "come back")).client(t).Get().DoRaw(t.Context())
	if string(body) != "come back" || !apierrors.IsServiceUnavailable(err) {
		t.Errorf("%s, %v", body, err)
	}
}

func TestRetryAfterInError(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "7")
		answer(429, "text/plain", "busy")(w, r)
	})
	err := s.client(t).Get().MaxRetries(0).Do(t.Context()).Error()
	if seconds, ok := apierrors.SuggestsClientDelay(err); !ok || seconds != 7 {
		t.Errorf("%d %t: %v", seconds, ok, err)
	}
}

func TestZeroResult(t *testing.T) {
	var result rest.Result
	if err := result.Into(&Gadget{}); err == nil {
		t.Error("Into: no error")
	}
	if _, err := result.Get(); err == nil {
		t.Error("Get: no error")
	}
	if err := result.Error(); err != nil {
		t.Error(err)
	}
}
