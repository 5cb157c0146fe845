package codec

import (
	"math/rand"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	"k8s.io/apimachinery/pkg/api/equality"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"
)

func TestEventsComeBackFromTheOtherGroup(t *testing.T) {
	c := Convertor{scheme.Scheme}
	fill := fuzzer.FuzzerFor(metafuzzer.Funcs, rand.NewSource(2), serializer.NewCodecFactory(scheme.Scheme))
	for range 100 {
		in := &corev1.Event{}
		fill.Fill(in)
		in.Kind, in.APIVersion = "", ""
		there, err := c.ConvertToVersion(in, eventsv1.SchemeGroupVersion)
		if err != nil {
			t.Fatal(err)
		}
		if got := there.GetObjectKind().GroupVersionKind(); got != eventsv1.SchemeGroupVersion.WithKind("Event") {
			t.Fatalf("kind = %s", got)
		}
		out := &corev1.Event{}
		if err := c.Convert(there, out, nil); err != nil {
			t.Fatal(err)
		}
		if !equality.Semantic.DeepEqual(in, out) {
			t.Fatal(cmp.Diff(in, out))
		}
	}
}
