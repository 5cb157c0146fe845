// Package meta has short names for what every kind has.
package meta

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// What every kind and every list of a kind embeds.
type (
	TypeMeta   = metav1.TypeMeta
	ObjectMeta = metav1.ObjectMeta
	ListMeta   = metav1.ListMeta
)
