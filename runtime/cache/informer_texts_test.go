package cache_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/packed"
)

// messages is a client whose responses are encoded by protobuf.
type messages struct {
	source  *cachetesting.FakeControllerSource
	encoder runtime.Encoder
	decoder codec.StreamDecoder
	passes  bool

	mu    sync.Mutex // guards texts
	texts int        // objects that were not decoded
}

func newMessages(source *cachetesting.FakeControllerSource, passes bool) *messages {
	scheme := runtime.NewScheme()
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	utilruntime.Must(metav1.AddMetaToScheme(scheme))
	codecs := serializer.NewCodecFactory(scheme)
	info, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), runtime.ContentTypeProtobuf)
	decoder := codec.ForScheme(scheme, codecs).DecoderToVersion(info.Serializer, nil).(codec.StreamDecoder)
	return &messages{source: source, encoder: info.Serializer, decoder: decoder, passes: passes}
}

func (m *messages) PassesTexts() bool { return m.passes }

func (m *messages) encode(obj runtime.Object, kind string) []byte {
	obj = obj.DeepCopyObject()
	obj.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{Group: "meta.k8s.io", Version: "v1", Kind: kind})
	var b bytes.Buffer
	utilruntime.Must(m.encoder.Encode(obj, &b))
	return b.Bytes()
}

func (m *messages) count(obj runtime.Object) {
	if _, ok := obj.(*codec.Text); ok {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.texts++
	}
}

func (m *messages) taken() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.texts
}

func (m *messages) List(ctx context.Context, options metav1.ListOptions) (*metav1.PartialObjectMetadataList, error) {
	list := &metav1.PartialObjectMetadataList{}
	_, err := m.stream(ctx, options, list, func(item runtime.Object) error {
		list.Items = append(list.Items, *item.(*metav1.PartialObjectMetadata))
		return nil
	})
	return list, err
}

func (m *messages) StreamList(ctx context.Context, options metav1.ListOptions, each func(runtime.Object) error) (runtime.Object, error) {
	return m.stream(ctx, options, &metav1.PartialObjectMetadataList{}, func(item runtime.Object) error {
		m.count(item)
		return each(item)
	})
}

func (m *messages) stream(ctx context.Context, options metav1.ListOptions, list *metav1.PartialObjectMetadataList, each func(runtime.Object) error) (runtime.Object, error) {
	all, err := m.source.List(options)
	if err != nil {
		return nil, err
	}
	sent := &metav1.PartialObjectMetadataList{ListMeta: all.(*metav1.List).ListMeta}
	for _, item := range all.(*metav1.List).Items {
		sent.Items = append(sent.Items, *item.Object.(*metav1.PartialObjectMetadata))
	}
	slices.SortFunc(sent.Items, func(a, b metav1.PartialObjectMetadata) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
	text := m.encode(sent, "PartialObjectMetadataList")
	newItem := func() runtime.Object { return &metav1.PartialObjectMetadata{} }
	defer clear(text) // nothing may reference it
	return codec.ForContext(ctx, m.decoder).DecodeList(bytes.NewReader(text), list, newItem, each)
}

func (m *messages) Watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	w, err := m.source.Watch(options)
	if err != nil {
		return nil, err
	}
	stream := codec.ForStream(codec.ForContext(ctx, m.decoder))
	return drained{watch.Filter(w, func(e watch.Event) (watch.Event, bool) {
		if _, ok := e.Object.(*metav1.PartialObjectMetadata); !ok {
			return e, true
		}
		body := m.encode(e.Object, "PartialObjectMetadata")
		defer clear(body)
		if e.Type == watch.Added || e.Type == watch.Modified {
			if text := codec.TextOf(stream, body); text != nil {
				m.count(text)
				e.Object = text
				return e, true
			}
		}
		obj, _, err := stream.Decode(body, nil, nil)
		utilruntime.Must(err)
		e.Object = obj
		return e, true
	})}, nil
}

// drained is a filtered watch, whose goroutine ends only if all events are received.
type drained struct{ watch.Interface }

func (d drained) Stop() {
	d.Interface.Stop()
	for range d.ResultChan() {
	}
}

func record(name, color, note string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
		Namespace: "bay", Name: name, UID: "uid-of-", Labels: map[string]string{"color": color, "of": "all"}, Annotations: map[string]string{"note": note},
		ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "kubelet", FieldsType: "FieldsV1", FieldsV1: &metav1.FieldsV1{Raw: []byte("{}")}}},
	}}
}

