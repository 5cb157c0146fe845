package perturb

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/endpoints/request"
)

var requestInfo = &request.RequestInfoFactory{
	APIPrefixes:          sets.NewString("api", "apis"),
	GrouplessAPIPrefixes: sets.NewString("api"),
}

// resourceName is the name of a request's resource with its group: secrets, deployments.apps.
func resourceName(info *request.RequestInfo) string {
	if info.APIGroup == "" {
		return info.Resource
	}
	return info.Resource + "." + info.APIGroup
}

func parseVersion(s string) (uint64, error) { return strconv.ParseUint(s, 10, 64) }

// partial is what is read of objects in requests and responses.
type partial struct {
	Kind     string
	Metadata metav1.ObjectMeta
	Spec     struct{ HolderIdentity string } // of a lease
	Details  *metav1.StatusDetails           // of a Status
}

// readBody returns the body of a request, which can be sent again.
func readBody(req *http.Request) ([]byte, error) {
	if req.Body == nil {
		return nil, nil
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	_ = req.Body.Close()
	req.Body = io.NopCloser(bytes.NewReader(body))
	return body, nil
}

// describe returns what a write does, in the form of [point].
func describe(info *request.RequestInfo, sent partial) string {
	resource, _, _ := strings.Cut(resourceName(info), "/")
	if info.Subresource != "" {
		resource = strings.Replace(resource, info.Resource, info.Resource+"/"+info.Subresource, 1)
	}
	name := info.Name
	if name == "" {
		name = sent.Metadata.Name
	}
	if name == "" && sent.Metadata.GenerateName != "" {
		name = sent.Metadata.GenerateName + "*"
	}
	if name == "" {
		name = "*"
	}
	if info.Namespace != "" && info.Resource != "namespaces" {
		name = info.Namespace + "/" + name
	}
	return info.Verb + " " + resource + " " + name
}

// respond makes the response of an error.
func respond(req *http.Request, err *apierrors.StatusError) (*http.Response, error) {
	err.ErrStatus.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
	body, encodeErr := json.Marshal(err.ErrStatus)
	if encodeErr != nil {
		return nil, encodeErr
	}
	code := int(err.ErrStatus.Code)
	header := http.Header{"Content-Type": {"application/json"}}
	if details := err.ErrStatus.Details; details != nil && details.RetryAfterSeconds > 0 {
		header.Set("Retry-After", strconv.Itoa(int(details.RetryAfterSeconds)))
	}
	return &http.Response{
		Status: fmt.Sprintf("%d %s", code, http.StatusText(code)), StatusCode: code,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        header,
		ContentLength: int64(len(body)),
		Body:          io.NopCloser(bytes.NewReader(body)),
		Request:       req,
	}, nil
}
