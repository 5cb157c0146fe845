package generators

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestGuessed(t *testing.T) {
	for _, kind := range []string{"Pod", "Ingress", "Policy", "Gateway", "Key", "Endpoints", "MyEndpoints", "Box", "Goose", "S", "Y", "ÀY"} {
		want, _ := meta.UnsafeGuessKindToResource(schema.GroupVersionKind{Kind: kind})
		if got := guessed(kind); got != want.Resource {
			t.Errorf("%s: got %s, want %s", kind, got, want.Resource)
		}
	}
}
