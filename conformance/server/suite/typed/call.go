package typed

import (
	"context"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// Call is a call of a method of a typed client.
type Call struct {
	// Method is its name, such as UpdateStatus.
	Method string
	// Sends and Accepts are the media types for which the client is configured, by
	// ContentType and AcceptContentTypes.
	Sends, Accepts string

	kind      kind
	namespace string
	// args are the arguments after the context.
	args []reflect.Value
}

// Result is the result of a call.
type Result struct {
	// Object is nil for watches, deletions and failures.
	Object runtime.Object
	// Watch is nil except for watches. The caller stops it.
	Watch watch.Interface
	Err   error
}

// String returns the call as in Go, without its arguments.
func (c *Call) String() string {
	if !c.kind.Namespaced {
		return fmt.Sprintf("%s().%s().%s", c.kind.Group, c.kind.Getter, c.Method)
	}
	return fmt.Sprintf("%s().%s(%q).%s", c.kind.Group, c.kind.Getter, c.namespace, c.Method)
}

// Do makes the call on a clientset, which must have the interface for which the call was resolved.
func (c *Call) Do(ctx context.Context, clientset any) Result {
	method := c.kind.client(clientset, c.namespace).MethodByName(c.Method)
	var r Result
	for _, out := range method.Call(append([]reflect.Value{reflect.ValueOf(ctx)}, c.args...)) {
		switch v := out.Interface().(type) {
		case nil:
		case error:
			r.Err = v
		case watch.Interface:
			r.Watch = v
		case runtime.Object:
			r.Object = v
		}
	}
	if r.Err != nil {
		r.Object, r.Watch = nil, nil
	}
	return r
}
