package protobuf

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/types"
)

// named is a view of PartialObjectMetadata. Owners are in another message there.
type named struct {
	metav1.TypeMeta `json:",inline"`
	Meta            struct {
		Name   string            `json:"name"`
		Labels map[string]string `json:"labels"`
		Entry  []*struct {
			Manager string      `json:"manager"`
			Time    metav1.Time `json:"time"`
		} `json:"managedFields"`
		Deleted *metav1.Time `json:"deletionTimestamp"`
		Grace   int64        `json:"deletionGracePeriodSeconds"`
	} `json:"metadata"`
	inlined `json:",inline"`
}

type inlined struct {
	Owners []struct {
		UID        string `json:"uid"`
		Controller bool   `json:"controller"`
	} `json:"ownerReferences"`
	Finalizers []string `json:"finalizers"`
}

type namedList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`
	Items           []named `json:"items"`
}

func (n *named) DeepCopyObject() runtime.Object     { c := *n; return &c }
func (l *namedList) DeepCopyObject() runtime.Object { c := *l; return &c }

const namedNumbers = "metadata=1 metadata.name=1 metadata.labels=11 metadata.managedFields=17 metadata.managedFields.manager=1 " +
	"metadata.managedFields.time=4 metadata.deletionTimestamp=9 metadata.deletionGracePeriodSeconds=10 " +
	"ownerReferences=2.13 ownerReferences.uid=4 ownerReferences.controller=6 finalizers=2.14"

// viewed returns a decoder of the view.
func viewed(t testing.TB) *Decoder {
	t.Helper()
	view, err := NewView(reflect.TypeFor[named](), reflect.TypeFor[namedList](), namedNumbers)
	if err != nil {
		t.Fatal(err)
	}
	gv := schema.GroupVersion{Group: "meta.k8s.io", Version: "v1"}
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(gv.WithKind("PartialObjectMetadata"), &named{})
	scheme.AddKnownTypeWithName(gv.WithKind("PartialObjectMetadataList"), &namedList{})
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	return &Decoder{Exact: runtime.WithoutVersionDecoder{Decoder: protobuf.NewSerializer(scheme, scheme)}, Scheme: scheme, View: view}
}

// withEmbedded returns a message with metadata, and with another one as that of an embedded struct, which has the owners.
func withEmbedded(meta *metav1.ObjectMeta) []byte {
	text, err := meta.Marshal()
	if err != nil {
		panic(err)
	}
	return slices.Concat([]byte{tag(1, asBytes)}, appendVarint(nil, uint64(len(text))), text, []byte{tag(2, asBytes)}, appendVarint(nil, uint64(len(text))), text)
}

// view returns the fields of an object.
func view(meta *metav1.ObjectMeta) *named {
	var n named
	n.Meta.Name, n.Meta.Labels, n.Meta.Deleted = meta.Name, meta.Labels, meta.DeletionTimestamp
	if meta.DeletionGracePeriodSeconds != nil {
		n.Meta.Grace = *meta.DeletionGracePeriodSeconds
	}
	for _, entry := range meta.ManagedFields {
		e := &struct {
			Manager string      `json:"manager"`
			Time    metav1.Time `json:"time"`
		}{Manager: entry.Manager}
		if entry.Time != nil {
			e.Time = *entry.Time
		}
		n.Meta.Entry = append(n.Meta.Entry, e)
	}
	for _, owner := range meta.OwnerReferences {
		n.Owners = append(n.Owners, struct {
			UID        string `json:"uid"`
			Controller bool   `json:"controller"`
		}{string(owner.UID), owner.Controller != nil && *owner.Controller})
	}
	n.Finalizers = meta.Finalizers
	return &n
}

func TestView(t *testing.T) {
	d := viewed(t)
	meta := fullMeta()
	text := body("PartialObjectMetadata", withEmbedded(&meta))
	for _, into := range []runtime.Object{nil, &named{}, &named{TypeMeta: metav1.TypeMeta{Kind: "old"}}} {
		got, gvk, err := d.Decode(text, nil, into)
		if err != nil || gvk.Kind != "PartialObjectMetadata" || !reflect.DeepEqual(got, view(&meta)) {
			t.Errorf("got %+v, %v, want %+v", got, err, view(&meta))
		}
	}

	var raw []byte
	for range 3 {
		raw = appendBytes(raw, itemsNumber, withEmbedded(&meta))
	}
	list := body("PartialObjectMetadataList", append(short(metaNumber, short(2, []byte("7"))), raw...))
	got, err := d.DecodeFrom(bytes.NewReader(list), &namedList{})
	if err != nil || len(got.(*namedList).Items) != 3 || got.(*namedList).ResourceVersion != "7" {
		t.Errorf("%+v, %v", got, err)
	}
	n := 0
	streamed := &namedList{}
	_, err = d.DecodeList(bytes.NewReader(list), streamed, func() runtime.Object { return &named{} }, func(item runtime.Object) error {
		n++
		if !reflect.DeepEqual(item, view(&meta)) {
			t.Errorf("got %+v, want %+v", item, view(&meta))
		}
		return nil
	})
	if err != nil || n != 3 || streamed.ResourceVersion != "7" || streamed.Items != nil {
		t.Errorf("%d items, %+v, %v", n, streamed, err)
	}

	status := metav1.Status{Status: metav1.StatusFailure, Message: "no"}
	encoded := encode(t, &status)
	object, _, err := d.Decode(encoded, nil, &named{})
	if got, ok := object.(*metav1.Status); err != nil || !ok || got.Message != "no" {
		t.Errorf("%+v, %v", object, err)
	}
}

// TestViewMutated decodes bodies that are not quite those of a server: what is decoded is what the type of the kind has.
func TestViewMutated(t *testing.T) {
	d := viewed(t)
	meta := fullMeta()
	object := metav1.PartialObjectMetadata{ObjectMeta: meta}
	valid, err := object.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	sharing := viewed(t)
	sharing.Shared = &Shared{}
	stream := sharing.ForStream()
	same := 0
	for range 20_000 {
		text := mutate(random, valid)
		var whole metav1.PartialObjectMetadata
		got, _, err := d.Decode(body("PartialObjectMetadata", text), nil, nil)
		shared, _, failure := stream.Decode(body("PartialObjectMetadata", text), nil, nil)
		if (err == nil) != (failure == nil) || err == nil && !reflect.DeepEqual(shared, got) {
			t.Fatalf("%q: got %+v, %v, but %+v, %v if parts are shared", text, got, err, shared, failure)
		}
		if err != nil || whole.Unmarshal(text) != nil {
			continue
		}
		want := view(&whole.ObjectMeta)
		want.inlined = inlined{}
		got.(*named).inlined = inlined{}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: got %+v, want %+v", text, got, want)
		}
		same++
	}
	if same < 1000 {
		t.Errorf("only %d bodies were valid", same)
	}

	// A message that is continued is merged by the methods of types, which views do not have.
	split := slices.Concat(withEmbedded(&meta), withEmbedded(&meta))
	if got, _, err := d.Decode(body("PartialObjectMetadata", split), nil, &named{}); !errors.Is(err, errView) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestViewErrors(t *testing.T) {
	object, list := reflect.TypeFor[named](), reflect.TypeFor[namedList]()
	for numbers, want := range map[string]string{
		"metadata=":                  `invalid number of a field in "metadata="`,
		"metadata=0":                 `invalid number of a field in "metadata=0"`,
		"metadata=1 metadata.none=2": "type protobuf.named has no field metadata.none",
		"metadata=1 kind=256":        `invalid number of a field in "kind=256"`,
	} {
		if _, err := NewView(object, list, numbers); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", numbers, err, want)
		}
	}
	if _, err := NewView(object, object, "metadata=1"); err == nil || err.Error() != "type protobuf.named is not a list of protobuf.named" {
		t.Error(err)
	}
}

// TestPartsOfViewsAreShared decodes objects for an owner: parts of which the view has the same are one in memory.
func TestPartsOfViewsAreShared(t *testing.T) {
	d := viewed(t)
	d.Shared = &Shared{}
	stream := d.ForStream()
	decode := func(i int, uid string) *named {
		meta := fullMeta()
		meta.OwnerReferences[0].Name, meta.OwnerReferences[0].UID = fmt.Sprint("owner-", i), types.UID(uid)
		got, _, err := stream.Decode(body("PartialObjectMetadata", withEmbedded(&meta)), nil, nil)
		if err != nil || !reflect.DeepEqual(got, view(&meta)) {
			t.Fatalf("got %+v, %v, want %+v", got, err, view(&meta))
		}
		return got.(*named)
	}
	decode(1, "1")
	second, third, other, fifth := decode(2, "1"), decode(3, "1"), decode(4, "2"), decode(5, "1")
	if &second.Owners[0] != &third.Owners[0] || &second.Owners[0] != &fifth.Owners[0] || &second.Owners[0] == &other.Owners[0] {
		t.Error("equal owners are not one, or others are")
	}
	if second.Meta.Entry[0] != third.Meta.Entry[0] {
		t.Error("what pointers point to is not one")
	}
}
