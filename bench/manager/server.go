package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"

	"github.com/listwatch/listwatch/bench/internal/input"
)

// serve returns a server of machines in JSON and of pods in protobuf. The prefix of a path selects its content:
// below /sync/N/ there are N objects without changes, below /events/N/ there are no objects and each watch
// delivers N events. It refuses to list by watches, so that all contenders list.
func serve(objects int) (http.Handler, error) {
	bodies, err := input.NewBodies(min(objects, many))
	if err != nil {
		return nil, err
	}
	pods, err := podList(min(objects, many))
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		words := strings.SplitN(r.URL.Path, "/", 4)
		n, err := strconv.Atoi(words[2])
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		there, changes := n, 0
		if words[1] == "events" {
			there, changes = 0, n
		}
		query := r.URL.Query()
		isPod := strings.HasSuffix(r.URL.Path, "/pods")
		w.Header().Set("Content-Type", "application/json")
		switch {
		case query.Get("sendInitialEvents") == "true":
			w.WriteHeader(http.StatusUnprocessableEntity)
			fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"sendInitialEvents is forbidden","reason":"Invalid","code":422}`)
		case query.Get("watch") == "true":
			if isPod {
				w.Header().Set("Content-Type", runtime.ContentTypeProtobuf+";stream=watch")
			} else if changes > 0 {
				copyTo(w, bodies.Events("ADDED", changes))
			}
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case isPod:
			w.Header().Set("Content-Type", runtime.ContentTypeProtobuf)
			copyTo(w, bytes.NewReader(pods))
		case there == 0:
			fmt.Fprint(w, `{"apiVersion":"fleet.example.com/v1","kind":"MachineList","metadata":{"resourceVersion":"1"},"items":[]}`)
		default:
			copyTo(w, bodies.List(there))
		}
	}), nil
}

// copyTo ignores errors of closed connections.
func copyTo(w io.Writer, r io.Reader) {
	_, _ = io.CopyBuffer(struct{ io.Writer }{w}, r, make([]byte, 64<<10))
}

// podList returns a list of n pods in protobuf.
func podList(n int) ([]byte, error) {
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	list := &corev1.PodList{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PodList"},
		ListMeta: metav1.ListMeta{ResourceVersion: input.ResourceVersion(n)},
	}
	for i := range n {
		list.Items = append(list.Items, *input.Pod(i))
	}
	var body bytes.Buffer
	err := protobuf.NewSerializer(scheme, scheme).Encode(list, &body)
	return body.Bytes(), err
}
