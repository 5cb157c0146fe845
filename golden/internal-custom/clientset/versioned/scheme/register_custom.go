package scheme

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// ExtraInstall registers what the scheme has beside the kinds of the clientset: the
// types of metadata-only requests.
func ExtraInstall(scheme *runtime.Scheme) {
	scheme.AddKnownTypes(schema.GroupVersion{Group: "cellar.example.com", Version: "v1"},
		&metav1.PartialObjectMetadata{}, &metav1.PartialObjectMetadataList{})
}
