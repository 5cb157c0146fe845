package openapitest

import (
	"fmt"
	"io/fs"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	"k8s.io/client-go/openapi"
)

// NewFileClient returns a client that serves the documents in a directory, named as Kubernetes' repository has them
// in api/openapi-spec/v3: apis__apps__v1_openapi.json is the document of apis/apps/v1.
func NewFileClient(path string) openapi.Client { return fileClient{os.DirFS(path)} }

type fileClient struct{ files fs.FS }

// Paths returns all documents, which are read when they are used.
func (c fileClient) Paths() (map[string]openapi.GroupVersion, error) {
	entries, err := fs.ReadDir(c.files, ".")
	if err != nil {
		return nil, err
	}
	paths := map[string]openapi.GroupVersion{}
	for _, entry := range entries {
		path := strings.ReplaceAll(strings.TrimSuffix(entry.Name(), "_openapi.json"), "__", "/")
		paths[path] = fileGroupVersion{c.files, entry.Name()}
	}
	return paths, nil
}

type fileGroupVersion struct {
	files fs.FS
	name  string
}

// Schema returns the document. There is only JSON.
func (g fileGroupVersion) Schema(contentType string) ([]byte, error) {
	if contentType != runtime.ContentTypeJSON {
		return nil, fmt.Errorf("content type %q is not supported, use %s", contentType, runtime.ContentTypeJSON)
	}
	return fs.ReadFile(g.files, g.name)
}

// ServerRelativeURL returns the name of the file.
func (g fileGroupVersion) ServerRelativeURL() string { return g.name }
