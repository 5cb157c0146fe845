package rest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/compat"
	"github.com/listwatch/listwatch/runtime/metrics"
)

// Do sends the request and reads the whole response. The Result contains the error: [Result.Error] documents
// those of the server; those of the HTTP client are unchanged.
func (r *Request) Do(ctx context.Context) Result {
	var result Result
	err := r.exchange(ctx, func(resp *http.Response) { result = r.result(ctx, resp) })
	if err != nil {
		return Result{err: err, logger: klog.FromContext(ctx)}
	}
	r.observeSize(ctx, int64(len(result.body)), result.err)
	return result
}

// DoRaw sends the request and returns the body of the response in any format, and of any size unless
// [Request.LimitBody] bounds it. If the response is not a success, the error is created from the status code,
// and a very long body is truncated.
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
			if broken := (*BodyError)(nil); compat.IsClientGo() && errors.As(bodyErr, &broken) {
				bodyErr = broken.Err
			}
			bodyErr = r.requestOf(resp).wrap(bodyErr)
			return
		}
		// An unreadable rest of the body would add nothing to the error.
		body, _ = io.ReadAll(io.LimitReader(resp.Body, maxErrorBytes))
		bodyErr = r.errorFor(resp, body)
	})
	if err != nil {
		return nil, err
	}
	r.observeSize(ctx, int64(len(body)), bodyErr)
	return body, bodyErr
}

// DoInto is Do(ctx).Into(obj), except that it decodes the response while it arrives if the decoder can, and
// that a response of another kind than obj is an error, unless it is a Status of success; so is JSON that is
// not an API object. (Neither is an error if [compat.IsClientGo].) After an error, obj may contain a part of the response.
func (r *Request) DoInto(ctx context.Context, obj runtime.Object) error {
	return r.decode(ctx, func(s *streamed) error {
		out, err := s.decoder.DecodeFrom(s.body, obj)
		if err != nil || s.body.err != nil {
			return s.explain(err)
		}
		if out == obj && isJSON(s.contentType) && isEmpty(obj) {
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

// DoDiscard is Do(ctx).Error(), for requests such as DELETE whose caller only needs to know that they were
// carried out. A response of text is an error, unless [compat.IsClientGo]: it does not come from the API server, so
// the outcome of the request is unknown.
func (r *Request) DoDiscard(ctx context.Context) error {
	result := r.Do(ctx)
	if err := result.Error(); err != nil {
		return err
	}
	if len(result.body) > 0 && strings.HasPrefix(result.contentType, "text/") && !compat.IsClientGo() {
		return result.request.wrap(&ContentTypeError{ContentType: result.contentType, StatusCode: result.statusCode})
	}
	return nil
}

// StreamList sends a request for a list. It decodes everything except the items into list, and each item into
// an object created by newItem, and calls each with the items in order as soon as they arrive. If the decoder
// cannot do so, the whole response is decoded first, and each is called with items that newItem did not create;
// list has no items afterwards in this case too.
//
// If the context comes from [codec.WithUndecodable], each may be called with a [*codec.Undecodable].
//
// The list is complete only if the error is nil: each may have been called before another error, or with items
// of a list that the server then aborted. An error returned by each ends the list and is returned. A response
// of another kind than list is an error, and so is JSON that is not an API object. [Request.Timeout] includes
// the time that each takes.
func (r *Request) StreamList(ctx context.Context, list runtime.Object, newItem func() runtime.Object, each func(runtime.Object) error) error {
	return r.decode(ctx, func(s *streamed) error {
		var stop error // the error that each returned
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
		if out == list && items == 0 && isJSON(s.contentType) && isEmpty(list) {
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
		// The items are copied, so that keeping one does not keep the whole list in memory.
		if err := meta.EachListItemWithAlloc(list, each); err != nil {
			return err
		}
		return dropItems(list)
	})
}

// decode sends the request and decodes the response: with stream while it arrives, if it is a success and the
// decoder can do so, otherwise with whole.
func (r *Request) decode(ctx context.Context, stream func(*streamed) error, whole func(Result) error) error {
	var (
		result    Result
		s         *streamed // used instead of result if not nil
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

// streamed is a response that is decoded while it arrives.
type streamed struct {
	decoder     codec.StreamDecoder
	body        *bodyReader
	statusCode  int
	contentType string
	request     requestRef
}

// streamed returns resp for decoding while it arrives, or nil if that is impossible.
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
	return &streamed{decoder: codec.ForContext(ctx, d), body: r.bodyOf(resp), statusCode: resp.StatusCode, contentType: contentType, request: r.requestOf(resp)}
}

// explain returns the error of decoding, given the decoder's error: the decoder may have missed that the body
// was broken, or mistaken an empty body for a broken one. A truncated object is not an undecodable one.
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

// dropItems removes the items of a list.
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

// observeSize records the size of a response in metrics, unless an error occurred before anything was read.
func (r *Request) observeSize(ctx context.Context, size int64, err error) {
	if err == nil || size > 0 {
		metrics.ResponseSize.Observe(ctx, r.verb, r.c.host(), float64(size))
	}
}
