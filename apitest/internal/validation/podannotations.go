package validation

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

const mirrorPod = "kubernetes.io/config.mirror" // names the file of a pod that a node runs without a server

var podAnnotationChecks = map[string]check{
	"pod-annotations": of(func(p *corev1.Pod, _ *field.Path) field.ErrorList {
		return podAnnotations(p.Annotations, &p.Spec, field.NewPath("metadata", "annotations"))
	}),
	"node-annotations": changed(func(now, was *corev1.Pod, _ *field.Path) field.ErrorList {
		return nodeAnnotations(now.Annotations, was.Annotations, field.NewPath("metadata", "annotations"))
	}),
	"template-annotations": of(func(t *corev1.PodTemplateSpec, at *field.Path) field.ErrorList {
		return podAnnotations(t.Annotations, &t.Spec, at.Child("annotations"))
	}),
}

// podAnnotations checks the annotations of pods that have a meaning.
func podAnnotations(all map[string]string, s *corev1.PodSpec, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if value, ok := all[mirrorPod]; ok && s.NodeName == "" {
		errs = append(errs, field.Invalid(at.Key(mirrorPod), value, "must set spec.nodeName if mirror pod annotation is set"))
	}
	errs = append(errs, tolerationsAnnotation(all, at)...)
	if cost, ok := all[corev1.PodDeletionCost]; ok && !isCost(cost) {
		errs = append(errs, field.Invalid(at.Key(corev1.PodDeletionCost), cost, "must be a 32bit integer"))
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		value := all[name]
		switch {
		case name == corev1.SeccompPodAnnotationKey, strings.HasPrefix(name, corev1.SeccompContainerAnnotationKeyPrefix):
			errs = append(errs, seccompAnnotation(value, at.Child(name))...)
		case strings.HasPrefix(name, corev1.DeprecatedAppArmorBetaContainerAnnotationKeyPrefix):
			container := strings.TrimPrefix(name, corev1.DeprecatedAppArmorBetaContainerAnnotationKeyPrefix)
			errs = append(errs, apparmorAnnotation(container, value, s, at.Key(name))...)
		}
	}
	return errs
}

// tolerationsAnnotation checks the tolerations that an annotation had before there was a field. They have no effect.
func tolerationsAnnotation(all map[string]string, at *field.Path) field.ErrorList {
	text := all[corev1.TolerationsAnnotationKey]
	if text == "" {
		return nil
	}
	var tolerations []corev1.Toleration
	if err := json.Unmarshal([]byte(text), &tolerations); err != nil {
		return field.ErrorList{field.Invalid(at, corev1.TolerationsAnnotationKey, err.Error())}
	}
	var errs field.ErrorList
	for i := range tolerations {
		t, path := &tolerations[i], at.Child(corev1.TolerationsAnnotationKey).Index(i)
		if t.Key != "" {
			errs = append(errs, invalid(path.Child("key"), t.Key, utilvalidation.IsQualifiedName(t.Key))...)
		}
		errs = append(errs, toleration(t, path)...)
	}
	return errs
}

// nodeAnnotations checks that the annotations which a node reads do not change.
func nodeAnnotations(now, was map[string]string, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	what := func(name string) string {
		switch {
		case name == mirrorPod:
			return "mirror pod annotation"
		case strings.HasPrefix(name, corev1.DeprecatedAppArmorBetaContainerAnnotationKeyPrefix):
			return "AppArmor annotations"
		}
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if value, ok := now[name]; what(name) != "" && (!ok || value != was[name]) {
			errs = append(errs, field.Forbidden(at.Key(name), "may not remove or update "+what(name)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if _, ok := was[name]; what(name) != "" && !ok {
			errs = append(errs, field.Forbidden(at.Key(name), "may not add "+what(name)))
		}
	}
	return errs
}

// isCost reports whether a text is an integer of 32 bits without a plus sign and leading zeros.
func isCost(text string) bool {
	_, err := strconv.ParseInt(text, 10, 32)
	return err == nil && text[0] != '+' && (text[0] != '0' || text == "0")
}
