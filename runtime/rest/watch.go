package rest

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/streaming"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/compat"
	"github.com/listwatch/listwatch/runtime/internal/secret"
	restwatch "github.com/listwatch/listwatch/runtime/watch"
)

// reasonDecoding is the type of the causes in the error event of an undecodable event.
const reasonDecoding = "ClientWatchDecoding"

// Watch sends the request and returns the events of the response. The caller must stop it. It ends when the
// server or the context ends it, or the connection is lost. If an event cannot be decoded, the last event is a
// [watch.Error] whose object is a Status with the name of the object and, in the causes, the field. If the
// context comes from [codec.WithUndecodable], a [*codec.Undecodable] replaces that event, and the watch continues.
// Watches do not count towards the rate limit.
//
// If the connection is lost or times out before there is a response, after all retries, Watch returns an empty
// watch that has ended.
func (r *Request) Watch(ctx context.Context) (watch.Interface, error) {
	if r.err != nil {
		return nil, r.err
	}
	s := newSender(r, lostWatch)
	last, err := s.send(ctx)
	if err != nil {
		return nil, err
	}
	if last.err != nil {
		if ctx.Err() == nil && lostWatch(nil, last.err) {
			return watch.NewEmptyWatch(), nil
		}
		return nil, s.withPrevious(last.err)
	}
	if last.resp.StatusCode == http.StatusOK {
		return r.events(ctx, last.resp)
	}
	defer drain(last.resp)
	if err := r.result(ctx, last.resp).Error(); err != nil {
		return nil, s.withPrevious(err)
	}
	return nil, s.withPrevious(fmt.Errorf("for request %s, got status: %v", secret.URL(s.url), last.resp.StatusCode))
}

// events returns the watch of the events in a response. It closes the response when the watch ends, or at once
// if it returns an error.
func (r *Request) events(ctx context.Context, resp *http.Response) (watch.Interface, error) {
	logger := klog.FromContext(ctx)
	contentType := resp.Header.Get("Content-Type")
	mediaType, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		logger.V(4).Info("Unexpected content type from the server", "contentType", contentType, "err", err)
	}
	objects, events, framer, err := r.content.Negotiator.StreamDecoder(mediaType, params)
	if err != nil {
		_ = resp.Body.Close() // err is the error to return
		if compat.IsClientGo() {
			return nil, err
		}
		return nil, r.requestOf(resp).wrap(&ContentTypeError{ContentType: contentType, StatusCode: resp.StatusCode, Err: err})
	}
	handleWarnings(ctx, resp.Header, r.warningHandler)

	d := &watchDecoder{ctx: ctx, body: &watchBody{Closer: resp.Body, body: errorAfterBytes{Reader: resp.Body}}}
	stream, ok := objects.(codec.StreamDecoder)
	if ok {
		stream = codec.ForContext(ctx, stream)
	}
	switch {
	case ok && mediaType == runtime.ContentTypeJSON:
		d.Decoder = restwatch.NewStreamDecoder(d.body, stream)
	case ok && mediaType == runtime.ContentTypeProtobuf:
		d.Decoder = restwatch.NewProtobufDecoder(d.body, events, stream)
	default:
		d.Decoder = restwatch.NewDecoder(streaming.NewDecoder(framer.NewFrameReader(d.body), events), objects)
	}
	return newWatcher(logger, d, &watchReporter{method: r.method(), resource: r.groupResource(), decoder: d}), nil
}

// watchDecoder keeps the last error, of which the watcher passes only the text to its reporter. The watcher's
// goroutine calls both.
type watchDecoder struct {
	watch.Decoder
	ctx  context.Context
	body *watchBody
	err  error
}

func (d *watchDecoder) Decode() (watch.EventType, runtime.Object, error) {
	var typ watch.EventType
	var obj runtime.Object
	typ, obj, d.err = d.Decoder.Decode()
	if d.err != nil && d.ctx.Err() != nil {
		d.err = io.EOF // the end of the context is not a failure
	}
	return typ, obj, d.err
}

// hasNext reports whether the next event has arrived.
func (d *watchDecoder) hasNext() bool {
	next, ok := d.Decoder.(interface{ HasNext() bool })
	return ok && next.HasNext()
}

// watchBody keeps the error that ended the body of the events. Only the watcher's goroutine reads it.
type watchBody struct {
	io.Closer
	body errorAfterBytes
	err  error
}

func (b *watchBody) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	if err != nil {
		b.err = err
	}
	return n, err
}

// lost reports whether the connection was lost: not if the body ended, or compressed data is corrupt.
func (b *watchBody) lost() bool {
	var corrupt flate.CorruptInputError
	return b.err != nil && !errors.Is(b.err, io.EOF) &&
		!errors.Is(b.err, gzip.ErrHeader) && !errors.Is(b.err, gzip.ErrChecksum) && !errors.As(b.err, &corrupt)
}

// watchReporter creates the object of an error event.
type watchReporter struct {
	method   string
	resource schema.GroupResource
	decoder  *watchDecoder
}

// AsObject implements watch.Reporter.
func (r *watchReporter) AsObject(err error) runtime.Object {
	// 500, since the cause is unknown: other codes have a meaning in HTTP.
	resource := r.resource
	if compat.IsClientGo() {
		resource = schema.GroupResource{}
	}
	status := &apierrors.NewGenericServerResponse(http.StatusInternalServerError, r.method, resource, "", err.Error(), 0, true).ErrStatus
	details := status.Details
	details.Causes = append(details.Causes, metav1.StatusCause{Type: reasonDecoding, Message: err.Error()})
	var at *codec.Error
	if compat.IsClientGo() || !errors.As(r.decoder.err, &at) {
		return status
	}
	details.Group, details.Kind, details.Name = at.GVK.Group, at.GVK.Kind, at.Name
	if at.Pointer != "" {
		details.Causes = append(details.Causes, metav1.StatusCause{
			Type:    reasonDecoding,
			Message: at.Err.Error(),
			Field:   at.Pointer,
		})
	}
	return status
}
