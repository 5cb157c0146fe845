package rest

import (
	"context"
	"io"
	"mime"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/compat"
)

// failed reports whether a status code is neither a success nor a switch of protocols.
func failed(code int) bool {
	return code != http.StatusSwitchingProtocols && (code < http.StatusOK || code > http.StatusPartialContent)
}

// result reads a response.
func (r *Request) result(ctx context.Context, resp *http.Response) Result {
	result := Result{statusCode: resp.StatusCode, logger: klog.FromContext(ctx), request: r.requestOf(resp)}
	body := r.bodyOf(resp)
	data, err := body.readAll(resp.ContentLength)
	if err != nil {
		result.logger.V(2).Info("Failed to read the body of a response", "err", err)
		if failed(resp.StatusCode) && !compat.IsClientGo() {
			err = r.errorFor(resp, data) // the status code is more specific
		}
		return Result{err: result.request.wrap(err), logger: result.logger}
	}
	decoder, contentType, err := r.decoderFor(resp)
	if err != nil && !failed(resp.StatusCode) {
		return Result{err: result.request.wrap(err), logger: result.logger}
	}
	if failed(resp.StatusCode) {
		result.err = r.errorFor(resp, data)
		if decoder == nil {
			return Result{err: result.err, logger: result.logger}
		}
	}
	result.body, result.contentType, result.decoder = data, contentType, decoder
	result.warnings = handleWarnings(ctx, resp.Header, r.warningHandler)
	return result
}

// bodyOf returns a reader of the response's body with the applicable bound.
func (r *Request) bodyOf(resp *http.Response) *bodyReader {
	b := &bodyReader{body: &errorAfterBytes{Reader: resp.Body}, max: -1, maxPart: r.maxObject}
	switch {
	case failed(resp.StatusCode):
		b.body = io.LimitReader(resp.Body, maxErrorBytes)
	case r.name != "" || r.verb == http.MethodPost:
		b.max = r.maxObject
	case r.maxBody > 0:
		b.max = r.maxBody
	}
	return b
}

// decoderFor returns the decoder for a response, nil if its format has none, and the format. A response without
// a format has the request's.
func (r *Request) decoderFor(resp *http.Response) (runtime.Decoder, string, error) {
	contentType := resp.Header.Get("Content-Type")
	if contentType == "" {
		contentType = r.content.ContentType
	}
	if contentType == "" {
		return nil, "", nil
	}
	mediaType, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		internal := apierrors.NewInternalError(err)
		if compat.IsClientGo() {
			return nil, contentType, internal
		}
		return nil, contentType, &ContentTypeError{ContentType: contentType, StatusCode: resp.StatusCode, Err: internal}
	}
	decoder, err := r.content.Negotiator.Decoder(mediaType, params)
	if err != nil {
		return nil, contentType, nil
	}
	return decoder, contentType, nil
}

// unknown is the message of an error response that is not text.
const unknown = "unknown"

// errorFor returns the error of an unsuccessful response, from its status code and the beginning of its body.
// If the body is a Status, that is more specific: see [Result.Error].
func (r *Request) errorFor(resp *http.Response, body []byte) error {
	message := unknown
	if isText(resp.Header) {
		message = strings.TrimSpace(string(body[:min(len(body), maxErrorTextBytes)]))
	}
	wait, _ := retryAfter(resp.Header)
	err := apierrors.NewGenericServerResponse(resp.StatusCode, r.method(), r.groupResource(), r.name, message, inSeconds(wait), true)
	if resp.StatusCode == http.StatusBadRequest && message != unknown && message != "" && !compat.IsClientGo() {
		// apimachinery's message says that the reason is unknown, although the body has it.
		err.ErrStatus.Message += ": " + message
	}
	return err
}

// method returns the request's HTTP method.
func (r *Request) method() string {
	if r.verb == "" {
		return http.MethodGet
	}
	return r.verb
}

// groupResource returns the resource of the request, empty if there is none.
func (r *Request) groupResource() schema.GroupResource {
	if r.resource == "" {
		return schema.GroupResource{}
	}
	return schema.GroupResource{Group: r.content.GroupVersion.Group, Resource: r.resource}
}

// isText reports whether a response is text; one without a format is assumed to be.
func isText(header http.Header) bool {
	contentType := header.Get("Content-Type")
	if contentType == "" {
		return true
	}
	mediaType, _, err := mime.ParseMediaType(contentType)
	return err == nil && strings.HasPrefix(mediaType, "text/")
}
