package defaults

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	"k8s.io/apimachinery/pkg/api/equality"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"
)

// Defaults are applied whenever objects are decoded: the second time must not change anything.
func TestDefaultsAreStable(t *testing.T) {
	d := Defaulter{scheme.Scheme}
	fill := fuzzer.FuzzerFor(metafuzzer.Funcs, rand.NewSource(1), serializer.NewCodecFactory(scheme.Scheme))
	for kind := range scheme.Scheme.AllKnownTypes() {
		if kind.Version == runtime.APIVersionInternal {
			continue
		}
		for _, full := range []bool{false, true} {
			obj, err := scheme.Scheme.New(kind)
			if err != nil {
				t.Fatal(err)
			}
			if full {
				fill.Fill(obj)
			}
			d.Default(obj)
			once := obj.DeepCopyObject()
			d.Default(obj)
			if !equality.Semantic.DeepEqual(once, obj) {
				t.Errorf("%s: %s", kind, cmp.Diff(once, obj))
			}
		}
	}
}

func TestPullPolicy(t *testing.T) {
	const digest = "@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	for image, want := range map[string]corev1.PullPolicy{
		"":                              corev1.PullIfNotPresent,
		"app":                           corev1.PullAlways,
		"app:latest":                    corev1.PullAlways,
		"app:v1":                        corev1.PullIfNotPresent,
		"registry.example:5000/app":     corev1.PullAlways,
		"registry.example:5000/app:v1":  corev1.PullIfNotPresent,
		"registry.example/app" + digest: corev1.PullIfNotPresent,
		"app:v1" + digest:               corev1.PullIfNotPresent,

		strings.Repeat("a", 247):                            corev1.PullAlways,
		strings.Repeat("a", 248):                            corev1.PullIfNotPresent,
		"team/" + strings.Repeat("a", 250):                  corev1.PullAlways,
		"team/" + strings.Repeat("a", 251):                  corev1.PullIfNotPresent,
		"registry.example:5000/" + strings.Repeat("a", 255): corev1.PullAlways,
		"registry.example:5000/" + strings.Repeat("a", 256): corev1.PullIfNotPresent,
	} {
		if got := pullPolicy(image); got != want {
			t.Errorf("%q: %s, want %s", image, got, want)
		}
	}
}
