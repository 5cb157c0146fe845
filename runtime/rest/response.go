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
)

// failed reports whether a status code is neither a success nor a change of protocol.
func failed(code int) bool {
	return code != http.StatusSwitchingProtocols && (code < http.StatusOK || code > http.StatusPartialContent)
}

// result reads an answer.
func (r *Request) result(ctx context.Context, resp *http.Response) Result {
	result := Result{statusCode: resp.StatusCode, logger: klog.FromContext(ctx), request: r.requestOf(resp)}
	body := r.bodyOf(resp)
	data, err := body.readAll(resp.ContentLength)
	if err != nil {
		result.logger.V(2).Info("The body of an answer could not be read", "err", err)
		if failed(resp.StatusCode) {
			err = r.errorFor(resp, data) // the status code says more
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

// bodyOf returns what reads the body of an answer, with the bound that holds for it.
func (r *Request) bodyOf(resp *http.Response) *bodyReader {
	b := &bodyReader{body: &apart{Reader: resp.Body}, max: -1, maxPart: r.maxObject}
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

// decoderFor returns the decoder for an answer, nil where there is none for its format, and the format. An
// answer that does not say its format has the request's.
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
		return nil, contentType, &ContentTypeError{ContentType: contentType, StatusCode: resp.StatusCode, Err: apierrors.NewInternalError(err)}
	}
	decoder, err := r.content.Negotiator.Decoder(mediaType, params)
	if err != nil {
		return nil, contentType, nil
	}
	return decoder, contentType, nil
}

// unknown is what there is to say of an error whose answer is not for people.
const unknown = "unknown"

// errorFor returns the error for an answer that is no success, by its status code and the beginning of its
// body. Where the body is a Status, that says more: see [Result.Error].
func (r *Request) errorFor(resp *http.Response, body []byte) error {
	message := unknown
	if isText(resp.Header) {
		message = strings.TrimSpace(string(body[:min(len(body), maxErrorTextBytes)]))
	}
	wait, _ := retryAfter(resp.Header)
	err := apierrors.NewGenericServerResponse(resp.StatusCode, r.method(), r.groupResource(), r.name, message, inSeconds(wait), true)
	if resp.StatusCode == http.StatusBadRequest && message != unknown && message != "" {
		// The text that apimachinery has is that the reason is unknown, which it is not.
		err.ErrStatus.Message += ": " + message
	}
	return err
}

// method is the request's.
func (r *Request) method() string {
	if r.verb == "" {
		return http.MethodGet
	}
	return r.verb
}

// groupResource is what the request is to, or empty.
func (r *Request) groupResource() schema.GroupResource {
	if r.resource == "" {
		return schema.GroupResource{}
	}
	return schema.GroupResource{Group: r.content.GroupVersion.Group, Resource: r.resource}
}

// isText reports whether an answer is text for people, as one that does not say its format is taken to be.
func isText(header http.Header) bool {
	contentType := header.Get("Content-Type")
	if contentType == "" {
		return true
	}
	mediaType, _, err := mime.ParseMediaType(contentType)
	return err == nil && strings.HasPrefix(mediaType, "text/")
}
