package cache_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/listwatch/listwatch/runtime/cache"
)

// TestFaultWatch checks that nothing is lost when a watch ends in any way, that the state reports
// the reason, and that objects are relisted only if necessary.
func TestFaultWatch(t *testing.T) {
	end := func(s *bargeServer) { s.endWatches(false) }
	errorEvent := func(code int, reason, message string) func(*bargeServer) {
		return func(s *bargeServer) { s.send("ERROR", statusText(code, reason, message, "")) }
	}
	answered := func(answer http.HandlerFunc) func(*bargeServer) {
		return func(s *bargeServer) {
			s.failOnce(answer, "watch")
			end(s)
		}
	}
	for name, c := range map[string]struct {
		trouble func(*bargeServer)
		words   []string // expected in the error; none if there is no error
		lists   bool     // all objects are relisted
	}{
		"ended":                {end, nil, false},
		"cut off in an event":  {func(s *bargeServer) { s.endWatches(true) }, nil, false},
		"forgotten":            {func(s *bargeServer) { s.leaveBehind("x") }, []string{"watch of *cache_test.barge ended", "too old resource version"}, true},
		"expired event":        {errorEvent(410, "Expired", "The resourceVersion is too old"), []string{"watch of *cache_test.barge ended", "too old"}, true},
		"gone event":           {errorEvent(410, "Gone", "gone"), []string{"gone"}, true},
		"internal error event": {errorEvent(500, "InternalError", "etcd is on fire"), []string{"etcd is on fire"}, true},
		"throttled event":      {errorEvent(429, "TooManyRequests", "slow down"), []string{"slow down"}, false},
		"unknown event":        {func(s *bargeServer) { s.send("MOVED", bargeText("x", "1", "1")) }, []string{"MOVED"}, true},
		"no JSON":              {func(s *bargeServer) { s.send("ADDED", "}{") }, []string{"decode an event"}, true},
		"another kind":         {func(s *bargeServer) { s.send("ADDED", `{"kind":"Status","apiVersion":"v1","metadata":{}}`) }, []string{"unexpected object", "Status"}, true},
		"unknown kind": {func(s *bargeServer) {
			s.send("ADDED", `{"kind":"Raft","apiVersion":"sea.example.com/v1","metadata":{}}`)
		}, []string{"Raft"}, true},
		"undecodable":                  {func(s *bargeServer) { s.send("MODIFIED", bargeText("b", "99", `"long"`)) }, []string{"Barge", "n/b", "/spec/length"}, true},
		"bookmark of an older version": {func(s *bargeServer) { s.send("BOOKMARK", bookmarkText(1, "")) }, []string{"watch of *cache_test.barge ended", "went back from", "to 1"}, true},
		"event of an older version":    {func(s *bargeServer) { s.send("MODIFIED", bargeText("b", "1", "7")) }, []string{"went back from", "to 1"}, true},
		"refused as expired":           {answered(status(410, "Expired", "too old")), []string{"failed to watch *cache_test.barge", "too old"}, true},
		"forbidden":                    {answered(status(403, "Forbidden", `cannot watch resource "barges"`)), []string{"failed to watch", `cannot watch resource "barges"`}, true},
		"internal error":               {answered(status(500, "InternalError", "on fire")), []string{"on fire"}, true},
		"throttled":                    {answered(status(429, "TooManyRequests", "slow down")), []string{"failed to watch", "slow down"}, false},
		"a page":                       {answered(text("text/html", "<html>log in</html>")), []string{"text/html"}, true},
		"an empty page":                {answered(text("application/json", "")), []string{"very short watch"}, true},
		"hung up on":                   {answered(cutOff("")), []string{"very short watch"}, true},
		"a list":                       {answered(text("application/json", listBegin+`],"kind":"BargeList"}`)), []string{"unable to decode to metav1.WatchEvent"}, true},
		"connection refused": {func(s *bargeServer) {
			s.listener.refuses.Store(true)
			s.hangUp()
			time.AfterFunc(20*time.Second, func() { s.listener.refuses.Store(false) })
		}, []string{"failed to watch", "connection refused"}, false},
	} {
		for _, watchList := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, watch list %v", name, watchList), func(t *testing.T) {
				inTrouble(t, cache.SharedIndexInformerOptions{}, func(s *bargeServer) {
					if !watchList {
						s.fail(status(422, "Invalid", "sendInitialEvents is forbidden"), "watch list")
					}
				}, func(t *testing.T, v *voyage) {
					v.awaitSame(time.Minute)
					v.await(time.Minute, "watching", func() bool { return v.source().Watches > 0 })
					time.Sleep(5 * time.Second) // a watch that lasted
					v.fleet.news()
					before := v.source()

					v.server.set("a", "2")
					c.trouble(v.server)
					v.server.remove("a")
					v.server.set("b", "2")
					v.server.add("d", "1")
					v.server.set("d", "2")
					v.awaitSame(2 * time.Minute)
					v.await(time.Minute, "quiet", func() bool { return v.source().Doing == "watching" })

					after := v.source()
					if lists := after.Lists > before.Lists; lists != c.lists {
						t.Errorf("listed again: %v", lists)
					}
					if c.words == nil && !after.LastErr.Equal(before.LastErr) {
						t.Errorf("error %v", after.Err)
					}
					wantWords(t, after.Err, c.words...)
					if after.Failures != 0 {
						t.Errorf("state %+v", after)
					}
					told := strings.Join(v.fleet.news(), ", ")
					for _, what := range []string{" a", "update b", "add d"} {
						if !strings.Contains(told, what) {
							t.Errorf("told %s", told)
						}
					}
					if deleted := strings.Contains(told, "delete a") || c.lists && strings.Contains(told, "tombstone a"); !deleted {
						t.Errorf("told %s", told)
					}
				})
			})
		}
	}
}

