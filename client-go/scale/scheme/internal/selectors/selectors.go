// Package selectors converts the selectors of scales.
package selectors

import (
	"fmt"
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Text returns a selector as scales of autoscaling/v1 have it, "" for nil.
func Text(in *metav1.LabelSelector) (string, error) {
	if in == nil {
		return "", nil
	}
	selector, err := metav1.LabelSelectorAsSelector(in)
	if err != nil {
		return "", fmt.Errorf("invalid label selector: %w", err)
	}
	return selector.String(), nil
}

// Parse returns the selector of a text, nil for "".
func Parse(text string) (*metav1.LabelSelector, error) {
	if text == "" {
		return nil, nil
	}
	selector, err := metav1.ParseToLabelSelector(text)
	if err != nil {
		return nil, fmt.Errorf("failed to parse target selector: %w", err)
	}
	return selector, nil
}

// Both returns a selector as scales of older versions have it: labels, nil if they do not suffice, and the text.
func Both(in *metav1.LabelSelector) (labels map[string]string, text string, err error) {
	if in != nil && len(in.MatchExpressions) == 0 {
		labels = in.MatchLabels
	}
	text, err = Text(in)
	return labels, text, err
}

// FromBoth returns the selector of a scale of an older version. The text counts, and labels only without one.
func FromBoth(labels map[string]string, text string) (*metav1.LabelSelector, error) {
	if text == "" && labels != nil {
		return &metav1.LabelSelector{MatchLabels: maps.Clone(labels)}, nil
	}
	return Parse(text)
}
