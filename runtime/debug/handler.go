package debug

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/munnerz/goautoneg"

	"github.com/listwatch/listwatch/runtime/cache"
)

// Handler returns a handler that shows all informers of the process, as [cache.All] returns them.
func Handler() http.Handler {
	return HandlerFor(func() []cache.State {
		var states []cache.State
		for _, informer := range cache.All() {
			states = append(states, cache.StateOf(informer))
		}
		return states
	})
}

// HandlerFor returns a handler that shows the states that a function returns when it is called, at each request.
// That may be by several goroutines at once.
func HandlerFor(states func() []cache.State) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "only GET and HEAD are allowed", http.StatusMethodNotAllowed)
			return
		}
		write, contentType, err := format(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		p := newPage(states(), time.Now())
		if p.Refresh, err = refresh(r); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var body bytes.Buffer
		if err := write(&body, p); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		header := w.Header()
		header.Set("Cache-Control", "no-store")
		header.Set("Content-Security-Policy", contentSecurityPolicy)
		header.Set("Content-Type", contentType)
		header.Set("Vary", "Accept")
		header.Set("X-Content-Type-Options", "nosniff")
		_, _ = w.Write(body.Bytes()) // if it fails, there is nobody left to tell
	})
}

// format returns how a request wants the page to be written.
func format(r *http.Request) (write func(io.Writer, page) error, contentType string, err error) {
	wanted := r.URL.Query().Get("format")
	if wanted == "" && goautoneg.Negotiate(r.Header.Get("Accept"), []string{"text/html", "application/json"}) == "application/json" {
		wanted = "json"
	}
	switch wanted {
	case "", "html":
		return writeHTML, "text/html; charset=utf-8", nil
	case "json":
		return writeJSON, "application/json", nil
	default:
		return nil, "", fmt.Errorf("format %q is neither html nor json", wanted)
	}
}

// refresh returns after how many seconds a browser is to load the page again, 0 for never.
func refresh(r *http.Request) (int, error) {
	wanted := r.URL.Query().Get("refresh")
	if wanted == "" {
		return 0, nil
	}
	seconds, err := strconv.Atoi(wanted)
	if err != nil || seconds < 1 || seconds > 3600 {
		return 0, fmt.Errorf("refresh %q is not a number of seconds from 1 to 3600", wanted)
	}
	return seconds, nil
}

func writeJSON(w io.Writer, p page) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(p)
}
