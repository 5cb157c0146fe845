package brewery

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Beer is brewed.
//
// +genclient
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Beer struct {
	metav1.TypeMeta
	metav1.ObjectMeta

	Spec   BeerSpec
	Status BeerStatus
}

// BeerSpec is what is wanted.
type BeerSpec struct {
	Hops int32
}

// BeerStatus is what is there.
type BeerStatus struct {
	Bottles int64
}

// BeerList is a page of them.
//
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type BeerList struct {
	metav1.TypeMeta
	metav1.ListMeta

	Items []Beer
}
