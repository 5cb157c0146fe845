package cache_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/listwatch/listwatch/runtime/cache"
)

// text responds with a text of any format.
func text(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		fmt.Fprint(w, body)
	}
}

// cutOff responds with a text and closes the connection.
func cutOff(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, body)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

// hang responds with a text, and then with nothing until the client disconnects.
func hang(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, body)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}
}

const listBegin = `{"apiVersion":"sea.example.com/v1","items":[`

// listFaults are the ways in which a list fails, until the server is healed.
var listFaults = map[string]struct {
	answer http.HandlerFunc
	words  []string // expected in the error
}{
	"forbidden": {status(403, "Forbidden", `barges.sea.example.com is forbidden: User "u" cannot list resource "barges" in API group "sea.example.com" at the cluster scope`),
		[]string{"failed to list *cache_test.barge", "forbidden", `cannot list resource "barges"`, "at the cluster scope"}},
	"unauthorized":      {status(401, "Unauthorized", "Unauthorized"), []string{"failed to list", "Unauthorized"}},
	"not found":         {status(404, "NotFound", "the server could not find the requested resource"), []string{"could not find the requested resource"}},
	"internal error":    {status(500, "InternalError", "etcd is on fire"), []string{"etcd is on fire"}},
	"unavailable":       {status(503, "ServiceUnavailable", "apiserver is shutting down"), []string{"apiserver is shutting down"}},
	"expired":           {status(410, "Expired", "too old resource version"), []string{"too old resource version"}},
	"too large version": {status(504, "Timeout", "Too large resource version: 99, current: 9"), []string{"Too large resource version: 99"}},
	"a page":            {text("text/html", "<html>please log in</html>"), []string{"list", "text/html"}},
	"a page as JSON":    {text("application/json", "<html>please log in</html>"), []string{"page of a proxy"}},
	"nothing":           {text("application/json", ""), []string{"0-length"}},
	"null":              {text("application/json", "null"), []string{"not a Kubernetes API object"}},
	"an empty object":   {text("application/json", "{}"), []string{"not a Kubernetes API object"}},
	"another object":    {text("application/json", `{"error":"no such cluster"}`), []string{"not a Kubernetes API object"}},
	"another kind":      {text("application/json", `{"kind":"Barge","apiVersion":"sea.example.com/v1","metadata":{"name":"a"}}`), []string{"returned *cache_test.barge, want *cache_test.bargeList"}},
	"cut off":           {cutOff(listBegin + bargeText("a", "11", "1") + `,{"apiVersion":"sea`), []string{"EOF"}},
	"cut off before":    {cutOff(""), []string{"EOF"}},
	"truncated":         {text("application/json", listBegin+bargeText("a", "11", "1")), []string{"EOF"}},
	"not JSON":          {text("application/json", listBegin+bargeText("a", "11", "x")+`]}`), []string{"Barge", "item 0", "/spec/length"}},
	"undecodable": {text("application/json", listBegin+bargeText("a", "11", "1")+","+bargeText("b", "12", `"long"`)+`],"kind":"BargeList","metadata":{"resourceVersion":"13"}}`),
		[]string{"Barge", "n/b", "item 1", "/spec/length"}},
	"silent":            {hang(""), []string{"nothing received for 2m"}},
	"silent in between": {hang(listBegin + bargeText("a", "11", "1") + ","), []string{"nothing received for 2m"}},
}

// TestFaultFirstList holds that an informer that cannot list says why, changes nothing,
// asks ever less often, and goes on when it can.
func TestFaultFirstList(t *testing.T) {
	for name, fault := range listFaults {
		for _, watchList := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, watch list %v", name, watchList), func(t *testing.T) {
				inTrouble(t, cache.SharedIndexInformerOptions{}, func(s *bargeServer) {
					s.fail(fault.answer, "list")
					refused := fault.answer
					if !watchList {
						refused = status(422, "Invalid", "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled")
					}
					s.fail(refused, "watch list")
				}, func(t *testing.T, v *voyage) {
					v.awaitPhase(10*time.Minute, cache.PhaseFailed)
					v.wantUnsynced(fault.words...)
					source := v.source()
					wantWords(t, source.Err, fault.words...)
					if source.Failures == 0 || source.LastErr.IsZero() || !errors.Is(v.state().Err, source.Err) {
						t.Errorf("state %+v", source)
					}
					// From 30 s on there is half a minute between two, and a list may be tried at
					// two versions.
					time.Sleep(5 * time.Minute)
					v.wantBounded(50, "list")
					if told := v.fleet.news(); told != nil || v.informer.HasSynced() || len(v.stored()) != 0 {
						t.Errorf("received %q, stored %q", told, v.stored())
					}
					v.server.heal()
					v.awaitSame(5 * time.Minute)
					if told := v.fleet.news(); len(told) != 3 {
						t.Errorf("told %q", told)
					}
					if source := v.source(); source.Failures != 0 || source.Err == nil {
						t.Errorf("healed: %+v", source)
					}
				})
			})
		}
	}
}

