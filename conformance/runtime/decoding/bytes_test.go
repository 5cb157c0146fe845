package decoding_test

import (
	"fmt"
	"math"
	"math/rand"
	"reflect"
	goruntime "runtime"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/codec"
)

// live returns the bytes in use, after collections: as many as free something. What has a cleanup is freed by the one after
// it, and pools are emptied by the second.
func live() int64 {
	var m goruntime.MemStats
	least := int64(math.MaxInt64)
	for since := 0; since < 4; since++ {
		goruntime.GC()
		goruntime.Gosched()
		goruntime.ReadMemStats(&m)
		if n := int64(m.HeapAlloc); n < least-least/1000 {
			least, since = n, 0
		}
	}
	return least
}

// stored returns an informer whose store contains the objects of texts, which a new decoder has decoded: what it remembers
// of them is not alive then, unless they have it.
func stored(t *testing.T, decoder func() runtime.Decoder, texts [][]byte) cache.SharedIndexInformer {
	t.Helper()
	d := decoder()
	informer := cache.NewSharedIndexInformer(nil, nil, 0, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	for _, text := range texts {
		obj, _, err := d.Decode(text, nil, nil)
		if err == nil {
			err = informer.GetStore().Add(obj)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return informer
}

// mostOff is by how much what informers report may differ from the live heap.
const mostOff = 0.15

// compareBytes compares what an informer with the objects of texts reports with the live heap.
func compareBytes(t *testing.T, name string, d func() runtime.Decoder, texts [][]byte) {
	t.Helper()
	cache.StateOf(stored(t, d, texts)) // what is remembered of types takes memory, too
	before := live()
	informer := stored(t, d, texts)
	took := live() - before
	state := cache.StateOf(informer)
	if off := float64(state.Bytes-took) / float64(took); math.Abs(off) > mostOff {
		t.Errorf("%s: %d bytes for %d objects, but the heap has %d (%+.0f %%)", name, state.Bytes, state.Objects, took, 100*off)
	}
	if _, exists, err := informer.GetStore().GetByKey(state.Largest.String()); err != nil || !exists || state.LargestBytes < took/int64(len(texts))/2 {
		t.Errorf("%s: largest is %s with %d bytes, of %d (%v)", name, state.Largest, state.LargestBytes, took, err)
	}
}

// TestBytesAreThoseOfTheHeap compares all kinds of k8s.io/api, and custom resources, decoded by either decoder.
func TestBytesAreThoseOfTheHeap(t *testing.T) {
	const objects, customs = 100, 6
	custom := 0
	for _, k := range kinds(t) {
		object, err := k.Scheme.New(k.GVK)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.ValueOf(object).Elem().FieldByName("ObjectMeta").IsValid() || strings.HasSuffix(k.GVK.Kind, "List") {
			continue
		}
		if k.Scheme != scheme.Scheme {
			if custom++; custom > customs {
				continue
			}
		}
		random := rand.New(rand.NewSource(1))
		var texts [][]byte
		for range objects {
			text, err := k.Text(random)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, text)
		}
		compareBytes(t, k.GVK.String(), func() runtime.Decoder { return codec.ForStream(k.Ours) }, texts)
		compareBytes(t, k.GVK.String()+" by the exact decoder", func() runtime.Decoder { return k.Exact }, texts)
	}
}

// TestBytesOfPods compares Pods that are alike, as those of a cluster, so that they share strings, and more if they may.
func TestBytesOfPods(t *testing.T) {
	var texts [][]byte
	for i := range 2000 {
		texts = append(texts, fmt.Appendf(nil, `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-7d9f8b6c5d-%05d","generateName":"web-7d9f8b6c5d-","namespace":"ns-%d",
			"uid":"%08d-1111-2222-3333-000000000000","resourceVersion":"%d","labels":{"app":"web","pod-template-hash":"7d9f8b6c5d","tier":"front"},
			"annotations":{"checksum":"%064d"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-7d9f8b6c5d","uid":"1","controller":true}],
			"managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:conditions":{"k:{\"type\":\"Ready\"}":{".":{},"f:status":{}}}}}}]},
			"spec":{"nodeName":"node-%d","containers":[{"name":"web","image":"registry.example.com/web@sha256:%064d","args":["--port=8080","--id=%d"],
			"env":[{"name":"A","value":"%d"},{"name":"B","valueFrom":{"fieldRef":{"fieldPath":"spec.nodeName"}}}],"ports":[{"containerPort":8080}],
			"resources":{"requests":{"cpu":"100m","memory":"128Mi"},"limits":{"memory":"256Mi"}},"livenessProbe":{"httpGet":{"path":"/healthz","port":8080}},
			"volumeMounts":[{"name":"config","mountPath":"/etc/config"}]}],"volumes":[{"name":"config","configMap":{"name":"web","defaultMode":420}}],
			"tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}]},
			"status":{"phase":"Running","podIP":"10.0.0.%d","startTime":"2026-01-01T00:00:00Z","conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z"}],
			"containerStatuses":[{"name":"web","ready":true,"containerID":"containerd://%064d","state":{"running":{"startedAt":"2026-01-01T00:00:00Z"}}}]}}`,
			i, i%50, i, 1000+i, i, i%100, i%10, i, i, i, i))
	}
	codecs := serializer.NewCodecFactory(scheme.Scheme)
	info, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	ours, _ := codec.ForScheme(scheme.Scheme, codecs).DecoderToVersion(info.Serializer, nil).(codec.StreamDecoder)
	compareBytes(t, "typed", func() runtime.Decoder { return codec.ForStream(ours) }, texts)
	compareBytes(t, "sharing", func() runtime.Decoder {
		return codec.ForStream(codec.ForContext(codec.WithSharing(t.Context()), ours))
	}, texts)
	compareBytes(t, "untyped", func() runtime.Decoder { return unstructured.UnstructuredJSONScheme }, texts)
}
