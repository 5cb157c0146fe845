package testing

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"k8s.io/kube-openapi/pkg/handler3"
	"k8s.io/kube-openapi/pkg/spec3"
)

// FakeOpenAPIServer serves OpenAPI v3 documents.
type FakeOpenAPIServer struct {
	// HttpServer must be closed by the test.
	HttpServer *httptest.Server
	// ServedDocuments are the documents by path, such as "apis/apps/v1".
	ServedDocuments map[string]*spec3.OpenAPI
	// RequestCounters count requests by path. It may be read while no request is served.
	RequestCounters map[string]int
}

// NewFakeOpenAPIV3Server starts a server with the documents in the JSON files below a directory, by their paths
// without the ending.
func NewFakeOpenAPIV3Server(specsPath string) (*FakeOpenAPIServer, error) {
	documents, err := readDocuments(specsPath)
	if err != nil {
		return nil, err
	}
	mux := &countingMux{ServeMux: http.NewServeMux(), counts: map[string]int{}}
	service := handler3.NewOpenAPIService()
	if err := service.RegisterOpenAPIV3VersionedService("/openapi/v3", mux); err != nil {
		return nil, err
	}
	for path, document := range documents {
		service.UpdateGroupVersion(path, document)
	}
	return &FakeOpenAPIServer{httptest.NewServer(mux), documents, mux.counts}, nil
}

// readDocuments reads the documents below a directory.
func readDocuments(dir string) (map[string]*spec3.OpenAPI, error) {
	documents := map[string]*spec3.OpenAPI{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
		if err != nil {
			return err
		}
		document := &spec3.OpenAPI{}
		documents[strings.TrimSuffix(path, ".json")] = document
		return json.Unmarshal(text, document)
	})
	return documents, err
}

// countingMux counts the requests by path.
type countingMux struct {
	*http.ServeMux
	mu     sync.Mutex // guards counts
	counts map[string]int
}

// HandlePrefix implements the interface of package handler3.
func (m *countingMux) HandlePrefix(path string, handler http.Handler) { m.Handle(path, handler) }

func (m *countingMux) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	m.counts[r.URL.Path]++
	m.mu.Unlock()
	m.ServeMux.ServeHTTP(w, r)
}
