package cache_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/cache"
)

var boats = schema.GroupVersionResource{Group: "sea.example", Version: "v1", Resource: "boats"}

// reserveHarbour reserves the name "harbour" during a test.
func reserveHarbour(t *testing.T) *cache.InformerName {
	t.Helper()
	n, err := cache.NewInformerName("harbour")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Release)
	return n
}

func TestInformerNamesAreUnique(t *testing.T) {
	n := reserveHarbour(t)
	if _, err := cache.NewInformerName("harbour"); err == nil || !strings.Contains(err.Error(), `"harbour"`) {
		t.Errorf("a name in use: got error %v, want one that names it", err)
	}
	if _, err := cache.NewInformerName(""); err == nil {
		t.Error("an empty name: got no error")
	}
	n.Release()
	again := reserveHarbour(t)
	n.Release() // the second call must not release the name of its new owner
	if _, err := cache.NewInformerName("harbour"); err == nil {
		t.Error("the former owner has released another's name")
	}
	if again.Name() != "harbour" {
		t.Errorf("Name() = %q", again.Name())
	}
}

func TestInformerNameReservesResources(t *testing.T) {
	n := reserveHarbour(t)
	first, second := n.WithResource(boats), n.WithResource(boats)
	other := n.WithResource(boats.GroupVersion().WithResource("ships"))
	for _, test := range []struct {
		name string
		id   cache.InformerNameAndResource
		want bool
	}{
		{"first of a resource", first, true},
		{"second of a resource", second, false},
		{"another resource", other, true},
		{"zero", cache.InformerNameAndResource{}, false},
		{"without a name", (*cache.InformerName)(nil).WithResource(boats), false},
	} {
		if got := test.id.Reserved(); got != test.want {
			t.Errorf("%s: Reserved() = %v, want %v", test.name, got, test.want)
		}
	}
	if first.Name() != "harbour" || first.GroupVersionResource() != boats {
		t.Errorf("identity is %q, %v", first.Name(), first.GroupVersionResource())
	}
	n.Release()
	if first.Reserved() || other.Reserved() {
		t.Error("still reserved after the name was released")
	}
	if n.WithResource(boats).Reserved() {
		t.Error("a released name reserves")
	}
}

// TestReleaseOfAnIdentity releases one resource of a name, whose next informer gets it, and only once.
func TestReleaseOfAnIdentity(t *testing.T) {
	defer cache.ResetInformerNamesForTesting()
	name, err := cache.NewInformerName("fleet")
	if err != nil {
		t.Fatal(err)
	}
	ships := schema.GroupVersionResource{Group: "sea.example", Version: "v1", Resource: "ships"}
	first := name.WithResource(ships)
	second := name.WithResource(ships)
	second.Release() // never reserved
	if !first.Reserved() || second.Reserved() {
		t.Fatalf("reserved: %v and %v, want the first", first.Reserved(), second.Reserved())
	}
	first.Release()
	third := name.WithResource(ships)
	first.Release() // again
	if first.Reserved() || !third.Reserved() {
		t.Errorf("reserved after the release: %v and %v, want the later one", first.Reserved(), third.Reserved())
	}
	cache.InformerNameAndResource{}.Release()
}

func TestResetInformerNamesForTesting(t *testing.T) {
	id := reserveHarbour(t).WithResource(boats)
	cache.ResetInformerNamesForTesting()
	if id.Reserved() {
		t.Error("still reserved after the reset")
	}
	reserveHarbour(t)
}

func TestNilInformerName(t *testing.T) {
	var n *cache.InformerName
	n.Release()
	if got := n.Name(); got != "" {
		t.Errorf("Name() = %q, want none", got)
	}
	if got := n.WithResource(boats).GroupVersionResource(); got != boats {
		t.Errorf("resource is %v, want %v", got, boats)
	}
}
