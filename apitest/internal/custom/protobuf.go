package custom

import (
	"mime"
	"net/http"

	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/handlers/negotiation"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
)

// writesProtobuf reports whether the body of a request for a custom resource is protobuf, which
// custom resources do not support. The handler of apiextensions-apiserver dereferences a nil
// decoder for it.
func writesProtobuf(req *http.Request) bool {
	if req.Method != http.MethodPost && req.Method != http.MethodPut {
		return false
	}
	contentType, _, err := mime.ParseMediaType(req.Header.Get("Content-Type"))
	return err == nil && contentType == runtime.ContentTypeProtobuf
}

func refuseProtobuf(w http.ResponseWriter, req *http.Request) {
	err := negotiation.NewUnsupportedMediaTypeError([]string{runtime.ContentTypeJSON, runtime.ContentTypeYAML})
	responsewriters.ErrorNegotiated(err, apiserver.Codecs, schema.GroupVersion{}, w, req)
}
