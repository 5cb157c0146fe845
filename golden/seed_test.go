package golden_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	library "github.com/listwatch/listwatch/golden/one-group/clientset/versioned/fake"
	farm "github.com/listwatch/listwatch/golden/plurals/clientset/versioned/fake"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
	farmv1 "github.com/listwatch/listwatch/testdata/apis/plurals/farm/v1"
)

// TestSeeds makes sure that what a fake clientset begins with is found under the
// resource of its kind, also where the plural is not what the name suggests.
func TestSeeds(t *testing.T) {
	meta := metav1.ObjectMeta{Name: "one", Namespace: "here"}
	shelves := library.NewSimpleClientset(&libraryv1.Shelf{ObjectMeta: meta}).LibraryV1().Shelves("here")
	if _, err := shelves.Get(t.Context(), "one", metav1.GetOptions{}); err != nil {
		t.Error(err)
	}
	geese := farm.NewSimpleClientset(&farmv1.GooseList{Items: []farmv1.Goose{{ObjectMeta: meta}}}).FarmV1().Geese("here")
	if _, err := geese.Get(t.Context(), "one", metav1.GetOptions{}); err != nil {
		t.Error(err)
	}
}
