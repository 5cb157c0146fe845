package reference_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/kubernetes/reference"
	"github.com/listwatch/listwatch/kubernetes/scheme"
)

func TestGetReference(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "library", Name: "desk", UID: "1", ResourceVersion: "7"}}
	named := pod.DeepCopy()
	named.APIVersion, named.Kind = "example.com/v3", "Desk"
	book := &unstructured.Unstructured{}
	book.SetAPIVersion("example.com/v1")
	book.SetKind("Book")
	book.SetName("emma")
	ref := &corev1.ObjectReference{Kind: "Book", Name: "emma"}
	for _, c := range []struct {
		name   string
		scheme *runtime.Scheme
		object runtime.Object
		want   *corev1.ObjectReference
		err    string // a part of it
		is     error
	}{
		{name: "kind from the scheme", scheme: scheme.Scheme, object: pod,
			want: &corev1.ObjectReference{Kind: "Pod", APIVersion: "v1", Namespace: "library", Name: "desk", UID: "1", ResourceVersion: "7"}},
		{name: "kind from the object", scheme: scheme.Scheme, object: named,
			want: &corev1.ObjectReference{Kind: "Desk", APIVersion: "example.com/v3", Namespace: "library", Name: "desk", UID: "1", ResourceVersion: "7"}},
		{name: "untyped, no scheme", object: book,
			want: &corev1.ObjectReference{Kind: "Book", APIVersion: "example.com/v1", Name: "emma"}},
		{name: "list", scheme: scheme.Scheme, object: &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "9"}},
			want: &corev1.ObjectReference{Kind: "PodList", APIVersion: "v1", ResourceVersion: "9"}},
		{name: "reference", object: ref, want: ref},
		{name: "nil", err: "nil object", is: reference.ErrNilObject},
		{name: "nil pointer", object: (*corev1.Pod)(nil), err: "nil object", is: reference.ErrNilObject},
		{name: "nil reference", object: (*corev1.ObjectReference)(nil), err: "nil object", is: reference.ErrNilObject},
		{name: "no scheme", object: pod, err: "scheme is required"},
		{name: "unknown type", scheme: runtime.NewScheme(), object: pod, err: "no kind is registered"},
		{name: "no metadata", scheme: scheme.Scheme, object: &runtime.Unknown{}, err: "does not implement"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := reference.GetReference(c.scheme, c.object)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) || c.is != nil && !errors.Is(err, c.is) {
					t.Fatalf("got %v, %v; want an error with %q", got, err, c.err)
				}
				return
			}
			if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
				t.Errorf("error %v, want - got +\n%s", err, diff)
			}
		})
	}
}

func TestGetPartialReference(t *testing.T) {
	whole := &corev1.ObjectReference{Kind: "Pod", Name: "desk"}
	part, err := reference.GetPartialReference(nil, whole, "spec.containers{lamp}")
	if err != nil {
		t.Fatal(err)
	}
	if want := (corev1.ObjectReference{Kind: "Pod", Name: "desk", FieldPath: "spec.containers{lamp}"}); *part != want {
		t.Errorf("got %v, want %v", part, want)
	}
	if whole.FieldPath != "" {
		t.Errorf("argument has field path %q now", whole.FieldPath)
	}
	if _, err := reference.GetPartialReference(nil, nil, "spec"); !errors.Is(err, reference.ErrNilObject) {
		t.Errorf("got %v, want %v", err, reference.ErrNilObject)
	}
}
