package reference_test

import (
	"fmt"
	"log"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/kubernetes/reference"
	"github.com/listwatch/listwatch/kubernetes/scheme"
)

// Objects that clients return do not name their kind: a reference gets it from the scheme.
func ExampleGetReference() {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web-1"}}
	ref, err := reference.GetReference(scheme.Scheme, pod)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ref.APIVersion, ref.Kind, ref.Namespace, ref.Name)
	// Output: v1 Pod default web-1
}
