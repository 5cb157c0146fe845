package librarian_test

import (
	"strings"
	"testing"

	"github.com/listwatch/listwatch/runtime/cache"

	"github.com/listwatch/listwatch/examples/librarian/generated/clientset/versioned/fake"
	"github.com/listwatch/listwatch/examples/librarian/generated/informers/externalversions"
)

// TestStateNamesTheCreator has informers say which file created them or their factory, not which generated one.
func TestStateNamesTheCreator(t *testing.T) {
	informer := externalversions.NewSharedInformerFactory(fake.NewClientset(), 0).Library().V1().Books().Informer()
	if owner := cache.StateOf(informer).Owner; !strings.HasPrefix(owner, "librarian/owner_test.go:") {
		t.Errorf("the owner is %q", owner)
	}
}
