package fakes_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"k8s.io/apimachinery/pkg/runtime/schema"

	observatory "github.com/listwatch/listwatch/golden/kubebuilder/clientset/versioned/fake"
	library "github.com/listwatch/listwatch/golden/one-group/clientset/versioned/fake"
	apiv1 "github.com/listwatch/listwatch/testdata/apis/kubebuilder/api/v1"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// TestSeeds checks under which resource fake clientsets have their initial objects: NewClientset
// under the kind's, NewSimpleClientset under the one that the kind's name suggests, like
// client-go's fake clientsets.
func TestSeeds(t *testing.T) {
	one := metav1.ObjectMeta{Name: "one", Namespace: "here"}
	shelf := &libraryv1.Shelf{ObjectMeta: one}
	domes := &apiv1.DomeList{Items: []apiv1.Dome{{ObjectMeta: metav1.ObjectMeta{Name: "one"}}}}
	if _, err := library.NewClientset(shelf).LibraryV1().Shelves("here").Get(t.Context(), "one", metav1.GetOptions{}); err != nil {
		t.Error(err)
	}
	if _, err := observatory.NewClientset(domes).ObservatoryV1().Domes().Get(t.Context(), "one", metav1.GetOptions{}); err != nil {
		t.Error(err)
	}
	if _, err := library.NewSimpleClientset(shelf).Tracker().Get(schema.GroupVersionResource{Group: libraryv1.GroupName, Version: "v1", Resource: "shelfs"}, "here", "one"); err != nil {
		t.Error(err)
	}
	if _, err := observatory.NewSimpleClientset(domes).Tracker().Get(apiv1.GroupVersion.WithResource("domes"), "", "one"); err != nil {
		t.Error(err)
	}
}
