package rest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/metrics"
)

// Do sends the request and reads the answer whole. Errors are in the Result: see [Result.Error] for those of the
// server; those of the HTTP client are returned as they are.
func (r *Request) Do(ctx context.Context) Result {
	var result Result
	err := r.exchange(ctx, func(resp *http.Response) { result = r.result(ctx, resp) })
	if err != nil {
		return Result{err: err, logger: klog.FromContext(ctx)}
	}
	r.observeSize(ctx, int64(len(result.body)), result.err)
	return result
}

// DoRaw sends the request and returns the body of the answer, of whatever format and size. Where the answer is
// no success, the error is made from the status code, and the body is cut where it is very long.
func (r *Request) DoRaw(ctx context.Context) ([]byte, error) {
	var body []byte
	var bodyErr error
	err := r.exchange(ctx, func(resp *http.Response) {
		code := resp.StatusCode
		if code >= http.StatusOK && code <= http.StatusPartialContent {
			body, bodyErr = io.ReadAll(resp.Body)
			return
		}
		// What of the body cannot be read would be of no more help than the rest of it.
		body, _ = io.ReadAll(io.LimitReader(resp.Body, maxErrorBytes))
		bodyErr = r.errorFor(resp, body)
	})
	if err != nil {
		return nil, err
	}
	r.observeSize(ctx, int64(len(body)), bodyErr)
	return body, bodyErr
}

// DoInto is Do(ctx).Into(obj), but decodes the answer while it comes in where the decoder can, instead of
// holding it whole. After an error, obj may hold a part of the answer.
func (r *Request) DoInto(ctx context.Context, obj runtime.Object) error {
	return r.decode(ctx, func(d codec.StreamDecoder, body io.Reader) error {
		out, err := d.DecodeFrom(body, obj)
		if err != nil || out == obj {
			return err
		}
		return statusError(out)
	}, func(result Result) error {
		return result.Into(obj)
	})
}

// StreamList sends a request for a list. All but the items of the answer go into list; each item is
// decoded into an object made by newItem, and given to each in order, as soon as it is there. Where the
// decoder cannot do so, the answer is decoded whole, and each gets its items then, which newItem did not
// make; list's items are empty after that, too.
//
// The list is complete only where the error is nil: each may have been called before another error, or with
// a list that the server then gave up. An error of each ends the list and is returned. An answer of
// another kind than list is an error. [Request.Timeout] includes the time that each takes.
func (r *Request) StreamList(ctx context.Context, list runtime.Object, newItem func() runtime.Object, each func(runtime.Object) error) error {
	return r.decode(ctx, func(d codec.StreamDecoder, body io.Reader) error {
		var stop error // what each returned
		out, err := d.DecodeList(body, list, newItem, func(item runtime.Object) error {
			stop = each(item)
			return stop
		})
		switch {
		case stop != nil:
			return &stopError{stop}
		case err != nil:
			return err
		default:
			return listError(out, list)
		}
	}, func(result Result) error {
		out, err := result.into(list)
		if err != nil {
			return err
		}
		if err := listError(out, list); err != nil {
			return err
		}
		// The items are copied, so that one that is kept does not keep all.
		if err := meta.EachListItemWithAlloc(list, each); err != nil {
			return err
		}
		return dropItems(list)
	})
}

// decode sends the request and has the answer decoded: by stream, while it comes in, where it is a success
// and the decoder can do so, else whole.
func (r *Request) decode(ctx context.Context, stream func(codec.StreamDecoder, io.Reader) error, whole func(Result) error) error {
	var result Result    // read whole
	var body *bodyReader // decoded as it came in
	var bodyErr error
	err := r.exchange(ctx, func(resp *http.Response) {
		if decoder, contentType := r.streamDecoder(resp); decoder != nil {
			handleWarnings(ctx, resp.Header, r.warningHandler)
			body = r.bodyOf(resp)
			bodyErr = streamError(body, stream(decoder, body), resp.StatusCode, contentType)
			return
		}
		result = r.result(ctx, resp)
	})
	if err != nil {
		return err
	}
	if body != nil {
		r.observeSize(ctx, body.read, body.err)
		return bodyErr
	}
	r.observeSize(ctx, int64(len(result.body)), result.err)
	return whole(result)
}

// streamDecoder returns the decoder for an answer that can be decoded while it comes in, and its format, or
// nil.
func (r *Request) streamDecoder(resp *http.Response) (codec.StreamDecoder, string) {
	if code := resp.StatusCode; failed(code) || code == http.StatusSwitchingProtocols {
		return nil, ""
	}
	decoder, contentType, err := r.decoderFor(resp)
	if err != nil {
		return nil, ""
	}
	d, _ := decoder.(codec.StreamDecoder)
	return d, contentType
}

// streamError returns what went wrong in decoding a body that came in, given what the decoder says.
func streamError(body *bodyReader, err error, statusCode int, contentType string) error {
	var stop *stopError
	switch {
	case errors.As(err, &stop):
		return stop.err
	case body.err != nil && !errors.Is(err, body.err):
		return body.err // also where the decoder did not notice
	case err != nil && body.read == 0 && body.err == nil:
		return emptyError(statusCode, contentType)
	default:
		return err
	}
}

// stopError carries what a function of the user returned past what looks at errors of decoding.
type stopError struct{ err error }

func (e *stopError) Error() string { return e.err.Error() }

// listError returns the error that an answer is where list was wanted.
func listError(got, list runtime.Object) error {
	if got == list {
		return nil
	}
	if err := statusError(got); err != nil {
		return err
	}
	return fmt.Errorf("the server answered with %s where %T was wanted", kindOf(got), list)
}

func kindOf(obj runtime.Object) string {
	if obj == nil {
		return "nothing"
	}
	if kind := obj.GetObjectKind().GroupVersionKind().Kind; kind != "" {
		return fmt.Sprintf("%s (%T)", kind, obj)
	}
	return fmt.Sprintf("%T", obj)
}

// dropItems sets the items of a list to none.
func dropItems(list runtime.Object) error {
	items, err := meta.GetItemsPtr(list)
	if err != nil {
		return err
	}
	v, err := conversion.EnforcePtr(items)
	if err != nil {
		return err
	}
	v.SetZero()
	return nil
}

// observeSize tells the metrics the size of an answer, unless nothing was read because of an error.
func (r *Request) observeSize(ctx context.Context, size int64, err error) {
	if err == nil || size > 0 {
		metrics.ResponseSize.Observe(ctx, r.verb, r.c.host(), float64(size))
	}
}
