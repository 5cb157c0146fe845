package column

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/conformance/server/suite"
)

// encode encodes an object like a server, with its kind.
func (f found) encode(scheme *runtime.Scheme, object runtime.Object) ([]byte, error) {
	kinds, _, err := scheme.ObjectKinds(object)
	if err != nil {
		return nil, err
	}
	object = object.DeepCopyObject()
	if meta.IsListType(object) && meta.LenList(object) == 0 {
		// An empty list of items is encoded as [], not as null as in Go.
		if err = meta.SetList(object, nil); err != nil {
			return nil, err
		}
	}
	if object.GetObjectKind().GroupVersionKind().Empty() {
		object.GetObjectKind().SetGroupVersionKind(kinds[0])
	}
	data, err := json.Marshal(object)
	return []byte(f.alias.out(string(data))), err
}

// refusal returns the response that corresponds to a call's error. Other errors have no status code
// of a server.
func (f found) refusal(err error) (suite.Response, error) {
	var refused apierrors.APIStatus
	if !errors.As(err, &refused) {
		return suite.Response{Body: []byte(fmt.Sprintf("the client failed: %v", err))}, nil
	}
	status := refused.Status()
	status.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
	data, err := json.Marshal(status)
	return suite.Response{Status: int(status.Code), Header: http.Header{}, Body: []byte(f.alias.out(string(data)))}, err
}

// stream contains the events of a typed watch.
type stream struct {
	found
	scheme *runtime.Scheme
	watch  watch.Interface
	stop   func()
}

// newStream returns the events of a watch. Stop also calls cancel.
func newStream(f found, scheme *runtime.Scheme, w watch.Interface, cancel context.CancelFunc) *stream {
	return &stream{found: f, scheme: scheme, watch: w, stop: sync.OnceFunc(func() {
		w.Stop()
		cancel()
	})}
}

// Next implements suite.Stream.
func (s *stream) Next(ctx context.Context) (suite.Event, error) {
	select {
	case event, ok := <-s.watch.ResultChan():
		if !ok {
			return suite.Event{}, io.EOF
		}
		object, err := s.encode(s.scheme, event.Object)
		return suite.Event{Type: string(event.Type), Object: object}, err
	case <-ctx.Done():
		return suite.Event{}, ctx.Err()
	}
}

// Stop implements suite.Stream.
func (s *stream) Stop() { s.stop() }
