package debug_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/debug"
)

// The page of all informers of a program, which usually listens on localhost only.
func ExampleHandler() {
	mux := http.NewServeMux()
	mux.Handle("/debug/informers", debug.Handler())

	page := httptest.NewRecorder() // in a program: http.ListenAndServe("localhost:6060", mux)
	mux.ServeHTTP(page, httptest.NewRequest(http.MethodGet, "/debug/informers", nil))
	fmt.Println(page.Code, page.Header().Get("Content-Type"))
	// Output: 200 text/html; charset=utf-8
}

// The page can show some informers only, and is also available as JSON.
func ExampleHandlerFor() {
	handler := debug.HandlerFor(func() []cache.State {
		return []cache.State{{Type: "*v1.Book", Owner: "library/main.go:42", Phase: cache.PhaseLive, Objects: 3}}
	})

	page := httptest.NewRecorder()
	handler.ServeHTTP(page, httptest.NewRequest(http.MethodGet, "/debug/informers?format=json", nil))
	fmt.Println(page.Code, page.Header().Get("Content-Type"))
	// Output: 200 application/json
}
