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

// Handler returns a handler that shows all informers of the process: those that [cache.All] returns.
func Handler() http.Handler {
	return HandlerFor(func() []cache.State {
		var states []cache.State
		for _, informer := range cache.All() {
			states = append(states, cache.StateOf(informer))
		}
		return states
	})
}

// HandlerFor returns a handler that shows the result of states, which is called for every request, possibly
// concurrently.
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
		_, _ = w.Write(body.Bytes()) // an error means that the client has disconnected
	})
}

// format returns the function that writes the page in the requested format.
func format(r *http.Request) (write func(io.Writer, page) error, contentType string, err error) {
	format := r.URL.Query().Get("format")
	if format == "" && goautoneg.Negotiate(r.Header.Get("Accept"), []string{"text/html", "application/json"}) == "application/json" {
		format = "json"
	}
	switch format {
	case "", "html":
		return writeHTML, "text/html; charset=utf-8", nil
	case "json":
		return writeJSON, "application/json", nil
	default:
		return nil, "", fmt.Errorf("invalid format %q, want html or json", format)
	}
}

// refresh returns the number of seconds after which a browser reloads the page, 0 for never.
func refresh(r *http.Request) (int, error) {
	value := r.URL.Query().Get("refresh")
	if value == "" {
		return 0, nil
	}
	seconds, err := strconv.Atoi(value)
	if err != nil || seconds < 1 || seconds > 3600 {
		return 0, fmt.Errorf("invalid refresh %q, want a number of seconds from 1 to 3600", value)
	}
	return seconds, nil
}

func writeJSON(w io.Writer, p page) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(p)
}
