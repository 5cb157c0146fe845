package disk_test

import (
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"time"

	"github.com/listwatch/listwatch/runtime/discovery/cached/disk"
	"github.com/listwatch/listwatch/runtime/rest"
)

// A command-line tool that is started often need not ask the server each time.
func Example() {
	requested := false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requested = true
		if r.URL.Path != "/apis" { // no core group
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"kind": "APIGroupList", "apiVersion": "v1", "groups": [
			{"name": "library.dev", "versions": [{"groupVersion": "library.dev/v1", "version": "v1"}]}]}`)
	}))
	defer server.Close()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	for range 2 { // each time as if the program had been started again
		client, err := disk.NewCachedDiscoveryClientForConfig(&rest.Config{Host: server.URL},
			filepath.Join(dir, "discovery"), filepath.Join(dir, "http"), time.Hour)
		if err != nil {
			log.Fatal(err)
		}
		list, err := client.ServerGroups()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s, requested: %t\n", list.Groups[0].Name, requested)
		requested = false
	}
	// Output:
	// library.dev, requested: true
	// library.dev, requested: false
}
