package faults_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/gentype"
	"github.com/listwatch/listwatch/runtime/rest"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

const mib = 1 << 20

// endless responds with a code, a head, and then the same text repeatedly until the client
// disconnects. It counts the bytes that the client has read.
func endless(taken *atomic.Int64, code int, contentType, begin, again string) answer {
	block := []byte(strings.Repeat(again, 64<<10/len(again)))
	return func(w http.ResponseWriter, _ *http.Request, _ string) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(code)
		_, err := io.WriteString(w, begin)
		for err == nil {
			var n int
			n, err = w.Write(block)
			taken.Add(int64(n))
		}
	}
}

// TestEndlessError checks that an error response is read only up to a limit, however often it is
// repeated, and that the text of the error is short.
func TestEndlessError(t *testing.T) {
	const once, answers = 4*mib + 256<<10, 11
	for _, f := range []struct {
		name        string
		code        int
		contentType string
		begin       string
		calls       string
		most        int64 // bytes of each response
	}{
		{"text", http.StatusInternalServerError, "text/plain", "oh", "get groups", once},
		{"status", http.StatusConflict, "application/json", `{"kind":"Status","apiVersion":"v1","message":"`, "create watch", once},
		{"not found", http.StatusNotFound, "text/html", "<html>", "get", once},
		// The answers before the last are hardly read.
		{"storm", http.StatusTooManyRequests, "text/plain", "slow down", "get watch", (once + answers*256<<10) / answers},
	} {
		for _, c := range calls {
			if !strings.Contains(f.calls, c.name) {
				continue
			}
			t.Run(f.name+"/"+c.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var taken atomic.Int64
					a := endless(&taken, f.code, f.contentType, f.begin, "x")
					if f.name == "storm" {
						a = a.with("Retry-After", "1")
					}
					s := serve(t, a.handler)
					o := c.do(t.Context(), clients(t, s.config()))
					if o.err == nil {
						t.Fatal("no error")
					}
					if n := len(s.seen()); f.name == "storm" && n != answers {
						t.Errorf("%d requests were sent", n)
					}
					if n := taken.Load(); n > f.most*int64(len(s.seen())) {
						t.Errorf("%d bytes were read in %d responses", n, len(s.seen()))
					}
					if text := o.err.Error(); len(text) > 4<<10 {
						t.Errorf("error is %d bytes long: %.200s", len(text), text)
					}
				})
			})
		}
	}
}

// TestGzipBomb makes sure that no more is read of an answer that is one object than any object can have, which
// is bounded by what is unpacked.
func TestGzipBomb(t *testing.T) {
	bomb := packed(t, book1[:len(book1)-1]+`,"x":"`) + strings.Repeat(packed(t, strings.Repeat("0", 8*mib)), 20)
	for _, c := range calls {
		if c.name != "get" {
			continue // it takes too long
		}
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := serve(t, status(http.StatusOK, "application/json", bomb).with("Content-Encoding", "gzip").handler)
				o := c.do(t.Context(), clients(t, s.config()))
				var tooLarge *rest.BodyTooLargeError
				if !errors.Is(o.err, rest.ErrBodyTooLarge) || !errors.As(o.err, &tooLarge) || tooLarge.Limit > 128*mib {
					t.Fatalf("error is %v", o.err)
				}
				named(t, c, o.err)
			})
		})
	}
}

// packed returns a compressed text. Concatenated compressed texts decompress as one.
func packed(t *testing.T, text string) string {
	t.Helper()
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// TestEndlessFrame checks that the size of a watch frame is limited.
func TestEndlessFrame(t *testing.T) {
	for name, again := range map[string]string{"string": "a", "objects": `{"`, "space": " "} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var taken atomic.Int64
				begin := bookFrames + `{"type":"ADDED","object":{"apiVersion":"library.example.com/v1","kind":"Book","x":`
				if again == "a" {
					begin += `"`
				}
				s := serve(t, endless(&taken, http.StatusOK, "application/json", begin, again).handler)
				o := watchCall().do(t.Context(), clients(t, s.config()))
				if o.err == nil || len(o.got) != 2 {
					t.Errorf("got %v, error is %v", o.got, o.err)
				}
				if n := taken.Load(); n > 17*mib {
					t.Errorf("%d bytes were read", n)
				}
			})
		})
	}
}

// TestStreamedListIsNotHeld makes sure that a list of any length takes no memory for what was handed over.
func TestStreamedListIsNotHeld(t *testing.T) {
	const items = 2_500 // of 4 KiB each
	item := strings.Replace(book2, "Emma", strings.Repeat("e", 4<<10), 1)
	list := answer(func(w http.ResponseWriter, _ *http.Request, _ string) {
		w.Header().Set("Content-Type", "application/json")
		_, err := io.WriteString(w, `{"apiVersion":"library.example.com/v1","kind":"BookList","metadata":{"resourceVersion":"7"},"items":[`+item)
		for i := 1; i < items && err == nil; i++ {
			_, err = io.WriteString(w, ","+item)
		}
		_, _ = io.WriteString(w, "]}")
	})
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, list.handler)
		streamer := clients(t, s.config()).LibraryV1().Books("lib").(gentype.ListStreamer)
		before, most, n := heap(), uint64(0), 0
		rest, err := streamer.StreamList(t.Context(), metav1.ListOptions{}, func(apiruntime.Object) error {
			if n++; n%500 == 0 {
				most = max(most, heap())
			}
			return nil
		})
		if err != nil || n != items {
			t.Fatalf("%d items, error %v", n, err)
		}
		if rest.(*libraryv1.BookList).ResourceVersion != "7" {
			t.Error("the list has no version")
		}
		if most > before+4*mib {
			t.Errorf("the heap grew by %d KiB", (most-before)>>10)
		}
	})
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestUserStops makes sure that a user who has had enough of a list ends it, and the connection.
func TestUserStops(t *testing.T) {
	errEnough := errors.New("enough")
	synctest.Test(t, func(t *testing.T) {
		var taken atomic.Int64
		list := endless(&taken, http.StatusOK, "application/json", bookList[:strings.LastIndex(bookList, "]")], ","+book1)
		ended := make(chan struct{})
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			defer close(ended)
			list.handler(w, r)
		})
		streamer := clients(t, s.config()).LibraryV1().Books("lib").(gentype.ListStreamer)
		n := 0
		_, err := streamer.StreamList(t.Context(), metav1.ListOptions{}, func(apiruntime.Object) error {
			if n++; n == 100 {
				return errEnough
			}
			return nil
		})
		if err != errEnough || n != 100 { //nolint:errorlint // it is returned as it is
			t.Errorf("error is %v after %d items", err, n)
		}
		<-ended // the connection is closed
		if n := taken.Load(); n > mib {
			t.Errorf("%d bytes were read", n)
		}
	})
}
