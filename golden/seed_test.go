package golden_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"k8s.io/apimachinery/pkg/runtime/schema"

	library "github.com/listwatch/listwatch/golden/one-group/clientset/versioned/fake"
	farm "github.com/listwatch/listwatch/golden/plurals/clientset/versioned/fake"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
	farmv1 "github.com/listwatch/listwatch/testdata/apis/plurals/farm/v1"
)

// TestSeeds holds under which resource fake clientsets have the objects that they begin
// with: NewClientset under the kind's, NewSimpleClientset under the one that the kind's
// name suggests, where client-go's fake clientsets have them.
func TestSeeds(t *testing.T) {
	one := metav1.ObjectMeta{Name: "one", Namespace: "here"}
	shelf := &libraryv1.Shelf{ObjectMeta: one}
	geese := &farmv1.GooseList{Items: []farmv1.Goose{{ObjectMeta: one}}}
	if _, err := library.NewClientset(shelf).LibraryV1().Shelves("here").Get(t.Context(), "one", metav1.GetOptions{}); err != nil {
		t.Error(err)
	}
	if _, err := farm.NewClientset(geese).FarmV1().Geese("here").Get(t.Context(), "one", metav1.GetOptions{}); err != nil {
		t.Error(err)
	}
	if _, err := library.NewSimpleClientset(shelf).Tracker().Get(schema.GroupVersionResource{Group: libraryv1.GroupName, Version: "v1", Resource: "shelfs"}, "here", "one"); err != nil {
		t.Error(err)
	}
	if _, err := farm.NewSimpleClientset(geese).Tracker().Get(schema.GroupVersionResource{Group: farmv1.GroupName, Version: "v1", Resource: "gooses"}, "here", "one"); err != nil {
		t.Error(err)
	}
}
