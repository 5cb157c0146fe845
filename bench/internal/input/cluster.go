package input

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
)

// Cluster serves machines in JSON, and replicas in protobuf or JSON, in numbers that paths begin with: below /sync/N/, there are
// N objects without changes, below /small/N/ small ones, of which no number is prepared, below /events/N/ there are no
// objects and each watch delivers N events. Watches of replicas have no events. Below /replicas/N/, a list of N replicas in protobuf
// is encoded while it is sent.
type Cluster struct {
	Bodies *Bodies
	// Replicas is a list of them in protobuf, whatever the number in the path, and ReplicaTexts one in JSON for those
	// who accept no protobuf.
	Replicas, ReplicaTexts []byte
	// Services is a list of services in protobuf, whatever the number in the path. Their watches have no events.
	Services []byte
	// ListsOnly refuses watches that begin with all objects, so that all clients list.
	ListsOnly bool
}

// ServeHTTP implements [http.Handler].
func (c Cluster) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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
	a := answer{w: w, bodies: c.Bodies, small: words[1] == "small", rv: ResourceVersion(there)}
	w.Header().Set("Content-Type", "application/json")
	query := r.URL.Query()
	begins := query.Get("sendInitialEvents") == "true"
	replicas := strings.HasSuffix(r.URL.Path, "/pods")
	switch {
	case begins && c.ListsOnly:
		w.WriteHeader(http.StatusUnprocessableEntity)
		fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"sendInitialEvents is forbidden","reason":"Invalid","code":422}`)
		return
	case strings.HasSuffix(r.URL.Path, "/services"):
		w.Header().Set("Content-Type", runtime.ContentTypeProtobuf)
		if query.Get("watch") != "true" {
			a.copy(bytes.NewReader(c.Services))
			return
		}
		w.Header().Set("Content-Type", runtime.ContentTypeProtobuf+";stream=watch")
	case replicas && !strings.Contains(r.Header.Get("Accept"), runtime.ContentTypeProtobuf):
		if query.Get("watch") != "true" {
			a.copy(bytes.NewReader(c.ReplicaTexts))
			return
		}
	case replicas:
		w.Header().Set("Content-Type", runtime.ContentTypeProtobuf)
		if query.Get("watch") != "true" && words[1] == "replicas" {
			_ = WriteReplicas(w, n)
			return
		}
		if query.Get("watch") != "true" {
			a.copy(bytes.NewReader(c.Replicas))
			return
		}
		w.Header().Set("Content-Type", runtime.ContentTypeProtobuf+";stream=watch")
	case query.Get("watch") != "true":
		a.list(there)
		return
	default:
		if begins {
			a.events("ADDED", there)
			a.initialEventsEnd()
		}
		a.events("MODIFIED", changes)
	}
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}

// answer writes a response. It ignores errors of closed connections.
type answer struct {
	w      http.ResponseWriter
	bodies *Bodies
	small  bool // objects
	rv     string
}

func (a answer) list(n int) {
	if n == 0 {
		fmt.Fprintf(a.w, `{"apiVersion":"fleet.example.com/v1","kind":"MachineList","metadata":{"resourceVersion":%q},"items":[]}`, a.rv)
		return
	}
	if a.small {
		_ = WriteSmallList(a.w, n)
		return
	}
	a.copy(a.bodies.List(n))
}

func (a answer) events(kind string, n int) {
	switch {
	case n > 0 && a.small:
		_ = WriteSmallEvents(a.w, kind, n)
	case n > 0:
		a.copy(a.bodies.Events(kind, n))
	}
}

func (a answer) initialEventsEnd() {
	fmt.Fprintf(a.w, `{"type":"BOOKMARK","object":{"apiVersion":"fleet.example.com/v1","kind":"Machine","metadata":{"resourceVersion":%q,"annotations":{"k8s.io/initial-events-end":"true"}}}}`+"\n", a.rv)
	a.w.(http.Flusher).Flush()
}

func (a answer) copy(r io.Reader) {
	_, _ = io.CopyBuffer(writer{a.w}, r, make([]byte, 64<<10))
}

// ReplicaList returns a list of n replicas in protobuf.
func ReplicaList(n int) ([]byte, error) { return encode(replicaList(n)) }

// ServiceList returns a list of n services in protobuf.
func ServiceList(n int) ([]byte, error) {
	list := &corev1.ServiceList{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ServiceList"},
		ListMeta: metav1.ListMeta{ResourceVersion: ResourceVersion(n)},
	}
	for i := range n {
		list.Items = append(list.Items, *Service(i))
	}
	return encode(list)
}

// encode returns a list in protobuf.
func encode(list runtime.Object) ([]byte, error) {
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	var body bytes.Buffer
	err := protobuf.NewSerializer(scheme, scheme).Encode(list, &body)
	return body.Bytes(), err
}

// WriteReplicas writes what [ReplicaList] returns, without having it in memory.
func WriteReplicas(w io.Writer, n int) error {
	list := corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: ResourceVersion(n)}}
	head, err := list.Marshal() // with metadata alone
	if err != nil {
		return err
	}
	size := len(head)
	for i := range n {
		each := Replica(i).Size()
		size += 1 + len(binary.AppendUvarint(nil, uint64(each))) + each
	}
	typeMeta, err := (&runtime.TypeMeta{APIVersion: "v1", Kind: "PodList"}).Marshal()
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 64<<10)
	field := func(number byte, size int) {
		_ = out.WriteByte(number<<3 | 2)
		_, _ = out.Write(binary.AppendUvarint(nil, uint64(size)))
	}
	_, _ = out.WriteString("k8s\x00") // the error of one is that of all after it
	field(1, len(typeMeta))
	_, _ = out.Write(typeMeta)
	field(2, size)
	_, _ = out.Write(head)
	for i := range n {
		text, err := Replica(i).Marshal()
		if err != nil {
			return err
		}
		field(2, len(text))
		_, _ = out.Write(text)
	}
	field(3, 0) // no encoding of the content, and no type
	field(4, 0)
	return out.Flush()
}

// ReplicaText returns a list of n replicas in JSON.
func ReplicaText(n int) ([]byte, error) { return json.Marshal(replicaList(n)) }

func replicaList(n int) *corev1.PodList {
	list := &corev1.PodList{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PodList"},
		ListMeta: metav1.ListMeta{ResourceVersion: ResourceVersion(n)},
	}
	for i := range n {
		list.Items = append(list.Items, *Replica(i))
	}
	return list
}
