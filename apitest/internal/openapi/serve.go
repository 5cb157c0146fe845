package openapi

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/munnerz/goautoneg"
	"k8s.io/kube-openapi/pkg/cached"
	"k8s.io/kube-openapi/pkg/handler"
	"k8s.io/kube-openapi/pkg/handler3"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// serveList serves the list of documents.
func serveList(w http.ResponseWriter, req *http.Request, documents map[string]*document) {
	list := handler3.OpenAPIV3Discovery{Paths: map[string]handler3.OpenAPIV3DiscoveryGroupVersion{}}
	for name, doc := range documents {
		hash, err := doc.hash()
		if err != nil {
			fail(w, err)
			return
		}
		list.Paths[name] = handler3.OpenAPIV3DiscoveryGroupVersion{ServerRelativeURL: hashedPath(name, hash)}
	}
	data, err := json.Marshal(list)
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	http.ServeContent(w, req, "", time.Time{}, bytes.NewReader(data))
}

func hashedPath(name, hash string) string {
	return rootV3 + "/" + name + "?" + url.Values{"hash": {hash}}.Encode()
}

func fail(w http.ResponseWriter, err error) {
	http.Error(w, err.Error(), http.StatusInternalServerError)
}

const (
	asJSON     = "json"
	asProtobuf = "com.github.proto-openapi.spec.v3.v1.0+protobuf"
	// oldProtobuf is the name of asProtobuf in old clients.
	oldProtobuf = "com.github.proto-openapi.spec.v3@v1.0+protobuf"
)

// serveV3 serves a document. A request for another hash is redirected, so that clients can cache a response
// without an end.
func serveV3(w http.ResponseWriter, req *http.Request, name string, doc *document) {
	w.Header().Set("Vary", "Accept")
	encoding := negotiate(req)
	if encoding == "" {
		w.WriteHeader(http.StatusNotAcceptable)
		return
	}
	hash, err := doc.hash()
	if err != nil {
		fail(w, err)
		return
	}
	if wanted := req.URL.Query().Get("hash"); wanted != "" && wanted != hash {
		http.Redirect(w, req, hashedPath(name, hash), http.StatusMovedPermanently)
		return
	} else if wanted != "" {
		w.Header().Set("Cache-Control", "public, immutable")
		w.Header().Set("Expires", time.Now().AddDate(1, 0, 0).Format(time.RFC1123))
	}
	data, err := doc.encode(encoding)
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/"+encoding)
	w.Header().Set("Etag", strconv.Quote(hash))
	http.ServeContent(w, req, "", time.Time{}, bytes.NewReader(data))
}

// negotiate returns the encoding of a document, or "" if the client accepts none.
func negotiate(req *http.Request) string {
	accept := req.Header.Get("Accept")
	if accept == "" {
		accept = "*/*"
	}
	for _, clause := range goautoneg.ParseAccept(accept) {
		if clause.Type != "application" && clause.Type != "*" {
			continue
		}
		switch clause.SubType {
		case asJSON, "*":
			return asJSON
		case asProtobuf, oldProtobuf:
			return asProtobuf
		}
	}
	return ""
}

func (d *document) encode(encoding string) ([]byte, error) {
	built, err := d.build()
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(built)
	if err != nil || encoding == asJSON {
		return data, err
	}
	return handler3.ToV3ProtoBinary(data)
}

// serveV2 serves the document of version 2, in all encodings that kube-openapi has.
func serveV2(w http.ResponseWriter, req *http.Request, documents map[string]*document) {
	swagger := cached.Func(func() (*spec.Swagger, string, error) {
		s, err := buildV2(documents)
		return s, "", err
	})
	mux := http.NewServeMux()
	handler.NewOpenAPIServiceLazy(swagger).RegisterOpenAPIVersionedService(rootV2, paths2{mux})
	mux.ServeHTTP(w, req)
}

// paths2 implements common.PathHandler.
type paths2 struct{ *http.ServeMux }

// Handle implements common.PathHandler.
func (p paths2) Handle(path string, h http.Handler) {
	if !strings.HasSuffix(path, "/") {
		p.ServeMux.Handle(path, h)
	}
}
