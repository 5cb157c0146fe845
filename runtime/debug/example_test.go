package debug_test

import (
	"log"
	"net/http"

	"github.com/listwatch/listwatch/runtime/debug"
)

func ExampleHandler() {
	mux := http.NewServeMux()
	mux.Handle("/debug/informers", debug.Handler())
	log.Fatal(http.ListenAndServe("localhost:6060", mux)) // reachable from this machine only
}
