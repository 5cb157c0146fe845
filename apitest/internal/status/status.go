// Package status writes errors that do not concern a resource: of paths that do not exist, and of methods that a path
// does not support. They are objects of kind Status, in the format that the request accepts.
package status

import (
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
)

// Codecs encode errors that arise before a request gets to its resource.
var Codecs = func() serializer.CodecFactory {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	return serializer.NewCodecFactory(scheme)
}()

// NotFound returns the error for a path that does not exist.
func NotFound() *apierrors.StatusError { return withCode(http.StatusNotFound) }

// MethodNotAllowed returns the error for a method that a path does not support.
func MethodNotAllowed() *apierrors.StatusError { return withCode(http.StatusMethodNotAllowed) }

// withCode returns an error with only a code.
func withCode(code int) *apierrors.StatusError {
	return apierrors.NewGenericServerResponse(code, "", schema.GroupResource{}, "", "", 0, false)
}

// Write sends an error as the response.
func Write(w http.ResponseWriter, req *http.Request, err error) {
	responsewriters.ErrorNegotiated(err, Codecs, schema.GroupVersion{}, w, req)
}
