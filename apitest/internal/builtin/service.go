package builtin

import (
	"k8s.io/apimachinery/pkg/api/validation"
)

func serviceRules(r *rules) {
	r.fields = serviceFields
	r.validName = validation.NameIsDNSLabel
	r.validateUpdate = keepsAddress
}
