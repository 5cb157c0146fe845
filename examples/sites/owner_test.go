package sites_test

import (
	"strings"
	"testing"

	"github.com/listwatch/listwatch/examples/sites/generated/clientset/versioned/fake"
	"github.com/listwatch/listwatch/examples/sites/generated/informers/externalversions"
	"github.com/listwatch/listwatch/runtime/cache"
)

// TestStateNamesTheCreator checks that informers report which file created them or their factory,
// not which one was generated.
func TestStateNamesTheCreator(t *testing.T) {
	informer := externalversions.NewSharedInformerFactory(fake.NewClientset(), 0).Web().V1().Sites().Informer()
	if owner := cache.StateOf(informer).Owner; !strings.HasPrefix(owner, "sites/owner_test.go:") {
		t.Errorf("the owner is %q", owner)
	}
}
