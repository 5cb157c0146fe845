package embedded

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apiserver/pkg/endpoints/filters"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/listwatch/listwatch/apitest/internal/discovery"
	"github.com/listwatch/listwatch/apitest/internal/hooks"
	"github.com/listwatch/listwatch/apitest/internal/openapi"
)

// loopback sends requests to the resources of the server as the admin, without the network and the other filters. It is
// safe for concurrent use.
type loopback struct {
	discover *discovery.Handler
	handler  http.Handler
}

func newLoopback(resources http.Handler, discover *discovery.Handler) *loopback {
	l := &loopback{discover: discover}
	asAdmin := http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		resources.ServeHTTP(w, req.WithContext(request.WithUser(req.Context(), admin)))
	})
	l.handler = filters.WithRequestInfo(l.wrap(asAdmin), requestInfo)
	return l
}

// typeChecker returns a checker of expressions about the objects that are served now. The context is that of its reads.
func (l *loopback) typeChecker(ctx context.Context) *hooks.TypeChecker {
	models := &openapi.Handler{Groups: l.discover.Groups, Definitions: l.definitions}
	return hooks.NewTypeChecker(l.discover.Groups(), func(gv schema.GroupVersion) (map[string]*spec.Schema, error) {
		return models.Schemas(ctx, gv)
	})
}

type loopbackKey struct{}

// wrap adds the loopback to the contexts of requests, for what they need of other resources.
func (l *loopback) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		next.ServeHTTP(w, req.WithContext(context.WithValue(req.Context(), loopbackKey{}, l)))
	})
}

// withWarnings returns a loopback whose responses contain the warnings of the server.
func (l *loopback) withWarnings() *loopback {
	return &loopback{l.discover, filters.WithWarningRecorder(l.handler)}
}

// post creates an object, and returns the warnings in the response. There are objects that make the handlers panic.
func (l *loopback) post(ctx context.Context, path string, body []byte) (warnings []string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the API server fails with a panic: %v", p)
		}
	}()
	answer, err := l.exchange(ctx, http.MethodPost, path, body)
	headers, _ := net.ParseWarningHeaders(answer.header.Values("Warning")) // they are the server's own
	for _, h := range headers {
		warnings = append(warnings, h.Text)
	}
	return warnings, err
}

// do sends a request with a JSON body, if any, and returns the JSON body of the response. An error response is
// an error with its Status.
func (l *loopback) do(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	answer, err := l.exchange(ctx, method, path, body)
	if err != nil {
		return nil, err
	}
	return answer.body.Bytes(), nil
}

// exchange sends a request, and returns the response, also if it is an error.
func (l *loopback) exchange(ctx context.Context, method, path string, body []byte) (*answer, error) {
	answer := &answer{header: http.Header{}, code: http.StatusOK}
	req, err := http.NewRequestWithContext(ctx, method, path, bytes.NewReader(body))
	if err != nil {
		return answer, err
	}
	req.RequestURI = path
	req.Header.Set("Accept", runtime.ContentTypeJSON)
	req.Header.Set("Content-Type", runtime.ContentTypeJSON)
	req.Header.Set("User-Agent", "apitest")
	l.handler.ServeHTTP(answer, req)
	if answer.code >= http.StatusMultipleChoices {
		status := metav1.Status{}
		if err := json.Unmarshal(answer.body.Bytes(), &status); err != nil || status.Status != metav1.StatusFailure {
			return answer, fmt.Errorf("%s %s: %d %s", method, path, answer.code, answer.body.Bytes())
		}
		return answer, &apierrors.StatusError{ErrStatus: status}
	}
	return answer, nil
}

// RoundTrip implements http.RoundTripper.
func (l *loopback) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body == nil {
		req.Body = http.NoBody
	}
	defer func() { _ = req.Body.Close() }()
	req = req.Clone(req.Context())
	req.RequestURI = req.URL.RequestURI()
	answer := &answer{header: http.Header{}, code: http.StatusOK}
	l.handler.ServeHTTP(answer, req)
	return &http.Response{
		Status:        http.StatusText(answer.code),
		StatusCode:    answer.code,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        answer.header,
		Body:          io.NopCloser(&answer.body),
		ContentLength: int64(answer.body.Len()),
		Request:       req,
	}, nil
}

// definitions returns the existing CRDs.
func (l *loopback) definitions(ctx context.Context) ([]apiextensions.CustomResourceDefinition, error) {
	body, err := l.do(ctx, http.MethodGet, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", nil)
	if err != nil {
		return nil, err
	}
	list := apiextensions.CustomResourceDefinitionList{}
	err = json.Unmarshal(body, &list)
	return list.Items, err
}

// answer records the response of a handler.
type answer struct {
	header http.Header
	code   int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) WriteHeader(code int)        { a.code = code }
func (a *answer) Write(b []byte) (int, error) { return a.body.Write(b) }
