package decoding_test

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/listwatch/listwatch/conformance/runtime/decoding"
	"github.com/listwatch/listwatch/runtime/codec"
)

// fellBack reports whether apimachinery's decoder decodes the text, and whether ours needs it for that. In a stream,
// ours returns the same pointer for the kind of all objects that it decodes itself.
func fellBack(stream codec.StreamDecoder, text []byte) (valid, fallbacks bool) {
	_, first, err := stream.Decode(text, nil, nil)
	if err != nil {
		return false, false
	}
	_, second, err := stream.Decode(text, nil, nil)
	return err == nil, first != second
}

// pointed are kinds without fields kind and apiVersion of their own: they embed a pointer.
var pointed = []string{"Looser", "LooserList"}

// TestFallbacks checks that our decoder decodes all objects of all kinds as API servers send them, except those that
// are pointed.
func TestFallbacks(t *testing.T) {
	random := rand.New(rand.NewSource(*seed))
	for _, k := range kinds(t) {
		if slices.Contains(pointed, k.GVK.Kind) {
			continue
		}
		stream := codec.ForStream(k.Ours)
		for range 3 {
			text, err := k.Text(random)
			if err != nil {
				t.Fatalf("%v: %v", k.GVK, err)
			}
			if _, fallbacks := fellBack(stream, text); fallbacks {
				t.Errorf("%v: fallbacks %s", k.GVK, text)
			}
		}
	}
}

// BenchmarkFallbacks reports how many objects of all kinds need apimachinery's decoder: as API servers send them, and of
// the texts derived from them (see Mutate) those that apimachinery decodes.
func BenchmarkFallbacks(b *testing.B) {
	known := kinds(b)
	random := rand.New(rand.NewSource(*seed))
	var sent, derived struct{ texts, fallbacks int }
	for i := 0; b.Loop(); i++ {
		k := &known[i%len(known)]
		text, err := k.Text(random)
		if err != nil {
			b.Fatal(err)
		}
		stream := codec.ForStream(k.Ours)
		sent.texts++
		if _, fallbacks := fellBack(stream, text); fallbacks {
			sent.fallbacks++
		}
		if valid, fallbacks := fellBack(stream, decoding.Mutate(random, text)); valid {
			derived.texts++
			if fallbacks {
				derived.fallbacks++
			}
		}
	}
	b.ReportMetric(float64(sent.fallbacks)/float64(sent.texts), "fallbacks/object")
	b.ReportMetric(float64(derived.fallbacks)/float64(max(1, derived.texts)), "fallbacks/derived")
}
