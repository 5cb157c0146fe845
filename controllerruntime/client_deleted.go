package controllerruntime

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// deletion is what a server reports of a deletion: controller-runtime's client does not return it.
type deletion struct {
	known   metav1.ObjectMeta // of the object to delete
	objects []metav1.ObjectMeta
}

type deletionKey struct{}

// deletionOf returns a context for the deletion of an object, or of objects of its kind, and what is reported of it, when the
// request has succeeded.
func deletionOf(ctx context.Context, obj client.Object) (context.Context, *deletion) {
	d := &deletion{known: metav1.ObjectMeta{
		Namespace: obj.GetNamespace(), Name: obj.GetName(), UID: obj.GetUID(), ResourceVersion: obj.GetResourceVersion(), Labels: obj.GetLabels(),
	}}
	return context.WithValue(ctx, deletionKey{}, d), d
}

// reportDeleted returns a client that fills in the deletions of requests' contexts.
func reportDeleted(client *http.Client) *http.Client {
	out := *client
	out.Transport = deletionReporter{out.Transport}
	return &out
}

type deletionReporter struct{ next http.RoundTripper }

// RoundTrip implements [http.RoundTripper].
func (r deletionReporter) RoundTrip(request *http.Request) (*http.Response, error) {
	next := r.next
	if next == nil {
		next = http.DefaultTransport
	}
	d, ok := request.Context().Value(deletionKey{}).(*deletion)
	if !ok || request.Method != http.MethodDelete {
		return next.RoundTrip(request)
	}
	request = request.Clone(request.Context())
	request.Header.Set("Accept", "application/json")
	response, err := next.RoundTrip(request)
	if err != nil || response.StatusCode/100 != 2 {
		return response, err
	}
	body, err := io.ReadAll(response.Body)
	_ = response.Body.Close() // it was read
	response.Body = io.NopCloser(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	d.read(body)
	return response, nil
}

// WrappedRoundTripper returns the transport below, for those who look for one.
func (r deletionReporter) WrappedRoundTripper() http.RoundTripper { return r.next }

// read reads a response: a status with the object's UID, the object or, of several objects, their list.
func (d *deletion) read(body []byte) {
	var response struct {
		Metadata metav1.ObjectMeta `json:"metadata"`
		Details  struct {
			UID types.UID `json:"uid"`
		} `json:"details"`
		Items []struct {
			Metadata metav1.ObjectMeta `json:"metadata"`
		} `json:"items"`
	}
	if json.Unmarshal(body, &response) != nil {
		return
	}
	d.objects = nil
	for _, item := range response.Items {
		d.objects = append(d.objects, item.Metadata)
	}
	switch uid := response.Details.UID; {
	case response.Metadata.UID != "":
		d.objects = append(d.objects, response.Metadata)
	case uid != "" && d.known.Name != "":
		one := d.known
		if one.UID != "" && one.UID != uid {
			one.ResourceVersion = "" // of another object of this name
		}
		one.UID = uid
		d.objects = append(d.objects, one)
	}
}
