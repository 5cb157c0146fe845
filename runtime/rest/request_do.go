package rest

import (
	"context"
	"io"
	"net/http"
	"strings"

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

// DoRaw sends the request and returns the body of the answer, of whatever format, and of whatever size unless
// [Request.LimitBody] bounds it. Where the answer is
// no success, the error is made from the status code, and the body is cut where it is very long.
func (r *Request) DoRaw(ctx context.Context) ([]byte, error) {
	var body []byte
	var bodyErr error
	err := r.exchange(ctx, func(resp *http.Response) {
		code := resp.StatusCode
		if code >= http.StatusOK && code <= http.StatusPartialContent {
			reader := &bodyReader{body: resp.Body, max: -1}
			if r.maxBody > 0 {
				reader.max = r.maxBody
			}
			body, bodyErr = reader.readAll(resp.ContentLength)
			bodyErr = r.requestOf(resp).wrap(bodyErr)
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
// holding it whole; and an answer of another kind than obj is an error, unless it is a Status of success, and so
// is JSON that is no object of an API. After an error, obj may hold a part of the answer.
func (r *Request) DoInto(ctx context.Context, obj runtime.Object) error {
	return r.decode(ctx, func(s *streamed) error {
		out, err := s.decoder.DecodeFrom(s.body, obj)
		if err != nil || s.body.err != nil {
			return s.explain(err)
		}
		if out == obj && isEmpty(obj) {
			return s.request.wrap(notObjectError(s.body.beginning()))
		}
		return s.request.wrap(objectError(out, obj))
	}, func(result Result) error {
		out, err := result.into(obj)
		if err != nil {
			return err
		}
		if out == obj && result.isJSON() && isEmpty(obj) {
			return result.request.wrap(notObjectError(result.body))
		}
		return result.request.wrap(objectError(out, obj))
	})
}

// DoDiscard is Do(ctx).Error(), for requests of which the caller wants to know no more than that they were carried
// out, as with DELETE. An answer that is a text for people is an error: it is not the server's, and nobody knows what
// became of the request.
func (r *Request) DoDiscard(ctx context.Context) error {
	result := r.Do(ctx)
	if err := result.Error(); err != nil {
		return err
	}
	if len(result.body) > 0 && strings.HasPrefix(result.contentType, "text/") {
		return result.request.wrap(&ContentTypeError{ContentType: result.contentType, StatusCode: result.statusCode})
	}
	return nil
}

// StreamList sends a request for a list. All but the items of the answer go into list; each item is
// decoded into an object made by newItem, and given to each in order, as soon as it is there. Where the
// decoder cannot do so, the answer is decoded whole, and each gets its items then, which newItem did not
// make; list's items are empty after that, too.
//
// Where the context is one of [codec.Tolerate], each may get a [*codec.Undecodable].
//
// The list is complete only where the error is nil: each may have been called before another error, or with
// a list that the server then gave up. An error of each ends the list and is returned. An answer of
// another kind than list is an error, and so is JSON that is no object of an API. [Request.Timeout] includes the time that each takes.
func (r *Request) StreamList(ctx context.Context, list runtime.Object, newItem func() runtime.Object, each func(runtime.Object) error) error {
	return r.decode(ctx, func(s *streamed) error {
		var stop error // what each returned
		items := 0
		out, err := s.decoder.DecodeList(s.body, list, newItem, func(item runtime.Object) error {
			items++
			stop = each(item)
			return stop
		})
		if stop != nil {
			return stop
		}
		if err != nil || s.body.err != nil {
			return s.explain(err)
		}
		if out == list && items == 0 && isEmpty(list) {
			return s.request.wrap(notObjectError(s.body.beginning()))
		}
		return s.request.wrap(listError(out, list))
	}, func(result Result) error {
		out, err := result.into(list)
		if err != nil {
			return err
		}
		if err := listError(out, list); err != nil {
			return result.request.wrap(err)
		}
		if result.isJSON() && isEmpty(list) {
			return result.request.wrap(notObjectError(result.body))
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
func (r *Request) decode(ctx context.Context, stream func(*streamed) error, whole func(Result) error) error {
	var (
		result    Result
		s         *streamed // in the place of result
		streamErr error
	)
	err := r.exchange(ctx, func(resp *http.Response) {
		if s = r.streamed(ctx, resp); s == nil {
			result = r.result(ctx, resp)
			return
		}
		handleWarnings(ctx, resp.Header, r.warningHandler)
		streamErr = stream(s)
	})
	if err != nil {
		return err
	}
	if s != nil {
		r.observeSize(ctx, s.body.read, s.body.err)
		return streamErr
	}
	r.observeSize(ctx, int64(len(result.body)), result.err)
	return whole(result)
}

// streamed is an answer that is decoded while it comes in.
type streamed struct {
	decoder     codec.StreamDecoder
	body        *bodyReader
	statusCode  int
	contentType string
	request     requestRef
}

// streamed returns an answer as one that is decoded while it comes in, or nil where that cannot be.
func (r *Request) streamed(ctx context.Context, resp *http.Response) *streamed {
	if code := resp.StatusCode; failed(code) || code == http.StatusSwitchingProtocols {
		return nil
	}
	decoder, contentType, err := r.decoderFor(resp)
	if err != nil {
		return nil
	}
	d, ok := decoder.(codec.StreamDecoder)
	if !ok {
		return nil
	}
	return &streamed{decoder: codec.InContext(ctx, d), body: r.bodyOf(resp), statusCode: resp.StatusCode, contentType: contentType, request: r.requestOf(resp)}
}

// explain returns the error of decoding, given what the decoder says: it may not have noticed that the body
// was broken, or take one that is empty for one that is. That an object was cut off does not make it one that
// cannot be decoded.
func (s *streamed) explain(err error) error {
	switch {
	case s.body.err != nil:
		err = s.body.err
	case s.body.read == 0:
		err = emptyError(s.statusCode, s.contentType)
	default:
		err = pageError(err, s.body.beginning())
	}
	return s.request.wrap(err)
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
