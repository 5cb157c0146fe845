package embedded

import (
	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Where a review has the selectors of the request that it asks about.
var (
	labelSelectorPath = field.NewPath("spec", "resourceAttributes", "labelSelector")
	fieldSelectorPath = field.NewPath("spec", "resourceAttributes", "fieldSelector")
)

// invalidSelectors returns what is invalid in the selectors of a review. Unknown operators are valid.
func invalidSelectors(r *authorizationv1.ResourceAttributes) field.ErrorList {
	var errs field.ErrorList
	if s := r.FieldSelector; s != nil {
		errs = append(errs, oneSelector(s.RawSelector, len(s.Requirements), fieldSelectorPath)...)
		for i, req := range s.Requirements {
			errs = append(errs, validation.ValidateFieldSelectorRequirement(req,
				validation.FieldSelectorValidationOptions{AllowUnknownOperatorInRequirement: true}, fieldSelectorPath.Child("requirements").Index(i))...)
		}
	}
	if s := r.LabelSelector; s != nil {
		errs = append(errs, oneSelector(s.RawSelector, len(s.Requirements), labelSelectorPath)...)
		for i, req := range s.Requirements {
			errs = append(errs, validation.ValidateLabelSelectorRequirement(req,
				validation.LabelSelectorValidationOptions{AllowUnknownOperatorInRequirement: true}, labelSelectorPath.Child("requirements").Index(i))...)
		}
	}
	return errs
}

// oneSelector checks that a selector is either a text or a list of requirements.
func oneSelector(text string, requirements int, at *field.Path) field.ErrorList {
	switch {
	case text != "" && requirements > 0:
		return field.ErrorList{field.Invalid(at.Child("rawSelector"), text, "may not specified at the same time as requirements")}
	case text == "" && requirements == 0:
		return field.ErrorList{field.Required(at.Child("requirements"), "when "+at.String()+" is specified, requirements or rawSelector is required")}
	}
	return nil
}

// ignoredSelectors returns a message for each selector that has no effect, or less than it says, because the server
// does not understand it.
func ignoredSelectors(r *authorizationv1.ResourceAttributes) []string {
	var out []string
	add := func(err error, ignored, all int, at *field.Path) {
		switch {
		case err != nil || ignored > 0 && ignored == all:
			out = append(out, at.String()+" ignored due to parse error")
		case ignored > 0:
			out = append(out, at.String()+" partially ignored due to parse error")
		}
	}
	if s := r.FieldSelector; s != nil {
		_, err := fields.ParseSelector(s.RawSelector)
		ignored := 0
		for _, req := range s.Requirements {
			if len(req.Values) != 1 || req.Operator != metav1.FieldSelectorOpIn && req.Operator != metav1.FieldSelectorOpNotIn {
				ignored++
			}
		}
		add(err, ignored, len(s.Requirements), fieldSelectorPath)
	}
	if s := r.LabelSelector; s != nil {
		_, err := labels.Parse(s.RawSelector)
		ignored := 0
		for _, req := range s.Requirements {
			switch req.Operator {
			case metav1.LabelSelectorOpIn, metav1.LabelSelectorOpNotIn, metav1.LabelSelectorOpExists, metav1.LabelSelectorOpDoesNotExist:
			default:
				ignored++
			}
		}
		add(err, ignored, len(s.Requirements), labelSelectorPath)
	}
	return out
}