// TestFaultRelist holds the same of an informer that has to list again: what it has
// stays, and what happened in between is told.
func TestFaultRelist(t *testing.T) {
	for name, fault := range listFaults {
		t.Run(name, func(t *testing.T) {
			inTrouble(t, cache.SharedIndexInformerOptions{}, nil, func(t *testing.T, v *voyage) {
				v.awaitSame(time.Minute)
				stored := v.stored()
				v.fleet.news()

				v.server.fail(fault.answer, "list", "watch list")
				v.server.endWatches(false)
				v.server.failOnce(status(410, "Expired", "too old"), "watch")
				v.server.remove("a")
				v.server.set("b", "2")
				v.server.add("d", "1")
				v.await(10*time.Minute, "failing", func() bool { return v.source().Failures > 1 })
				v.awaitPhase(time.Minute, cache.PhaseStale)
				wantWords(t, v.source().Err, fault.words...)
				time.Sleep(5 * time.Minute)
				v.wantBounded(50, "list")
				if told := v.fleet.news(); told != nil || !slices.Equal(v.stored(), stored) {
					t.Errorf("received %q, stored %q", told, v.stored())
				}

				v.server.heal()
				v.awaitSame(5 * time.Minute)
				told := v.fleet.news()
				slices.Sort(told)
				if want := []string{"add d@16 1", "tombstone a", "update b@15 2"}; !slices.Equal(told, want) {
					t.Errorf("received %q, want %q", told, want)
				}
			})
		})
	}
}

// TestFaultConnectionRefused holds the same where nobody listens.
func TestFaultConnectionRefused(t *testing.T) {
	inTrouble(t, cache.SharedIndexInformerOptions{}, func(s *bargeServer) { s.listener.refuses.Store(true) }, func(t *testing.T, v *voyage) {
		v.awaitPhase(time.Minute, cache.PhaseFailed)
		v.wantUnsynced("connection refused")
		v.server.listener.refuses.Store(false)
		v.awaitSame(time.Minute)
	})
}

// TestFaultRetryAfter holds that a server that asks for time is given it.
func TestFaultRetryAfter(t *testing.T) {
	inTrouble(t, cache.SharedIndexInformerOptions{}, func(s *bargeServer) {
		busy := func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "20")
			writeStatus(w, http.StatusTooManyRequests, "TooManyRequests", "too many requests", `,"retryAfterSeconds":20`)
		}
		s.fail(busy, "list", "watch list")
	}, func(t *testing.T, v *voyage) {
		v.awaitPhase(time.Second, cache.PhaseFailed)
		v.wantUnsynced("too many requests")
		if doing := v.source().Doing; !strings.HasPrefix(doing, "waiting 2") {
			t.Errorf("is %s", doing)
		}
		time.Sleep(5 * time.Minute)
		requests := v.server.asked()
		if len(requests) < 2 {
			t.Fatalf("%d requests", len(requests))
		}
		for i, r := range requests[1:] {
			if gap := r.at - requests[i].at; gap < 20*time.Second {
				t.Errorf("request %d came %v after the previous one", i+1, gap)
			}
		}
		v.server.heal()
		v.awaitSame(10 * time.Minute)
	})
}

// TestFaultPages holds that a list in pages that the server gives up is begun anew, and
// one that breaks off changes nothing.
func TestFaultPages(t *testing.T) {
	refuse := status(422, "Invalid", "sendInitialEvents is forbidden")
	paged := func(s *bargeServer) {
		s.fail(refuse, "watch list")
		for i := range 5 {
			s.add(fmt.Sprint("more", i), "1")
		}
	}
	t.Run("whole", func(t *testing.T) {
		inTrouble(t, cache.SharedIndexInformerOptions{PageSize: 3}, paged, func(t *testing.T, v *voyage) {
			v.awaitSame(time.Minute)
			if n := len(v.server.asked("list")); n != 3 {
				t.Errorf("%d requests", n)
			}
		})
	})
	t.Run("again", func(t *testing.T) {
		inTrouble(t, cache.SharedIndexInformerOptions{PageSize: 3}, paged, func(t *testing.T, v *voyage) {
			v.awaitSame(time.Minute)
			time.Sleep(5 * time.Second)
			v.server.leaveBehind("x")
			v.awaitSame(time.Minute)
			if requests := v.server.asked("list"); len(requests) != 6 || requests[3].query.Get("resourceVersion") != "18" {
				t.Errorf("requests %+v", requests)
			}
		})
	})
	t.Run("expired", func(t *testing.T) {
		inTrouble(t, cache.SharedIndexInformerOptions{PageSize: 3}, func(s *bargeServer) {
			paged(s)
			s.fail(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Query().Get("continue") != "" {
					s.heal()
					s.fail(refuse, "watch list")
					writeStatus(w, http.StatusGone, "Expired", "The provided continue parameter is too old", "")
					return
				}
				s.list(w, r.URL.Query())
			}, "list")
		}, func(t *testing.T, v *voyage) {
			v.awaitSame(time.Minute)
			requests := v.server.asked("list")
			if len(requests) != 3 || requests[2].query.Get("limit") != "" {
				t.Errorf("requests %+v", requests)
			}
		})
	})
	t.Run("cut off", func(t *testing.T) {
		inTrouble(t, cache.SharedIndexInformerOptions{PageSize: 3}, func(s *bargeServer) {
			paged(s)
			s.fail(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Query().Get("continue") != "" {
					cutOff(listBegin)(w, r)
				}
				s.list(w, r.URL.Query())
			}, "list")
		}, func(t *testing.T, v *voyage) {
			v.awaitPhase(time.Minute, cache.PhaseFailed)
			v.wantUnsynced("EOF")
			if told := v.fleet.news(); told != nil {
				t.Errorf("told %q", told)
			}
			v.server.heal()
			v.awaitSame(time.Minute)
		})
	})
}

