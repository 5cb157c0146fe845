package program

import (
	"encoding/json"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	kjson "sigs.k8s.io/json"

	"github.com/listwatch/listwatch/generators/internal/kubemarker"
)

// ValidatingWebhook has the JSON of a ValidatingWebhook of admissionregistration.k8s.io/v1. It is exported for package
// reflect, which patches need.
type ValidatingWebhook struct {
	Name              string                `json:"name"`
	ClientConfig      clientConfig          `json:"clientConfig"`
	Rules             []operationRule       `json:"rules,omitempty"`
	FailurePolicy     *string               `json:"failurePolicy,omitempty"`
	MatchPolicy       *string               `json:"matchPolicy,omitempty"`
	NamespaceSelector *metav1.LabelSelector `json:"namespaceSelector,omitempty"`
	ObjectSelector    *metav1.LabelSelector `json:"objectSelector,omitempty"`
	SideEffects       *string               `json:"sideEffects,omitempty"`
	Timeout           *int64                `json:"timeoutSeconds,omitempty"`
	ReviewVersions    []string              `json:"admissionReviewVersions"`
	Conditions        []condition           `json:"matchConditions,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
}

// mutatingWebhook has the JSON of a MutatingWebhook.
type mutatingWebhook struct {
	ValidatingWebhook
	Reinvocation *string `json:"reinvocationPolicy,omitempty"`
}

type clientConfig struct {
	URL      *string  `json:"url,omitempty"`
	Service  *service `json:"service,omitempty"`
	CABundle []byte   `json:"caBundle,omitempty"`
}

type service struct {
	Namespace string  `json:"namespace"`
	Name      string  `json:"name"`
	Path      *string `json:"path,omitempty"`
	Port      *int64  `json:"port,omitempty"`
}

type operationRule struct {
	Operations []string `json:"operations,omitempty"`
	Groups     []string `json:"apiGroups,omitempty"`
	Versions   []string `json:"apiVersions,omitempty"`
	Resources  []string `json:"resources,omitempty"`
	Scope      *string  `json:"scope,omitempty"`
}

type condition struct {
	Name       string `json:"name"`
	Expression string `json:"expression"`
}

// object returns a webhook as a JSON object.
func (w mutatingWebhook) object(mutating bool) (map[string]any, error) {
	text, err := w.marshal(mutating)
	if err != nil {
		return nil, err
	}
	var object map[string]any
	err = kjson.UnmarshalCaseSensitivePreserveInts(text, &object)
	return object, err
}

func (w mutatingWebhook) marshal(mutating bool) ([]byte, error) {
	if mutating {
		return json.Marshal(w)
	}
	return json.Marshal(w.ValidatingWebhook)
}

// patch applies the strategic merge patch of a marker, and reports whether it is valid.
func (r *reader) patch(m *kubemarker.Marker, mutating bool, w *mutatingWebhook) bool {
	text := m.Argument("patch")
	if text == "" {
		return true
	}
	err := w.apply(text, mutating)
	if err != nil {
		r.Diags.Errorf(m.At("patch"), "invalid patch: %v; it is JSON with fields of a webhook, as in patch=`{\"objectSelector\":{\"matchLabels\":{\"a\":\"b\"}}}`", oneLine(err))
	}
	return err == nil
}

func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", " ") }

// apply applies a strategic merge patch. A field of the patch that a webhook does not have is an error.
func (w *mutatingWebhook) apply(patch string, mutating bool) error {
	var object map[string]any
	if err := strict([]byte(patch), &object); err != nil {
		return err
	}
	withoutDirectives(object)
	fields, err := json.Marshal(object)
	if err != nil {
		return err
	}
	before, err := w.marshal(mutating)
	if err != nil {
		return err
	}
	if mutating {
		return merge(before, []byte(patch), fields, w)
	}
	return merge(before, []byte(patch), fields, &w.ValidatingWebhook)
}

// merge sets w to the JSON object before with a patch, whose fields without directives are fields.
func merge[T any](before, patch, fields []byte, w *T) error {
	var checked, after T
	if err := strict(fields, &checked); err != nil {
		return err
	}
	merged, err := strategicpatch.StrategicMergePatch(before, patch, after)
	if err != nil {
		return err
	}
	if err = strict(merged, &after); err != nil {
		return err
	}
	*w = after
	return nil
}

// strict reads JSON, and returns an error for fields that are unknown or occur twice.
func strict(text []byte, to any) error {
	faults, err := kjson.UnmarshalStrict(text, to)
	if err == nil && len(faults) > 0 {
		return faults[0]
	}
	return err
}

// withoutDirectives removes from a patch what is not a field.
func withoutDirectives(value any) {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			if name == "$patch" || name == "$retainKeys" || strings.HasPrefix(name, "$setElementOrder/") || strings.HasPrefix(name, "$deleteFromPrimitiveList/") {
				delete(v, name)
				continue
			}
			withoutDirectives(member)
		}
	case []any:
		for _, item := range v {
			withoutDirectives(item)
		}
	}
}
