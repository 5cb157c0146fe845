package drive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"reflect"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/conformance/runtime/requests/transcript"
)

// call calls a method of a kind with arguments of a shape, and records the results; a panic counts
// as an error. If drain is set, it reads a watch to the end.
func call(c *transcript.Call, k kind, m reflect.Method, s shape, drain bool) error {
	args, err := s.arguments(k, m)
	if err != nil {
		return fmt.Errorf("%v: %w", k, err)
	}
	defer Recovered(c)
	for _, result := range k.client.MethodByName(m.Name).Call(args) {
		switch v := result.Interface().(type) {
		case nil:
		case error:
			Fail(c, v)
		case watch.Interface:
			c.Result = "a watch"
			if drain {
				for e := range v.ResultChan() {
					c.Events = append(c.Events, string(e.Type)+" "+text(e.Object))
				}
			}
			v.Stop()
		default:
			timeless(v)
			c.Result = fmt.Sprintf("%v %s", result.Type(), text(v))
		}
	}
	return nil
}

// Recovered records a panic. It must be deferred.
func Recovered(c *transcript.Call) {
	if p := recover(); p != nil {
		c.Error, c.Failure = fmt.Sprintf("panic: %v", p), "a panic"
	}
}

// Fail records an error, if there is one.
func Fail(c *transcript.Call, err error) {
	if err != nil {
		c.Error, c.Failure = err.Error(), failure(err)
	}
}

// failure returns what callers can learn from an error without reading its text.
func failure(err error) string {
	var words []string
	if status := apierrors.APIStatus(nil); errors.As(err, &status) {
		words = append(words, text(status.Status()))
		if _, ok := err.(apierrors.APIStatus); !ok {
			words = append(words, "wrapped")
		}
	}
	for _, is := range []struct {
		name string
		that bool
	}{
		{"cancelled", errors.Is(err, context.Canceled)},
		{"too late", errors.Is(err, context.DeadlineExceeded)},
		{"unexpected end", errors.Is(err, io.ErrUnexpectedEOF)},
		{"unknown kind", runtime.IsNotRegisteredError(err)},
		{"no kind", runtime.IsMissingKind(err)},
		{"no version", runtime.IsMissingVersion(err)},
	} {
		if is.that {
			words = append(words, is.name)
		}
	}
	if request := (*url.Error)(nil); errors.As(err, &request) {
		words = append(words, "request")
	}
	return strings.Join(words, "; ")
}

// timeless removes the times of managed fields from an object, or a list of them.
func timeless(v any) {
	if list, ok := v.(metav1.ListInterface); ok {
		// An error means that there are no items.
		_ = meta.EachListItem(list.(runtime.Object), func(o runtime.Object) error {
			timeless(o)
			return nil
		})
	}
	if o, ok := v.(metav1.Object); ok && !reflect.ValueOf(v).IsNil() {
		fields := o.GetManagedFields()
		for i := range fields {
			fields[i].Time = nil
		}
		o.SetManagedFields(fields)
	}
}
