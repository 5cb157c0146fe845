package shards

import (
	"hash/fnv"
	"reflect"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// The hashes (FNV-1a, 64 bits) are 96bcca83b55aa4bb for anna, f8974f5e9b637065 for berta, and
// cbf29ce484222325 for no UID.
const (
	lower = "shardRange(object.metadata.uid, '0x0000000000000000', '0xc000000000000000')"
	upper = "shardRange(object.metadata.uid, '0xc000000000000000', '0x10000000000000000')"
)

func TestMatches(t *testing.T) {
	byNamespace := func(selector string) string { return strings.ReplaceAll(selector, "uid", "namespace") }
	anna := metav1.ObjectMeta{UID: "anna", Namespace: "berta"}
	for _, test := range []struct {
		name     string
		selector string
		object   metav1.ObjectMeta
		want     bool
	}{
		{"in the range", lower, anna, true},
		{"beyond the range", lower, metav1.ObjectMeta{UID: "berta"}, false},
		{"before the range", upper, anna, false},
		{"in the last range", upper, metav1.ObjectMeta{UID: "berta"}, true},
		{"in one of two ranges", upper + "||" + lower, anna, true},
		{"without UID", upper, metav1.ObjectMeta{}, true},
		{"by namespace", byNamespace(upper), anna, true},
		{"not by namespace", byNamespace(lower), anna, false},
		{"the first hash of a range", "shardRange(object.metadata.uid, '0x96bcca83b55aa4bb', '0x96bcca83b55aa4bc')", anna, true},
		{"the end of a range", "shardRange(object.metadata.uid, '0x0000000000000000', '0x96bcca83b55aa4bb')", anna, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := Parse(test.selector)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Matches(&test.object); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	for _, test := range []struct{ selector, want string }{
		{"uid in 1", `invalid "uid in 1"; write shardRange(`},
		{"shardRange(metadata.uid, '0x0000000000000000', '0x8000000000000000')", "; write shardRange("},
		{"shardRange(object.metadata.name, '0x0000000000000000', '0x8000000000000000')", "; write shardRange("},
		{"shardRange(object.metadata.uid, '0x0', '0x8000000000000000')", "; write shardRange("},
		{"shardRange(object.metadata.uid, '0x0000000000000000', '0x800000000000000A')", "; write shardRange("},
		{"shardRange(object.metadata.uid, '0x0000000000000000', '0x20000000000000000')", "; write shardRange("},
		{lower + " ||", `invalid ""; write shardRange(`},
		{lower + " && " + upper, "; write shardRange("},
		{"shardRange(object.metadata.uid, '0x8000000000000000', '0x8000000000000000')", "is not less than"},
		{lower + " || " + strings.ReplaceAll(upper, "uid", "namespace"), "object.metadata.uid and object.metadata.namespace"},
	} {
		t.Run(test.selector, func(t *testing.T) {
			if _, err := Parse(test.selector); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want %q", err, test.want)
			}
		})
	}
}

func TestNoSelector(t *testing.T) {
	if s, err := Parse(""); s != nil || err != nil {
		t.Errorf("got %v, %v, want nil", s, err)
	}
}

// TestNil checks that nil selects every object.
func TestNil(t *testing.T) {
	var all *Selector
	if !all.Matches(&metav1.ObjectMeta{UID: "anna"}) || all.String() != "" || all.ByNamespace() {
		t.Error("nil does not select all objects")
	}
}

// TestHash compares the hash with that of the standard library.
func TestHash(t *testing.T) {
	for _, text := range []string{"", "a", "anna", "\x00\xff", strings.Repeat("long", 100)} {
		h := fnv.New64a()
		_, _ = h.Write([]byte(text)) // never fails
		if got, want := hash(text), h.Sum64(); got != want {
			t.Errorf("hash of %q is %x, want %x", text, got, want)
		}
	}
}

// TestFields checks the fields that the Kubernetes libraries may lack: what is set is found.
func TestFields(t *testing.T) {
	options, list := &metav1.ListOptions{}, &metav1.PartialObjectMetadataList{}
	if got := SelectorOf(options); got != "" {
		t.Errorf("got selector %q of empty options", got)
	}
	if IsApplied(list) {
		t.Error("an empty list is reported to be of a shard")
	}
	for _, other := range []runtime.Object{nil, &metav1.Status{}} {
		if IsApplied(other) {
			t.Errorf("%T is reported to be a list of a shard", other)
		}
	}
	s, err := Parse(lower)
	if err != nil {
		t.Fatal(err)
	}
	known := reflect.ValueOf(options).Elem().FieldByName("ShardSelector").IsValid()
	want := ""
	if known {
		want = lower
	}
	SetSelector(options, s)
	if got := SelectorOf(options); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !known {
		return // these libraries have no shards
	}
	info := reflect.ValueOf(&list.ListMeta).Elem().FieldByName("ShardInfo")
	info.Set(reflect.New(info.Type().Elem()))
	if !IsApplied(list) {
		t.Error("a list of a shard is reported to be whole")
	}
}

// FuzzParse checks that a selector selects exactly what one of its ranges does.
func FuzzParse(f *testing.F) {
	f.Add(lower, "anna")
	f.Add(upper+" || "+lower, "berta")
	f.Add("shardRange(object.metadata.namespace,'0x96bcca83b55aa4bb','0x96bcca83b55aa4bc')||"+strings.ReplaceAll(upper, "uid", "namespace"), "anna")
	f.Fuzz(func(t *testing.T, text, value string) {
		s, err := Parse(text)
		if err != nil || s == nil {
			return
		}
		object := &metav1.ObjectMeta{UID: types.UID(value), Namespace: value}
		want := false
		for part := range strings.SplitSeq(text, "||") {
			one, err := Parse(part)
			if err != nil {
				t.Fatalf("a part of a valid selector is invalid: %v", err)
			}
			want = want || one.Matches(object)
		}
		if got := s.Matches(object); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}
