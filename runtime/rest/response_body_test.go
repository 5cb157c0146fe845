package rest_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/net/http2"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/rest"
)

func TestBrokenBody(t *testing.T) {
	long := `{"apiVersion":"test.dev/v1","kind":"Gadget","metadata":{"name":"one"},"size":3` + strings.Repeat(" ", 1000) + "}"
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		want   error
	}{
		{"connection cut", cut("application/json", gadgetJSON[:50]), io.ErrUnexpectedEOF},
		{"connection cut after the object", cut("application/json", gadgetJSON), io.ErrUnexpectedEOF},
		{"connection cut at the beginning", cut("application/json", ""), io.ErrUnexpectedEOF},
		{"connection cut in YAML", cut("application/yaml", "apiVersion: test.dev/v1"), io.ErrUnexpectedEOF},
		{"truncated gzip", compressed(writes(long), 10), io.ErrUnexpectedEOF},
		{"gzip without its end", compressed(writes(long), 1), io.ErrUnexpectedEOF},
		{"no gzip", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			answerJSON("this is no gzip")(w, r)
		}, gzip.ErrHeader},
	} {
		t.Run(test.name, func(t *testing.T) {
			eachInto(t, func(t *testing.T, s runtime.NegotiatedSerializer, into func(context.Context, *rest.Request, runtime.Object) error) {
				c := serve(t, test.answer).client(t, withSerializer(s))
				err := into(t.Context(), c.Get().Resource("gadgets").Name("one"), &Gadget{})
				var broken *rest.BodyError
				if !errors.As(err, &broken) || !errors.Is(err, test.want) {
					t.Fatalf("error is %v, want a BodyError of %v", err, test.want)
				}
				if !strings.Contains(err.Error(), "Please retry") {
					t.Errorf("error is %v", err)
				}
			})
		})
	}
}

func writes(body string) func(io.Writer) {
	return func(w io.Writer) { fmt.Fprint(w, body) }
}

// Invalid data before the break are reported, even if the break is returned with them, in one read.
func TestGarbageBeforeTheBreak(t *testing.T) {
	for name, together := range map[string]func(io.Reader) io.Reader{
		"apart":    func(r io.Reader) io.Reader { return r },
		"together": iotest.DataErrReader,
	} {
		broken := func(body string, err error) *rest.RESTClient {
			return answeredBy(t, streaming, together(io.MultiReader(strings.NewReader(body+"garbage\n"), iotest.ErrReader(err))))
		}
		t.Run("list, "+name, func(t *testing.T) {
			_, err := streamList(t.Context(), broken(listJSON[:strings.Index(listJSON, `"items"`)], gzip.ErrChecksum).Get(), &GadgetList{})
			var undecodable *codec.Error
			if !errors.As(err, &undecodable) || errors.Is(err, gzip.ErrChecksum) {
				t.Errorf("error is %v", err)
			}
		})
		t.Run("watch, "+name, func(t *testing.T) {
			got := events(t, broken(event(watch.Added, gadget("one", 1)), io.ErrUnexpectedEOF).Get().Resource("gadgets"))
			if len(got) != 2 || got[1].Type != watch.Error {
				t.Errorf("events are %v", got)
			}
		})
	}
}

// An object that is truncated in a complete body is the server's error, not the connection's.
func TestTruncatedObject(t *testing.T) {
	eachInto(t, func(t *testing.T, s runtime.NegotiatedSerializer, into func(context.Context, *rest.Request, runtime.Object) error) {
		c := serve(t, answerJSON(gadgetJSON[:50])).client(t, withSerializer(s))
		err := into(t.Context(), c.Get().Resource("gadgets").Name("one"), &Gadget{})
		var broken *rest.BodyError
		if err == nil || errors.As(err, &broken) {
			t.Errorf("error is %v", err)
		}
	})
}

