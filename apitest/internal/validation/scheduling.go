package validation

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var schedulingChecks = map[string]check{
	"gates": of(func(list *[]corev1.PodSchedulingGate, at *field.Path) field.ErrorList {
		var errs field.ErrorList
		seen := map[string]bool{}
		for i, g := range *list {
			errs = append(errs, invalid(at.Index(i), g.Name, utilvalidation.IsQualifiedName(g.Name))...)
			if seen[g.Name] {
				errs = append(errs, field.Duplicate(at.Index(i), g.Name))
			}
			seen[g.Name] = true
		}
		return errs
	}),
	"toleration":     of(toleration),
	"preferred-term": of(preferredTerm),
	"spread":         of(spread),
	"min-domains": of(func(c *corev1.TopologySpreadConstraint, at *field.Path) field.ErrorList {
		if c.MinDomains != nil && c.WhenUnsatisfiable != corev1.DoNotSchedule {
			return field.ErrorList{field.Invalid(at.Child("minDomains"), *c.MinDomains,
				fmt.Sprintf("can only use minDomains if whenUnsatisfiable=%s, not %s", corev1.DoNotSchedule, c.WhenUnsatisfiable))}
		}
		return nil
	}),
	"node-expression": of(nodeExpression),
	"node-field":      of(nodeField),
	"weight": of(func(weight *int32, at *field.Path) field.ErrorList {
		if *weight < 1 || *weight > 100 {
			return field.ErrorList{field.Invalid(at, *weight, "must be in the range 1-100")}
		}
		return nil
	}),
	"affinity-namespaces": of(func(t *corev1.PodAffinityTerm, at *field.Path) field.ErrorList {
		var errs field.ErrorList
		for _, name := range t.Namespaces {
			errs = append(errs, invalid(at.Child("namespace"), name, utilvalidation.IsDNS1123Label(name))...)
		}
		return errs
	}),
	"affinity-keys": of(func(t *corev1.PodAffinityTerm, at *field.Path) field.ErrorList {
		return labelKeys(t.MatchLabelKeys, t.MismatchLabelKeys, t.LabelSelector, at)
	}),
	"spread-keys": of(func(c *corev1.TopologySpreadConstraint, at *field.Path) field.ErrorList {
		return labelKeys(c.MatchLabelKeys, nil, c.LabelSelector, at)
	}),
	"topology-key": of(func(key *string, at *field.Path) field.ErrorList {
		var errs field.ErrorList
		if *key == "" {
			errs = append(errs, field.Required(at, "can not be empty"))
		}
		return append(errs, metavalidation.ValidateLabelName(*key, at)...)
	}),
}

