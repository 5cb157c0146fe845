package openapitest

import (
	"archive/zip"
	_ "embed"
	"strings"
	"sync"

	"k8s.io/client-go/openapi"
)

// documents is a zip archive of the documents that client-go embeds; conformance/runtime/replace/aliases writes it.
//
//go:embed documents.zip
var documents string

var archive = sync.OnceValues(func() (*zip.Reader, error) {
	return zip.NewReader(strings.NewReader(documents), int64(len(documents)))
})

// NewEmbeddedFileClient returns a client that serves documents of some groups of Kubernetes' API, as tests need them.
func NewEmbeddedFileClient() openapi.Client {
	files, err := archive()
	if err != nil {
		panic(err) // the archive is part of the program
	}
	return fileClient{files}
}