// TestPackedTexts has an informer store objects as they were received. What it has, and what its handlers receive, equals that of an
// informer whose objects are not packed.
func TestPackedTexts(t *testing.T) {
	for name, c := range map[string]struct {
		transform cache.TransformFunc
		refuses   bool // the client does not hand over texts
		mutations bool
		texts     bool
	}{
		"no transform":                           {texts: true},
		"managedFields dropped":                  {transform: cache.DropManagedFields, texts: true},
		"fields kept":                            {transform: cache.Keep("metadata.labels", "metadata.annotations")},
		"a transform":                            {transform: func(obj any) (any, error) { return obj, nil }},
		"a client that does not pass texts":      {refuses: true},
		"objects whose mutations are looked for": {mutations: true},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
				for i := range 60 {
					source.Add(record(fmt.Sprintf("%02d", i), []string{"red", "green"}[i%2], fmt.Sprint("note ", i)))
				}
				options := packedOptions()
				options.Indexers = cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc, "note": func(obj any) ([]string, error) {
					return []string{obj.(*metav1.PartialObjectMetadata).Annotations["note"]}, nil
				}}
				options.Packed = nil
				plain := cache.NewSharedIndexInformerWithOptions(cache.ListWatchFor(newMessages(source, true), nil), &metav1.PartialObjectMetadata{}, options)
				options.Packed = packed.S2
				if c.mutations {
					options.OnMutation = func(m cache.Mutation) { t.Error(m) }
				}
				client := newMessages(source, !c.refuses)
				small := cache.NewPackedInformer(cache.ListWatchFor(client, nil), &metav1.PartialObjectMetadata{}, options, 2)
				logs := map[cache.SharedIndexInformer]*events{small: {}, plain: {}}
				for informer, log := range logs {
					if c.transform != nil {
						if err := informer.SetTransform(c.transform); err != nil {
							t.Fatal(err)
						}
					}
					mustAddHandler(t, informer, log)
					defer run(t, informer)()
				}
				synctest.Wait()
				source.Modify(record("07", "white", "changed"))
				source.Delete(record("08", "red", ""))
				source.Add(record("60", "white", "new"))
				source.DeleteDropWatch(record("10", "red", ""))
				source.ModifyDropWatch(record("11", "white", "changed unseen"))
				source.ResetWatch()
				time.Sleep(time.Minute) // until they have listed again
				synctest.Wait()
				if diff := cmp.Diff(logs[plain].sorted(), logs[small].sorted()); diff != "" {
					t.Errorf("events (-want +got):\n%s", diff)
				}
				white, err := labels.Parse("color=white")
				if err != nil {
					t.Fatal(err)
				}
				for _, selector := range []labels.Selector{labels.Everything(), white} {
					if diff := cmp.Diff(recordsOf(t, plain, selector), recordsOf(t, small, selector)); diff != "" {
						t.Errorf("%s (-want +got):\n%s", selector, diff)
					}
				}
				if keys, err := small.GetIndexer().IndexKeys("note", "changed"); err != nil || !slices.Equal(keys, []string{"bay/07"}) {
					t.Errorf("keys %v (%v)", keys, err)
				}
				before, decodes := client.taken(), cache.StateOf(small).Packed.Decodes
				if err := cache.CheckDrift(t.Context(), small); err != nil {
					t.Error(err)
				}
				if texts := client.taken() - before; c.texts && texts != 59 || !c.texts && texts > 0 {
					t.Errorf("%d texts were compared", texts)
				}
				if made := cache.StateOf(small).Packed.Decodes - decodes; made > 0 {
					t.Errorf("%d objects were decoded to check for drift", made)
				}
				if state := cache.StateOf(small).Packed; state.Whole > 0 {
					t.Errorf("%d objects were not packed", state.Whole)
				}
				if texts := client.taken(); (texts > 0) != c.texts {
					t.Errorf("%d objects were not decoded", texts)
				}
			})
		})
	}
}

// events is a handler that records what it receives.
type events struct{ all []string }

func (e *events) OnAdd(obj any, initial bool) { e.add("add", obj, initial) }
func (e *events) OnUpdate(old, obj any)       { e.add("update", old, obj) }
func (e *events) OnDelete(obj any)            { e.add("delete", obj) }

func (e *events) add(what string, parts ...any) {
	for i, part := range parts {
		switch part := part.(type) {
		case *metav1.PartialObjectMetadata:
			parts[i] = fmt.Sprintf("%+v", *part)
		case cache.DeletedFinalStateUnknown:
			parts[i] = fmt.Sprintf("%s %+v", part.Key, *part.Obj.(*metav1.PartialObjectMetadata))
		}
	}
	e.all = append(e.all, fmt.Sprint(append([]any{what}, parts...)...))
}

// sorted returns what was received after the bubble has come to rest.
func (e *events) sorted() []string { return slices.Sorted(slices.Values(e.all)) }

func recordsOf(t *testing.T, informer cache.SharedIndexInformer, selector labels.Selector) []*metav1.PartialObjectMetadata {
	t.Helper()
	var all []*metav1.PartialObjectMetadata
	if err := cache.ListAll(informer.GetIndexer(), selector, func(obj any) { all = append(all, obj.(*metav1.PartialObjectMetadata)) }); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(all, func(a, b *metav1.PartialObjectMetadata) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
	return all
}