// TestFaultWatchForever checks that the request rate does not grow while watches fail, and that the
// state reports this.
func TestFaultWatchForever(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		words  []string
	}{
		"forbidden":        {status(403, "Forbidden", `cannot watch resource "barges"`), []string{`cannot watch resource "barges"`}},
		"throttled":        {status(429, "TooManyRequests", "slow down"), []string{"slow down"}},
		"internal error":   {status(500, "InternalError", "on fire"), []string{"on fire"}},
		"ends immediately": {text("application/json", ""), []string{"very short watch"}},
		"expires immediately": {text("application/json", `{"type":"ERROR","object":`+statusText(410, "Expired", "too old", "")+"}\n"),
			[]string{"too old"}},
		"fails immediately": {text("application/json", `{"type":"ERROR","object":`+statusText(500, "InternalError", "on fire", "")+"}\n"),
			[]string{"on fire"}},
		"undecodable": {text("application/json", `{"type":"ADDED","object":`+bargeText("b", "99", `"long"`)+"}\n"), []string{"n/b", "/spec/length"}},
	} {
		t.Run(name, func(t *testing.T) {
			inTrouble(t, cache.SharedIndexInformerOptions{}, func(s *bargeServer) {
				s.fail(status(422, "Invalid", "sendInitialEvents is forbidden"), "watch list")
				s.fail(c.answer, "watch")
			}, func(t *testing.T, v *voyage) {
				v.await(time.Minute, "synced", v.informer.HasSynced)
				time.Sleep(10 * time.Minute)
				source := v.source()
				wantWords(t, source.Err, c.words...)
				if source.Failures < 3 || source.Phase != cache.PhaseStale {
					t.Errorf("state %+v", source)
				}
				v.wantBounded(25, "watch")
				v.wantBounded(50, "list", "watch")
			})
		})
	}
}

// TestFaultSilence checks that a silent watch is restarted where it ended.
func TestFaultSilence(t *testing.T) {
	inTrouble(t, cache.SharedIndexInformerOptions{ProgressDeadline: time.Minute}, nil, func(t *testing.T, v *voyage) {
		v.awaitSame(time.Minute)
		lists := v.source().Lists
		v.server.silence(true)
		v.server.add("d", "1")
		v.server.remove("a")
		time.Sleep(30 * time.Second)
		v.server.silence(false)
		if state := v.state(); len(v.stored()) != 3 || state.Phase != cache.PhaseLive {
			t.Errorf("heard something: %+v", state)
		}
		time.Sleep(40 * time.Second)
		v.awaitSame(time.Second)
		source := v.source()
		wantWords(t, source.Err, "watch of *cache_test.barge ended", "nothing received for 1m0s")
		if source.Lists != lists {
			t.Error("all objects were listed again")
		}
		for range 10 {
			time.Sleep(45 * time.Second)
			v.server.bookmark()
		}
		if after := v.source(); !after.LastErr.Equal(source.LastErr) {
			t.Errorf("bookmarks had no effect: %+v", after)
		}
	})
}

// TestFaultSilenceByDefault checks that a watch is restarted at the latest when the server should
// have ended it.
func TestFaultSilenceByDefault(t *testing.T) {
	inTrouble(t, cache.SharedIndexInformerOptions{}, nil, func(t *testing.T, v *voyage) {
		v.awaitSame(time.Minute)
		time.Sleep(5 * time.Second)
		v.server.fail(hang(""), "watch")
		v.server.endWatches(false)
		v.await(time.Minute, "asked", func() bool { return len(v.server.asked("watch")) > 0 })
		v.server.add("d", "1")
		v.server.heal()
		v.awaitSame(11 * time.Minute)
		wantWords(t, v.source().Err, "nothing received for")
	})
}

// TestFaultBookmarks checks that the next watch starts at the last bookmark, so that no relist is
// needed when the server has discarded earlier history.
func TestFaultBookmarks(t *testing.T) {
	inTrouble(t, cache.SharedIndexInformerOptions{}, nil, func(t *testing.T, v *voyage) {
		v.awaitSame(time.Minute)
		lists := v.source().Lists
		v.server.bookmark()
		v.await(time.Second, "told", func() bool { return v.source().ResourceVersion == "14" })
		v.server.forget()
		v.server.endWatches(false)
		v.server.add("d", "1")
		v.awaitSame(time.Minute)
		if source := v.source(); source.Lists != lists || source.Err != nil {
			t.Errorf("state %+v", source)
		}
		if rv := v.state().ResourceVersion; rv != "15" {
			t.Errorf("resource version %s", rv)
		}
	})
}

// TestFaultWatchesEnd checks that normal ends of watches are not reported as trouble.
func TestFaultWatchesEnd(t *testing.T) {
	inTrouble(t, cache.SharedIndexInformerOptions{}, nil, func(t *testing.T, v *voyage) {
		v.awaitSame(time.Minute)
		time.Sleep(time.Hour)
		v.server.add("d", "1")
		v.awaitSame(time.Second)
		source := v.source()
		if source.Err != nil || source.Lists != 1 || source.Watches < 6 || source.Watches > 12 {
			t.Errorf("state %+v", source)
		}
		for _, r := range v.server.asked("watch") {
			if !slices.Equal(r.query["allowWatchBookmarks"], []string{"true"}) || r.query.Get("resourceVersion") == "" {
				t.Errorf("request %+v", r)
			}
		}
	})
}
