package cellar

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Cask can be got only.
//
// +genclient
// +genclient:onlyVerbs=get
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Cask struct {
	metav1.TypeMeta
	metav1.ObjectMeta

	Litres int32
}
