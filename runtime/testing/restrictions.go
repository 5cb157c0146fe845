package testing

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
)

// ExtractFromListOptions returns the selectors, parsed, and the resourceVersion of opts, which is a
// metav1.ListOptions; any other value counts as options without restrictions. A selector that
// cannot be parsed selects nothing; the tracker returns an error for it, like a server.
func ExtractFromListOptions(opts any) (labelSelector labels.Selector, fieldSelector fields.Selector, resourceVersion string) {
	list := listOptions(opts)
	labelSelector, err := labels.Parse(list.LabelSelector)
	if err != nil {
		labelSelector = labels.Nothing()
	}
	fieldSelector, err = fields.ParseSelector(list.FieldSelector)
	if err != nil {
		fieldSelector = fields.Nothing()
	}
	return labelSelector, fieldSelector, list.ResourceVersion
}

func listOptions(opts any) metav1.ListOptions {
	list, _ := opts.(metav1.ListOptions)
	return list
}

func restrictions(opts metav1.ListOptions) ListRestrictions {
	labelSelector, fieldSelector, _ := ExtractFromListOptions(opts)
	return ListRestrictions{Labels: labelSelector, Fields: fieldSelector}
}

// onlySelectors removes all options except the selectors, and brings these into their normal form
// if they have one.
func onlySelectors(opts any) metav1.ListOptions {
	list := listOptions(opts)
	only := metav1.ListOptions{LabelSelector: list.LabelSelector, FieldSelector: list.FieldSelector}
	if selector, err := labels.Parse(list.LabelSelector); err == nil {
		only.LabelSelector = selector.String()
	}
	if selector, err := fields.ParseSelector(list.FieldSelector); err == nil {
		only.FieldSelector = selector.String()
	}
	return only
}
