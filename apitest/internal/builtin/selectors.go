package builtin

import "k8s.io/apimachinery/pkg/runtime/schema"

// convertFieldLabel tells whether objects of a kind can be selected by a field, if the kind
// is one that can be by other fields than name and namespace.
func convertFieldLabel(gvk schema.GroupVersionKind, label, value string) (string, string, error, bool) {
	return "", "", nil, false
}