func TestHTTP2StreamIsReset(t *testing.T) {
	s := httptest.NewUnstartedServer(cut("application/json", gadgetJSON[:50]))
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	eachInto(t, func(t *testing.T, ser runtime.NegotiatedSerializer, into func(context.Context, *rest.Request, runtime.Object) error) {
		c, err := rest.RESTClientForConfigAndClient(&rest.Config{
			Host:          s.URL,
			ContentConfig: rest.ContentConfig{GroupVersion: &gadgets, NegotiatedSerializer: ser},
		}, s.Client())
		if err != nil {
			t.Fatal(err)
		}
		err = into(t.Context(), c.Get().Resource("gadgets").Name("one"), &Gadget{})
		var reset http2.StreamError
		var broken *rest.BodyError
		if !errors.As(err, &broken) || !errors.As(err, &reset) || !strings.Contains(err.Error(), "stream error when reading response body") {
			t.Errorf("error is %v", err)
		}
	})
}

// Other responses have the limit that the caller sets.
func TestLimitBody(t *testing.T) {
	const limit = 1000
	atLimit := listJSON + strings.Repeat(" ", limit-len(listJSON))
	list := func(body string) *rest.Request {
		return serve(t, answerJSON(body)).client(t).Get().Resource("gadgets").LimitBody(limit)
	}
	for name, do := range map[string]func(*rest.Request) error{
		"Do":     func(r *rest.Request) error { return r.Do(t.Context()).Error() },
		"DoInto": func(r *rest.Request) error { return r.DoInto(t.Context(), &GadgetList{}) },
		"DoRaw":  func(r *rest.Request) error { _, err := r.DoRaw(t.Context()); return err },
	} {
		if err := do(list(atLimit)); err != nil {
			t.Errorf("%s, at the limit: %v", name, err)
		}
		var large *rest.BodyTooLargeError
		if err := do(list(atLimit + " ")); !errors.As(err, &large) || large.Limit != limit {
			t.Errorf("%s, beyond the limit: %v", name, err)
		}
		if err := do(list(atLimit + " ").LimitBody(0)); err != nil {
			t.Errorf("%s, without a limit: %v", name, err)
		}
	}
}