// toleration checks what the operator and the effect of a toleration allow.
func toleration(t *corev1.Toleration, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if t.Key == "" && t.Operator != corev1.TolerationOpExists {
		errs = append(errs, field.Invalid(at.Child("operator"), t.Operator,
			"operator must be Exists when `key` is empty, which means \"match all values and all keys\""))
	}
	if t.TolerationSeconds != nil && t.Effect != corev1.TaintEffectNoExecute {
		errs = append(errs, field.Invalid(at.Child("effect"), t.Effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"))
	}
	switch t.Operator {
	case corev1.TolerationOpEqual, "":
		errs = append(errs, invalid(at.Child("operator"), t.Value, utilvalidation.IsValidLabelValue(t.Value))...)
	case corev1.TolerationOpExists:
		if t.Value != "" {
			errs = append(errs, field.Invalid(at.Child("operator"), t.Value, "value must be empty when `operator` is 'Exists'"))
		}
	case corev1.TolerationOpLt, corev1.TolerationOpGt: // their feature is off
		errs = append(errs, field.NotSupported(at.Child("operator"), t.Operator, []corev1.TolerationOperator{
			corev1.TolerationOpEqual, corev1.TolerationOpExists, corev1.TolerationOpLt, corev1.TolerationOpGt}))
	default:
		errs = append(errs, field.NotSupported(at.Child("operator"), t.Operator, []corev1.TolerationOperator{corev1.TolerationOpEqual, corev1.TolerationOpExists}))
	}
	if t.Effect != "" {
		errs = append(errs, taintEffect(t.Effect, true, at.Child("effect"))...)
	}
	return errs
}

func taintEffect(effect corev1.TaintEffect, allowEmpty bool, at *field.Path) field.ErrorList {
	supported := []corev1.TaintEffect{corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute}
	switch {
	case effect == "" && !allowEmpty:
		return field.ErrorList{field.Required(at, "")}
	case effect == "", slices.Contains(supported, effect):
		return nil
	}
	return field.ErrorList{field.NotSupported(at, effect, supported)}
}

// labelKeys checks the keys of labels whose values are those of the pod itself. The selector contains them already.
func labelKeys(match, mismatch []string, s *metav1.LabelSelector, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, list := range []struct {
		name string
		keys []string
	}{{"matchLabelKeys", match}, {"mismatchLabelKeys", mismatch}} {
		if len(list.keys) > 0 && s == nil {
			errs = append(errs, field.Forbidden(at.Child(list.name), "must not be specified when labelSelector is not set"))
			continue
		}
		for i, key := range list.keys {
			errs = append(errs, metavalidation.ValidateLabelName(key, at.Child(list.name).Index(i))...)
		}
	}
	if s != nil {
		seen := map[string]bool{}
		for key := range s.MatchLabels {
			seen[key] = true
		}
		for _, e := range s.MatchExpressions {
			if i := slices.Index(match, e.Key); i >= 0 && seen[e.Key] {
				errs = append(errs, field.Invalid(at.Index(i), e.Key, "exists in both matchLabelKeys and labelSelector"))
			}
			seen[e.Key] = true
		}
	}
	for i, key := range match {
		if slices.Contains(mismatch, key) {
			errs = append(errs, field.Invalid(at.Child("matchLabelKeys").Index(i), key, "exists in both matchLabelKeys and mismatchLabelKeys"))
		}
	}
	return errs
}

// spread checks that no two constraints are of the same kind.
func spread(list *[]corev1.TopologySpreadConstraint, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, c := range *list {
		if slices.ContainsFunc((*list)[i+1:], func(other corev1.TopologySpreadConstraint) bool {
			return other.TopologyKey == c.TopologyKey && other.WhenUnsatisfiable == c.WhenUnsatisfiable
		}) {
			errs = append(errs, field.Duplicate(at.Index(i).Child("{topologyKey, whenUnsatisfiable}"),
				fmt.Sprintf("{%v, %v}", c.TopologyKey, c.WhenUnsatisfiable)))
		}
	}
	return errs
}

// nodeExpression checks a requirement for the labels of nodes.
func nodeExpression(r *corev1.NodeSelectorRequirement, at *field.Path) field.ErrorList {
	errs := preferredExpression(r, at)
	for i, value := range r.Values {
		errs = append(errs, invalid(at.Child("values").Index(i), value, utilvalidation.IsValidLabelValue(value))...)
	}
	return errs
}

// preferredTerm checks a preference of nodes. The values in it need not be those of labels.
func preferredTerm(t *corev1.NodeSelectorTerm, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i := range t.MatchExpressions {
		errs = append(errs, preferredExpression(&t.MatchExpressions[i], at.Child("matchExpressions").Index(i))...)
	}
	for i := range t.MatchFields {
		errs = append(errs, nodeField(&t.MatchFields[i], at.Child("matchFields").Index(i))...)
	}
	return errs
}

// preferredExpression checks a requirement except the form of its values.
func preferredExpression(r *corev1.NodeSelectorRequirement, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	switch r.Operator {
	case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
		if len(r.Values) == 0 {
			errs = append(errs, field.Required(at.Child("values"), "must be specified when `operator` is 'In' or 'NotIn'"))
		}
	case corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist:
		if len(r.Values) > 0 {
			errs = append(errs, field.Forbidden(at.Child("values"), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"))
		}
	case corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt:
		if len(r.Values) != 1 {
			errs = append(errs, field.Required(at.Child("values"), "must be specified single value when `operator` is 'Lt' or 'Gt'"))
		}
	default:
		errs = append(errs, field.Invalid(at.Child("operator"), r.Operator, "not a valid selector operator"))
	}
	return append(errs, metavalidation.ValidateLabelName(r.Key, at.Child("key"))...)
}

// nodeField checks a requirement for a field of nodes.
func nodeField(r *corev1.NodeSelectorRequirement, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	switch r.Operator {
	case corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn:
		if len(r.Values) != 1 {
			errs = append(errs, field.Required(at.Child("values"), "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"))
		}
	default:
		errs = append(errs, field.Invalid(at.Child("operator"), r.Operator, "not a valid selector operator"))
	}
	if r.Key != metav1.ObjectNameField {
		return append(errs, field.Invalid(at.Child("key"), r.Key, "not a valid field selector key"))
	}
	for i, value := range r.Values {
		errs = append(errs, invalid(at.Child("values").Index(i), value, utilvalidation.IsDNS1123Subdomain(strings.TrimSpace(value)))...)
	}
	return errs
}
