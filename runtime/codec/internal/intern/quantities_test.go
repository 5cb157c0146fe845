package intern

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
)

// TestQuantities holds that quantities are parsed as without the table, and that none changes another.
func TestQuantities(t *testing.T) {
	var known Quantities
	parsed := 0
	get := func(text string) (resource.Quantity, error) {
		return known.Get([]byte(text), func(raw []byte) (resource.Quantity, error) {
			parsed++
			return resource.ParseQuantity(string(raw))
		})
	}
	for range 2 {
		for _, text := range []string{"", "x", "1", "500m", "12345678901234567890123", strings.Repeat("1", longestQuantity+1)} {
			want, wantErr := resource.ParseQuantity(text)
			got, err := get(text)
			if got.Cmp(want) != 0 || got.Format != want.Format || (err == nil) != (wantErr == nil) {
				t.Errorf("%q is %v, %v, want %v, %v", text, &got, err, &want, wantErr)
			}
			got.Add(resource.MustParse("1"))
		}
	}
	if parsed != 9 {
		t.Errorf("%d were parsed, want 9: the short and valid ones once", parsed)
	}
	for i := range 10_000 {
		if got, err := get(fmt.Sprint(i)); err != nil || got.Value() != int64(i) {
			t.Fatalf("%d is %v, %v", i, &got, err)
		}
	}
	if n := len(known.known.entries); n != mostQuantities {
		t.Errorf("%d entries, want %d", n, mostQuantities)
	}
}
