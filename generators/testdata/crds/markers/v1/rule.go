package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status

// Rule has rules in CEL. The markers are in the comment above.
type Rule struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	// +required
	Spec RuleSpec `json:"spec"`
}

// RuleSpec has rules in all forms.
//
// +kubebuilder:validation:XValidation:rule="self.min <= self.max",message="min must not exceed max"
// +kubebuilder:validation:XValidation:rule="!has(self.name) || self.name != 'bad'",messageExpression="'bad name: ' + self.name",reason=FieldValueForbidden,fieldPath=".name"
// +kubebuilder:validation:XValidation:rule="self.min >= oldSelf.min.orValue(0)",optionalOldSelf=true
type RuleSpec struct {
	// +kubebuilder:validation:XValidation:rule="self >= 0"
	Min int32 `json:"min"`
	Max int32 `json:"max"`
	// +kubebuilder:validation:MaxLength=20
	Name string `json:"name,omitempty"`
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="is immutable",reason="FieldValueInvalid"
	Fixed string `json:"fixed,omitempty"`
	// +kubebuilder:validation:XValidation:rule=`self.all(x, x.size() < 5)`,message=`each must be "short"; no more`
	// +kubebuilder:validation:MaxItems=10
	// +kubebuilder:validation:items:MaxLength=10
	List []string `json:"list,omitempty"`

	Exactly Exactly `json:"exactly,omitempty"`
	AtMost  AtMost  `json:"atMost,omitempty"`
	AtLeast AtLeast `json:"atLeast,omitempty"`
	All     *All    `json:"all,omitempty"`
}

// Exactly one is set.
//
// +kubebuilder:validation:ExactlyOneOf=a;b
// +kubebuilder:validation:ExactlyOneOf=c;d
type Exactly struct {
	A *string `json:"a,omitempty"`
	B *string `json:"b,omitempty"`
	C *int32  `json:"c,omitempty"`
	D *int32  `json:"d,omitempty"`
}

// AtMost one is set.
//
// +kubebuilder:validation:AtMostOneOf=a;b;c
type AtMost struct {
	A *string `json:"a,omitempty"`
	B *string `json:"b,omitempty"`
	C *string `json:"c,omitempty"`
}

// AtLeast one is set.
//
// +kubebuilder:validation:AtLeastOneOf={a,b}
type AtLeast struct {
	A *string `json:"a,omitempty"`
	B *string `json:"b,omitempty"`
}

// All has all of them, after a rule.
//
// +kubebuilder:validation:AtLeastOneOf=a;b
// +kubebuilder:validation:ExactlyOneOf=c;d
// +kubebuilder:validation:XValidation:rule="!has(self.a) || self.a != 'x'"
// +kubebuilder:validation:AtMostOneOf=a;b
type All struct {
	A *string `json:"a,omitempty"`
	B *string `json:"b,omitempty"`
	C *string `json:"c,omitempty"`
	D *string `json:"d,omitempty"`
}
