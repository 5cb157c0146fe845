package program

import (
	"encoding/json"
	"maps"
	"strings"

	kjson "sigs.k8s.io/json"

	"github.com/listwatch/listwatch/generators/internal/kubemarker"
)

// validatingWebhook has the JSON of a ValidatingWebhook of admissionregistration.k8s.io/v1.
type validatingWebhook struct {
	Name              string          `json:"name"`
	ClientConfig      clientConfig    `json:"clientConfig"`
	Rules             []operationRule `json:"rules,omitempty"`
	FailurePolicy     *string         `json:"failurePolicy,omitempty"`
	MatchPolicy       *string         `json:"matchPolicy,omitempty"`
	NamespaceSelector *selector       `json:"namespaceSelector,omitempty"`
	ObjectSelector    *selector       `json:"objectSelector,omitempty"`
	SideEffects       *string         `json:"sideEffects,omitempty"`
	Timeout           *int64          `json:"timeoutSeconds,omitempty"`
	ReviewVersions    []string        `json:"admissionReviewVersions"`
	Conditions        []condition     `json:"matchConditions,omitempty"`
}

// mutatingWebhook has the JSON of a MutatingWebhook.
type mutatingWebhook struct {
	validatingWebhook
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

type selector struct {
	Labels      map[string]string `json:"matchLabels,omitempty"`
	Expressions []expression      `json:"matchExpressions,omitempty"`
}

type expression struct {
	Key      string   `json:"key"`
	Operator string   `json:"operator"`
	Values   []string `json:"values,omitempty"`
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
	return json.Marshal(w.validatingWebhook)
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
func (w *mutatingWebhook) apply(text string, mutating bool) error {
	before, err := w.object(mutating)
	if err != nil {
		return err
	}
	if mutating {
		return apply(before, []byte(text), w)
	}
	return apply(before, []byte(text), &w.validatingWebhook)
}

// apply sets w to the JSON object before with a patch.
func apply[T any](before map[string]any, text []byte, w *T) error {
	var patch map[string]any
	if err := strict(text, &patch); err != nil {
		return err
	}
	fields, err := json.Marshal(patched(nil, patch, false))
	if err != nil {
		return err
	}
	var checked, after T
	if err = strict(fields, &checked); err != nil {
		return err
	}
	object, err := json.Marshal(patched(before, patch, true))
	if err != nil {
		return err
	}
	if err = strict(object, &after); err != nil {
		return err
	}
	*w = after
	return nil
}

// replaces is the directive of an object in a patch that takes the place of all that it has been.
const replaces = "$patch"

// patched returns an object with a patch: objects are merged, null removes a field if remove is set, and everything else is
// replaced. Lists are too: the only one that is merged by a key, matchConditions, is empty without a patch.
func patched(object, patch map[string]any, remove bool) map[string]any {
	result := map[string]any{}
	if patch[replaces] != "replace" {
		maps.Copy(result, object)
	}
	for name, value := range patch {
		switch value := value.(type) {
		case map[string]any:
			had, _ := result[name].(map[string]any)
			result[name] = patched(had, value, remove)
		case nil:
			if remove {
				delete(result, name)
			} else {
				result[name] = nil
			}
		default:
			if name != replaces || value != "replace" {
				result[name] = value
			}
		}
	}
	return result
}

// strict reads JSON, and returns an error for fields that are unknown or occur twice.
func strict(text []byte, to any) error {
	faults, err := kjson.UnmarshalStrict(text, to)
	if err == nil && len(faults) > 0 {
		return faults[0]
	}
	return err
}