// TestFaultRestored holds that an informer goes along with a server that was set back to
// an earlier version, which does not know the later one.
func TestFaultRestored(t *testing.T) {
	for _, watchList := range []bool{true, false} {
		inTrouble(t, cache.SharedIndexInformerOptions{}, func(s *bargeServer) {
			if !watchList {
				s.fail(status(422, "Invalid", "sendInitialEvents is forbidden"), "watch list")
			}
		}, func(t *testing.T, v *voyage) {
			v.awaitSame(time.Minute)
			time.Sleep(5 * time.Second)
			v.fleet.news()
			v.server.restore(5, "old")
			v.awaitSame(time.Minute)
			told := v.fleet.news()
			slices.Sort(told)
			if want := []string{"add old@5 1", "tombstone a", "tombstone b", "tombstone c"}; !slices.Equal(told, want) {
				t.Errorf("told %q", told)
			}
			wantWords(t, v.source().Err, "Too large resource version")
			if rv := v.source().ResourceVersion; rv != "5" {
				t.Errorf("resource version %s", rv)
			}
		})
	}
}

// TestFaultWatchList holds that a watch that begins with all objects, and fails to, is
// followed by a list.
func TestFaultWatchList(t *testing.T) {
	begin := `{"type":"ADDED","object":` + bargeText("ghost", "11", "1") + `}` + "\n"
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		words  []string // in the error, which is no failure
		again  bool     // it is tried again next time
	}{
		"not known":       {status(422, "Invalid", "sendInitialEvents is forbidden for watch"), []string{"sendInitialEvents is forbidden"}, false},
		"bad request":     {status(400, "BadRequest", "unknown query parameter"), []string{"unknown query parameter"}, false},
		"never complete":  {hang(begin), []string{"nothing received for 10s"}, true},
		"silent":          {hang(""), []string{"nothing received for 10s"}, true},
		"ends before":     {text("application/json", begin), []string{"ended before"}, true},
		"cut off":         {cutOff(begin), []string{"ended before"}, true},
		"expired":         {status(410, "Expired", "too old"), []string{"too old"}, true},
		"an error":        {text("application/json", begin+`{"type":"ERROR","object":`+statusText(500, "InternalError", "on fire", "")+`}`+"\n"), []string{"on fire"}, true},
		"undecodable":     {text("application/json", `{"type":"ADDED","object":`+bargeText("ghost", "11", `"x"`)+`}`+"\n"), []string{"ghost", "/spec/length"}, true},
		"another kind":    {text("application/json", `{"type":"ADDED","object":{"kind":"Status","apiVersion":"v1","metadata":{}}}`+"\n"), []string{"unexpected object", "Status"}, true},
		"bookmarks alone": {ticking(`{"type":"BOOKMARK","object":`+bookmarkText(11, "")+`}`+"\n", 5*time.Second), []string{"in time"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			inTrouble(t, cache.SharedIndexInformerOptions{}, func(s *bargeServer) { s.fail(c.answer, "watch list") }, func(t *testing.T, v *voyage) {
				v.awaitSame(5 * time.Minute)
				source := v.source()
				wantWords(t, source.Err, c.words...)
				if source.Failures != 0 {
					t.Errorf("state %+v", source)
				}
				if told := v.fleet.news(); len(told) != 3 || strings.Contains(strings.Join(told, " "), "ghost") {
					t.Errorf("told %q", told)
				}
				before := len(v.server.asked("watch list"))
				v.server.add("d", "1")
				v.server.forget()
				v.server.failOnce(status(410, "Expired", "too old"), "watch")
				v.server.endWatches(false)
				v.awaitSame(5 * time.Minute)
				if again := len(v.server.asked("watch list")) > before; again != c.again {
					t.Errorf("tried again: %v", again)
				}
			})
		})
	}
}

// ticking answers with a text again and again.
func ticking(body string, every time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			fmt.Fprint(w, body)
			_ = http.NewResponseController(w).Flush()
			select {
			case <-ticker.C:
			case <-r.Context().Done():
				return
			}
		}
	}
}
