package rest

import (
	"fmt"
	"mime"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/net"
	"k8s.io/klog/v2"
)

// Result is the response to a request, not yet decoded, or an error.
type Result struct {
	body        []byte
	contentType string
	statusCode  int
	warnings    []net.WarningHeader
	err         error           // of sending, or of the status code
	decoder     runtime.Decoder // nil if contentType has none
	logger      klog.Logger
	request     requestRef
}

// Raw returns the body, which the caller owns, and the error of the status code, if it is one.
func (r Result) Raw() ([]byte, error) { return r.body, r.err }

// Get returns the response as an object. A Status other than success is an error; see [Result.Error].
func (r Result) Get() (runtime.Object, error) {
	if r.err != nil {
		return nil, r.Error()
	}
	out, err := r.decode(nil)
	if err != nil {
		return nil, err
	}
	if err := statusError(out); err != nil {
		return nil, err
	}
	return out, nil
}

// Into decodes the response into obj. A Status other than success is an error, unless obj is a Status; see
// [Result.Error]. If the response is of another kind, obj stays empty.
func (r Result) Into(obj runtime.Object) error {
	_, err := r.into(obj)
	return err
}

// into is Into, and returns the decoded object, which is not obj if the response is of another kind.
func (r Result) into(obj runtime.Object) (runtime.Object, error) {
	if r.err != nil {
		return nil, r.Error()
	}
	if r.decoder != nil && len(r.body) == 0 {
		return nil, r.request.wrap(emptyError(r.statusCode, r.contentType))
	}
	out, err := r.decode(obj)
	if err != nil || out == obj {
		return out, err
	}
	return out, statusError(out)
}

func (r Result) decode(into runtime.Object) (runtime.Object, error) {
	if r.decoder == nil {
		return nil, r.request.wrap(&ContentTypeError{ContentType: r.contentType, StatusCode: r.statusCode})
	}
	out, _, err := r.decoder.Decode(r.body, nil, into)
	if err != nil {
		err = r.request.wrap(pageError(err, r.body))
	}
	return out, err
}

// isJSON reports whether the response is JSON.
func (r Result) isJSON() bool { return isJSON(r.contentType) }

func isJSON(contentType string) bool {
	mediaType, _, err := mime.ParseMediaType(contentType)
	return err == nil && mediaType == runtime.ContentTypeJSON
}

// StatusCode sets statusCode to the response's. It is meaningful only if there was no error.
func (r Result) StatusCode(statusCode *int) Result {
	*statusCode = r.statusCode
	return r
}

// ContentType sets contentType to the response's. It is meaningful only if there was no error.
func (r Result) ContentType(contentType *string) Result {
	*contentType = r.contentType
	return r
}

// WasCreated sets wasCreated to whether the status was 201 Created.
func (r Result) WasCreated(wasCreated *bool) Result {
	*wasCreated = r.statusCode == http.StatusCreated
	return r
}

// Warnings returns the warnings in the response.
func (r Result) Warnings() []net.WarningHeader { return r.warnings }

// Error returns the error, or nil: the error of sending, or for an unsuccessful response an *errors.StatusError
// of apimachinery, created from the Status in the body or otherwise from the status code.
func (r Result) Error() error {
	if r.err == nil || r.decoder == nil || len(r.body) == 0 || !apierrors.IsUnexpectedServerError(r.err) {
		return r.err
	}
	// Old servers omit the version of a Status.
	out, _, err := r.decoder.Decode(r.body, &schema.GroupVersionKind{Version: "v1"}, nil)
	if err != nil {
		// The error may quote the body, which must not be logged.
		r.logger.V(5).Info("Body was not decodable (unable to check for Status)", "contentType", r.contentType)
		return r.err
	}
	if status, ok := out.(*metav1.Status); ok && status.Status == metav1.StatusFailure {
		return apierrors.FromObject(status)
	}
	return r.err
}

// statusError returns the error that a decoded object stands for: a Status other than success.
func statusError(obj runtime.Object) error {
	if status, ok := obj.(*metav1.Status); ok && status.Status != metav1.StatusSuccess {
		return apierrors.FromObject(status)
	}
	return nil
}

// emptyError returns the error of a response without a body if an object is expected.
func emptyError(statusCode int, contentType string) error {
	return fmt.Errorf("0-length response with status code: %d and content type: %s", statusCode, contentType)
}
