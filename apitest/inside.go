package apitest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/endpoints/filters"
	"k8s.io/apiserver/pkg/endpoints/request"
)

// inside sends requests to resources as the admin, without the network and the other filters.
type inside struct {
	handler http.Handler
}

func newInside(resources http.Handler) *inside {
	known := http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		resources.ServeHTTP(w, req.WithContext(request.WithUser(req.Context(), admin)))
	})
	return &inside{handler: filters.WithRequestInfo(known, requestInfo)}
}

// do sends a request with a JSON body, if any, and returns the JSON body of the response. An error response is
// an error with its Status.
func (i *inside) do(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.RequestURI = path
	req.Header.Set("Accept", runtime.ContentTypeJSON)
	req.Header.Set("Content-Type", runtime.ContentTypeJSON)
	req.Header.Set("User-Agent", "apitest")
	answer := &answer{header: http.Header{}, code: http.StatusOK}
	i.handler.ServeHTTP(answer, req)
	if answer.code >= http.StatusMultipleChoices {
		status := metav1.Status{}
		if err := json.Unmarshal(answer.body.Bytes(), &status); err != nil || status.Status != metav1.StatusFailure {
			return nil, fmt.Errorf("%s %s: %d %s", method, path, answer.code, answer.body.Bytes())
		}
		return nil, &apierrors.StatusError{ErrStatus: status}
	}
	return answer.body.Bytes(), nil
}

// definitions returns the existing CRDs.
func (i *inside) definitions(ctx context.Context) ([]apiextensions.CustomResourceDefinition, error) {
	body, err := i.do(ctx, http.MethodGet, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", nil)
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
