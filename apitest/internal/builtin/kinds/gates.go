package kinds

import (
	"slices"

	"github.com/listwatch/listwatch/apitest/internal/validation"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// gatesRemoved checks that no scheduling gate is added to a pod.
func gatesRemoved(now, was *corev1.PodSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, g := range now.SchedulingGates {
		if !slices.Contains(was.SchedulingGates, g) {
			errs = append(errs, field.Forbidden(path.Child("schedulingGates").Index(i).Child("name"),
				"only deletion is allowed, but found new scheduling gate '"+g.Name+"'"))
		}
	}
	return errs
}

// narrowed checks that an update of a gated pod leaves it no nodes that it did not have before, and sets in was what
// may change.
func narrowed(now, was *corev1.PodSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for key, value := range was.NodeSelector {
		if v, ok := now.NodeSelector[key]; !ok || v != value {
			errs = append(errs, field.Invalid(path.Child("nodeSelector"), now.NodeSelector,
				"only additions to spec.nodeSelector are allowed (no mutations or deletions)"))
			break
		}
	}
	was.NodeSelector = now.NodeSelector

	before, after := nodeAffinityOf(was), nodeAffinityOf(now)
	if before != nil && before.RequiredDuringSchedulingIgnoredDuringExecution != nil {
		var terms []corev1.NodeSelectorTerm
		if after != nil && after.RequiredDuringSchedulingIgnoredDuringExecution != nil {
			terms = after.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
		}
		errs = append(errs, narrowedTerms(terms, before.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms,
			path.Child("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms"))...)
	}
	switch {
	case after != nil && was.Affinity == nil:
		was.Affinity = &corev1.Affinity{NodeAffinity: after}
	case now.Affinity == nil && was.Affinity != nil && was.Affinity.PodAffinity == nil && was.Affinity.PodAntiAffinity == nil:
		was.Affinity = nil
	case was.Affinity != nil:
		was.Affinity.NodeAffinity = after
	}
	return errs
}

func nodeAffinityOf(s *corev1.PodSpec) *corev1.NodeAffinity {
	if s.Affinity == nil {
		return nil
	}
	return s.Affinity.NodeAffinity
}

// narrowedTerms checks that terms, of which a node fulfils one, only get more requirements.
func narrowedTerms(now, was []corev1.NodeSelectorTerm, path *field.Path) field.ErrorList {
	if len(was) > 0 && len(now) != len(was) {
		return field.ErrorList{field.Invalid(path, validation.Internal(now), "no additions/deletions to non-empty NodeSelectorTerms list are allowed")}
	}
	var errs field.ErrorList
	for i, term := range was {
		if !extends(now[i].MatchExpressions, term.MatchExpressions) || !extends(now[i].MatchFields, term.MatchFields) {
			errs = append(errs, field.Invalid(path.Index(i), validation.Internal(now[i]), "only additions are allowed (no mutations or deletions)"))
		}
	}
	return errs
}

// extends reports whether a list begins with another.
func extends(now, was []corev1.NodeSelectorRequirement) bool {
	return len(now) >= len(was) && equality.Semantic.DeepEqual(now[:len(was)], was)
}
