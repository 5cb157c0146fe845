package kinds

import (
	"strings"

	"github.com/listwatch/listwatch/apitest/internal/validation"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// What the warnings about annotations of profiles say, which fields have replaced.
const (
	useSeccompField  = `non-functional in v1.27+; use the "seccompProfile" field instead`
	useAppArmorField = `deprecated since v1.30; use the "appArmorProfile" field instead`
)

// migrateAppArmor sets the AppArmor profiles of a new pod's containers that only annotations name, and warns of these
// annotations (KEP-24, "Version Skew Strategy"). It keeps the annotations, which kubelets before v1.30 read.
func migrateAppArmor(obj runtime.Object) []string {
	p := obj.(*corev1.Pod)
	if p.Spec.OS != nil && p.Spec.OS.Name == corev1.Windows {
		return nil
	}
	var warnings []string
	set := func(name string, context **corev1.SecurityContext) {
		key := corev1.DeprecatedAppArmorBetaContainerAnnotationKeyPrefix + name
		annotation, ok := p.Annotations[key]
		if !ok || *context != nil && (*context).AppArmorProfile != nil {
			return
		}
		profile := appArmorProfile(annotation)
		if profile != nil && equality.Semantic.DeepEqual(profile, podAppArmor(&p.Spec)) {
			return
		}
		warnings = append(warnings, field.NewPath("metadata", "annotations").Key(key).String()+": "+useAppArmorField)
		if profile == nil {
			return
		}
		if *context == nil {
			*context = &corev1.SecurityContext{}
		}
		(*context).AppArmorProfile = profile
	}
	for _, list := range [][]corev1.Container{p.Spec.InitContainers, p.Spec.Containers} {
		for i := range list {
			set(list[i].Name, &list[i].SecurityContext)
		}
	}
	return warnings
}

// warnPodProfile warns of an annotation with the seccomp profile of pods, unless they have one.
func warnPodProfile(path *field.Path, meta metav1.ObjectMeta, s *corev1.PodSpec, warn func(*field.Path, string, ...any)) {
	if _, ok := meta.Annotations[corev1.SeccompPodAnnotationKey]; ok && (s.SecurityContext == nil || s.SecurityContext.SeccompProfile == nil) {
		warn(child(path, "metadata").Child("annotations").Key(corev1.SeccompPodAnnotationKey), useSeccompField)
	}
}

// warnProfiles warns of annotations with profiles of a container, unless it has them. Those of a pod itself with AppArmor
// profiles have been migrated before.
func warnProfiles(path *field.Path, meta metav1.ObjectMeta, s *corev1.PodSpec, c *corev1.Container, warn func(*field.Path, string, ...any)) {
	annotations := child(path, "metadata").Child("annotations")
	key := corev1.SeccompContainerAnnotationKeyPrefix + c.Name
	if _, ok := meta.Annotations[key]; ok && (c.SecurityContext == nil || c.SecurityContext.SeccompProfile == nil) {
		warn(annotations.Key(key), useSeccompField)
	}
	key = corev1.DeprecatedAppArmorBetaContainerAnnotationKeyPrefix + c.Name
	annotation, ok := meta.Annotations[key]
	if path == nil || !ok || c.SecurityContext != nil && c.SecurityContext.AppArmorProfile != nil {
		return
	}
	if pods := podAppArmor(s); pods == nil || !equality.Semantic.DeepEqual(pods, appArmorProfile(annotation)) {
		warn(annotations.Key(key), useAppArmorField)
	}
}

// podAppArmor returns the profile of all containers of a pod that have none of their own, or nil.
func podAppArmor(s *corev1.PodSpec) *corev1.AppArmorProfile {
	if s.SecurityContext == nil {
		return nil
	}
	return s.SecurityContext.AppArmorProfile
}

// appArmorProfile returns the profile that the value of an annotation names, or nil if that is none, or an invalid one.
func appArmorProfile(annotation string) *corev1.AppArmorProfile {
	file, local := strings.CutPrefix(annotation, corev1.DeprecatedAppArmorBetaProfileNamePrefix)
	switch {
	case annotation == corev1.DeprecatedAppArmorBetaProfileNameUnconfined:
		return &corev1.AppArmorProfile{Type: corev1.AppArmorProfileTypeUnconfined}
	case annotation == corev1.DeprecatedAppArmorBetaProfileRuntimeDefault:
		return &corev1.AppArmorProfile{Type: corev1.AppArmorProfileTypeRuntimeDefault}
	case local:
		profile := &corev1.AppArmorProfile{Type: corev1.AppArmorProfileTypeLocalhost, LocalhostProfile: &file}
		if len(validation.AppArmorProfile(profile, nil)) == 0 {
			return profile
		}
	}
	return nil
}
