package librarian_test

import (
	"strings"
	"testing"

	"github.com/listwatch/listwatch/runtime/cache"

	"github.com/listwatch/listwatch/examples/librarian/generated/clientset/versioned/fake"
	"github.com/listwatch/listwatch/examples/librarian/generated/informers/externalversions"
)

// TestStateNamesTheCreator checks that informers report which file created them or their factory,
// not which one was generated.
func TestStateNamesTheCreator(t *testing.T) {
	informer := externalversions.NewSharedInformerFactory(fake.NewClientset(), 0).Library().V1().Books().Informer()
	if owner := cache.StateOf(informer).Owner; !strings.HasPrefix(owner, "librarian/owner_test.go:") {
		t.Errorf("the owner is %q", owner)
	}
}
