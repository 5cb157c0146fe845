package decoding_test

import (
	"flag"
	"math/rand"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/conformance/runtime/decoding"
)

var (
	duration = flag.Duration("duration", 0, "make trials for so long, not once for each kind")
	seed     = flag.Int64("seed", 1, "where random numbers start")
)

// texts is the number of texts derived from each object's.
const texts = 12

func kinds(t testing.TB) []decoding.Kind {
	t.Helper()
	known, err := decoding.Kinds()
	if err != nil {
		t.Fatal(err)
	}
	return known
}

// into returns the target of decoding: usually an object of the kind.
func into(k *decoding.Kind, random *rand.Rand) func() runtime.Object {
	switch random.Intn(8) {
	case 0:
		return func() runtime.Object { return nil }
	case 1:
		return func() runtime.Object { return &unstructured.Unstructured{} }
	case 2:
		return func() runtime.Object { return &unstructured.UnstructuredList{} }
	default:
		return func() runtime.Object {
			obj, err := k.Scheme.New(k.GVK)
			if err != nil {
				return nil
			}
			return obj
		}
	}
}

// trial compares the text of one object and the texts derived from it, and returns their number.
func trial(t *testing.T, k *decoding.Kind, random *rand.Rand) int {
	valid, err := k.Text(random)
	if err != nil {
		t.Fatalf("%v: %v", k.GVK, err)
	}
	for i := range texts {
		text := valid
		if i > 0 {
			text = decoding.Mutate(random, valid)
		}
		for _, d := range k.Compare(text, into(k, random), 1+random.Intn(1<<random.Intn(14))) {
			t.Errorf("%v: %q: %s", k.GVK, text, d)
		}
	}
	return texts
}

// TestTrials makes trials of each kind, repeatedly if there is time.
func TestTrials(t *testing.T) {
	known := kinds(t)
	if len(known) < 500 {
		t.Fatalf("only %d kinds", len(known))
	}
	random := rand.New(rand.NewSource(*seed))
	start, n := time.Now(), 0
	for round := 0; round == 0 || time.Since(start) < *duration; round++ {
		for i := range known {
			n += trial(t, &known[i], random)
			if t.Failed() || *duration > 0 && time.Since(start) > *duration {
				break
			}
		}
		if t.Failed() {
			break
		}
	}
	t.Logf("%d texts of %d kinds", n, len(known))
}

// FuzzBytes uses texts from the fuzzer.
func FuzzBytes(f *testing.F) {
	known := kinds(f)
	random := rand.New(rand.NewSource(1))
	for range 200 {
		i := random.Intn(len(known))
		text, err := known[i].Text(random)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint16(i), int64(i), text)
	}
	f.Fuzz(func(t *testing.T, kind uint16, choice int64, text []byte) {
		k := &known[int(kind)%len(known)]
		random := rand.New(rand.NewSource(choice))
		for _, d := range k.Compare(text, into(k, random), 1+random.Intn(512)) {
			t.Errorf("%v: %q: %s", k.GVK, text, d)
		}
	})
}

// TestMutateReachesBoth checks that enough mutated texts are decoded, and enough are rejected.
func TestMutateReachesBoth(t *testing.T) {
	known := kinds(t)
	random := rand.New(rand.NewSource(1))
	decoded, refused := 0, 0
	for range 500 {
		k := &known[random.Intn(len(known))]
		text, err := k.Text(random)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := k.Exact.Decode(decoding.Mutate(random, text), nil, nil); err == nil {
			decoded++
		} else {
			refused++
		}
	}
	if decoded < 125 || refused < 125 {
		t.Errorf("%d texts are decoded, %d refused", decoded, refused)
	}
}

// TestCompareSeesDifferences checks that a decoder that differs from apimachinery's is detected.
func TestCompareSeesDifferences(t *testing.T) {
	for _, k := range kinds(t) {
		if k.GVK.Kind != "ConfigMapList" {
			continue
		}
		k.Exact = shouting{k.Exact}
		text := []byte(`{"kind":"ConfigMapList","apiVersion":"v1","items":[{"metadata":{"name":"a"},"data":{"b":"c"}}]}`)
		differences := k.Compare(text, func() runtime.Object { obj, _ := k.Scheme.New(k.GVK); return obj }, 1)
		if len(differences) != 4 {
			t.Errorf("differences: %q", differences)
		}
		return
	}
	t.Error("no list of config maps")
}

// shouting decodes everything in upper case.
type shouting struct{ runtime.Decoder }

func (s shouting) Decode(data []byte, gvk *schema.GroupVersionKind, into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	return s.Decoder.Decode([]byte(strings.ReplaceAll(string(data), `"a"`, `"A"`)), gvk, into)
}