func TestBodyTooLarge(t *testing.T) {
	const limit = 200
	atLimit := gadgetJSON + strings.Repeat(" ", limit-len(gadgetJSON))
	for _, test := range []struct {
		name     string
		answer   http.HandlerFunc
		set      func(*rest.RESTClient) *rest.Request
		obj      runtime.Object
		tooLarge bool
	}{
		{"at the limit", answerJSON(atLimit), getOne, &Gadget{}, false},
		{"beyond", answerJSON(atLimit + " "), getOne, &Gadget{}, true},
		{"created", answerJSON(atLimit + " "), func(c *rest.RESTClient) *rest.Request { return c.Post().Resource("gadgets") }, &Gadget{}, true},
		{"decompressed", compressed(writes(atLimit+strings.Repeat(" ", 100_000)), 0), getOne, &Gadget{}, true},
		{"list", answerJSON(listJSON + strings.Repeat(" ", limit)), func(c *rest.RESTClient) *rest.Request { return c.Get().Resource("gadgets") }, &GadgetList{}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			eachInto(t, func(t *testing.T, s runtime.NegotiatedSerializer, into func(context.Context, *rest.Request, runtime.Object) error) {
				r := test.set(serve(t, test.answer).client(t, withSerializer(s)))
				rest.SetMaxObject(r, limit)
				err := into(t.Context(), r, test.obj)
				if !test.tooLarge {
					if err != nil {
						t.Error(err)
					}
					return
				}
				var large *rest.BodyTooLargeError
				if !errors.Is(err, rest.ErrBodyTooLarge) || !errors.As(err, &large) || large.Limit != limit || !strings.Contains(err.Error(), "200 bytes") {
					t.Errorf("error is %v", err)
				}
			})
		})
	}

	// In a list that is decoded while it arrives, an item has the limit of an object. Data that
	// were read ahead with the item before count: a MiB at most.
	const block = 1 << 20
	item := func(size int) string { return `{"metadata":{"name":"` + strings.Repeat("a", size) + `"}}` }
	list := func(between string, items ...string) string {
		return listJSON[:strings.Index(listJSON, `"items":[`)] + `"items":[` + strings.Join(items, between+",") + "]}"
	}
	for name, test := range map[string]struct {
		body     string
		tooLarge bool
	}{
		"many that are small": {list("", slices.Repeat([]string{item(block / 2)}, 8)...), false},
		"large at last":       {list("", item(10), item(10), item(3*block)), true},
		"large at first":      {list("", item(3*block), item(10)), true},
		"spaces between":      {list(strings.Repeat(" ", 3*block), item(10), item(10)), true},
		"spaces at the end":   {list("", item(10)) + strings.Repeat(" ", 3*block), true},
		"metadata":            {strings.Replace(list(""), `"metadata":{`, `"metadata":{"continue":"`+strings.Repeat("a", 3*block)+`",`, 1), true},
	} {
		for way, send := range map[string]func(*rest.Request) error{
			"DoInto": func(r *rest.Request) error { return r.DoInto(t.Context(), &GadgetList{}) },
			"StreamList": func(r *rest.Request) error {
				return r.StreamList(t.Context(), &GadgetList{}, newGadget, func(runtime.Object) error { return nil })
			},
			"unstructured": func(r *rest.Request) error { return r.DoInto(t.Context(), &unstructured.UnstructuredList{}) },
		} {
			r := serve(t, answerJSON(test.body)).client(t).Get().Resource("gadgets")
			rest.SetMaxObject(r, block)
			err := send(r)
			var large *rest.BodyTooLargeError
			if errors.As(err, &large) != test.tooLarge || (err != nil) != test.tooLarge || test.tooLarge && (!large.Item || large.Limit != block) {
				t.Errorf("list, %s, %s: error is %v", name, way, err)
			}
		}
	}

	// The caller owns a response that is returned as bytes.
	r := getOne(serve(t, answerJSON(atLimit+atLimit)).client(t))
	rest.SetMaxObject(r, limit)
	if body, err := r.DoRaw(t.Context()); err != nil || len(body) != 2*limit {
		t.Errorf("DoRaw: %v, %d bytes", err, len(body))
	}
	stream, err := r.Stream(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stream.Close() }()
	if body, err := io.ReadAll(stream); err != nil || len(body) != 2*limit {
		t.Errorf("Stream: %v, %d bytes", err, len(body))
	}
}

func getOne(c *rest.RESTClient) *rest.Request { return c.Get().Resource("gadgets").Name("one") }

// A server can send endless errors, which must not be read completely.
func TestEndlessError(t *testing.T) {
	for way, send := range ways {
		t.Run(way, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/plain")
				w.WriteHeader(http.StatusInternalServerError)
				block := strings.Repeat("no ", 10_000)
				for r.Context().Err() == nil {
					if _, err := io.WriteString(w, block); err != nil {
						return
					}
				}
			})
			err := send(t.Context(), getOne(s.client(t)))
			if !unexpected(err) || len(err.Error()) > 2500 {
				t.Errorf("error is %.100v", err)
			}
		})
	}
}

// The announced length of a body is not allocated before the body arrives.
func TestLengthThatIsALie(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "1000000000000")
		fmt.Fprint(w, gadgetJSON)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	err := s.client(t).Get().Do(t.Context()).Error()
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error is %v", err)
	}
}

// A redirect is followed as by net/http, and its result is the response.
func TestRedirect(t *testing.T) {
	target := serve(t, answerJSON(gadgetJSON))
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, target.URL+"/elsewhere", http.StatusTemporaryRedirect)
	})
	var got Gadget
	if err := getOne(s.client(t)).DoInto(t.Context(), &got); err != nil || got.Size != 3 {
		t.Errorf("%v, %+v", err, got)
	}
	if seen := target.seen()[0]; seen.uri != "/elsewhere" {
		t.Errorf("%v", seen)
	}
	loop := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/again", http.StatusFound) })
	if err := getOne(loop.client(t)).Do(t.Context()).Error(); err == nil || !strings.Contains(err.Error(), "stopped after 10 redirects") {
		t.Errorf("error is %v", err)
	}
}
