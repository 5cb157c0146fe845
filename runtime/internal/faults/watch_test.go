package faults_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

const (
	bookmark = `{"type":"BOOKMARK","object":{"apiVersion":"library.example.com/v1","kind":"Book","metadata":{"resourceVersion":"9"}}}` + "\n"
	expired  = `{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version: 7 (99)","reason":"Expired","code":410}}` + "\n"
)

// TestFrames sends frames of all kinds to a watch.
func TestFrames(t *testing.T) {
	bad := strings.Replace(book2, "474", `"many"`, 1)
	for _, test := range []struct {
		name   string
		frames string
		events []string
		want   want
		text   string
	}{
		{"none", "", nil, nil, ""},
		{"bookmark", bookmark, []string{"BOOKMARK "}, nil, ""},
		{"all on one line", strings.ReplaceAll(bookFrames, "\n", ""), []string{"ADDED moby", "MODIFIED emma"}, nil, ""},
		{"blank lines", "\n\n" + strings.ReplaceAll(bookFrames, "\n", "\n \n"), []string{"ADDED moby", "MODIFIED emma"}, nil, ""},
		{"expired", bookFrames + expired, []string{"ADDED moby", "MODIFIED emma"}, apierrors.IsResourceExpired, "too old resource version"},
		{"cut in the last", bookFrames[:len(bookFrames)-30], []string{"ADDED moby"}, nil, ""},
		{"cut before the newline", bookFrames[:len(bookFrames)-1], []string{"ADDED moby", "MODIFIED emma"}, nil, ""},
		{"garbage", bookFrames + "what?\n", []string{"ADDED moby", "MODIFIED emma"}, broken, "looking for beginning of value"},
		{"unknown type", bookFrames + strings.Replace(bookmark, "BOOKMARK", "PAUSED", 1), []string{"ADDED moby", "MODIFIED emma"}, broken, "PAUSED"},
		{"no object", bookFrames + `{"type":"ADDED"}` + "\n", []string{"ADDED moby", "MODIFIED emma"}, broken, "unable to decode watch event"},
		{"another kind", `{"type":"ADDED","object":{"apiVersion":"library.example.com/v1","kind":"Shelf","metadata":{"name":"top"}}}` + "\n", []string{"ADDED *v1.Shelf"}, nil, ""},
		{"unknown kind", strings.Replace(bookFrames, `"kind":"Book"`, `"kind":"Tome"`, 1), nil, broken, "Tome"},
		{"undecodable", `{"type":"ADDED","object":` + bad + "}\n", nil, broken, "lib/emma, at /spec/pages"},
		{"a login page", login, nil, broken, "looking for beginning of value"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := serve(t, status(http.StatusOK, "application/json", test.frames).handler)
				o := watchCall().do(t.Context(), clients(t, s.config()))
				if strings.Join(o.got, ", ") != strings.Join(test.events, ", ") {
					t.Errorf("events are %q, want %q", o.got, test.events)
				}
				switch {
				case test.want == nil && o.err != nil:
					t.Errorf("error is %v", o.err)
				case test.want != nil && (o.err == nil || !test.want(o.err) || !strings.Contains(o.err.Error(), test.text)):
					t.Errorf("error is %v", o.err)
				}
			})
		})
	}
}

// TestUndecodableObjectIsNamed checks that a program can also get the object and the field.
func TestUndecodableObjectIsNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serve(t, status(http.StatusOK, "application/json", `{"type":"ADDED","object":`+strings.Replace(book2, "474", `"many"`, 1)+"}\n").handler)
		o := watchCall().do(t.Context(), clients(t, s.config()))
		refused, ok := o.err.(apierrors.APIStatus)
		if !ok {
			t.Fatalf("error is %v", o.err)
		}
		details := refused.Status().Details
		if details.Kind != "Book" || details.Group != "library.example.com" || details.Name != "emma" || len(details.Causes) == 0 {
			t.Fatalf("details are %+v", details)
		}
		if field := details.Causes[len(details.Causes)-1].Field; field != "/spec/pages" {
			t.Errorf("field is %s", field)
		}
	})
}

// TestSilentStream checks that a watch without data waits for hours without another request,
// delivers an event as soon as it arrives, and ends immediately when its context is done or it is
// stopped, on the server's side as well.
func TestSilentStream(t *testing.T) {
	for _, end := range []string{"context", "stop"} {
		t.Run(end, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ended := make(chan struct{})
				s := serve(t, func(w http.ResponseWriter, r *http.Request) {
					defer close(ended)
					w.Header().Set("Content-Type", "application/json")
					_ = http.NewResponseController(w).Flush()
					select {
					case <-time.After(5 * time.Hour):
					case <-r.Context().Done():
						return
					}
					_, _ = io.WriteString(w, bookFrames)
					_ = http.NewResponseController(w).Flush()
					<-r.Context().Done()
				})
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				w, err := clients(t, s.config()).LibraryV1().Books("lib").Watch(ctx, metav1.ListOptions{})
				if err != nil {
					t.Fatal(err)
				}
				event := <-w.ResultChan()
				if book, ok := event.Object.(*libraryv1.Book); event.Type != watch.Added || !ok || book.Name != "moby" {
					t.Errorf("event is %v", event)
				}
				if waited := time.Since(s.begin); waited != 5*time.Hour {
					t.Errorf("it took %v", waited)
				}
				if end == "stop" {
					w.Stop()
				}
				if end == "context" {
					cancel()
				}
				rest := drainWatch(w)
				if rest.err != nil {
					t.Errorf("the watch ends with %v", rest.err)
				}
				<-ended
				if n := len(s.seen()); n != 1 || time.Since(s.begin) != 5*time.Hour {
					t.Errorf("%d requests in %v", n, time.Since(s.begin))
				}
			})
		})
	}
}
