package validation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// profileChecks check the seccomp and AppArmor profiles of containers, which are in fields and in older annotations.
var profileChecks = map[string]check{
	"seccomp":  of(seccompProfile),
	"apparmor": of(AppArmorProfile),
	"template-profiles": of(func(t *corev1.PodTemplateSpec, at *field.Path) field.ErrorList {
		return profilesMatch(t.Annotations, &t.Spec, at.Child("spec"))
	}),
}

func seccompProfile(s *corev1.SeccompProfile, at *field.Path) field.ErrorList {
	at = at.Child("localhostProfile")
	switch file := s.LocalhostProfile; {
	case s.Type == corev1.SeccompProfileTypeLocalhost && file == nil:
		return field.ErrorList{field.Required(at, "must be set when seccomp type is Localhost")}
	case s.Type == corev1.SeccompProfileTypeLocalhost:
		return invalid(at, *file, inside(*file))
	case file != nil:
		return field.ErrorList{field.Invalid(at, internal{s}, "can only be set when seccomp type is Localhost")}
	}
	return nil
}

// AppArmorProfile checks the profile of a container.
func AppArmorProfile(s *corev1.AppArmorProfile, at *field.Path) field.ErrorList {
	const maxLength = 4095 // that of a path, without the zero at its end
	at = at.Child("localhostProfile")
	missing := field.Required(at, "must be set when AppArmor type is Localhost")
	switch file := s.LocalhostProfile; s.Type {
	case corev1.AppArmorProfileTypeLocalhost:
		if file == nil {
			return field.ErrorList{missing}
		}
		var errs field.ErrorList
		if *file != strings.TrimSpace(*file) {
			errs = append(errs, field.Invalid(at, *file, "must not be padded with whitespace"))
		} else if *file == "" {
			errs = append(errs, missing)
		}
		if len(*file) > maxLength {
			errs = append(errs, field.TooLong(at, "", maxLength))
		}
		return errs
	case corev1.AppArmorProfileTypeRuntimeDefault, corev1.AppArmorProfileTypeUnconfined:
		if file != nil {
			return field.ErrorList{field.Invalid(at, *file, "can only be set when AppArmor type is Localhost")}
		}
	}
	return nil
}

func seccompAnnotation(profile string, at *field.Path) field.ErrorList {
	switch file, local := strings.CutPrefix(profile, corev1.SeccompLocalhostProfileNamePrefix); {
	case profile == corev1.SeccompProfileRuntimeDefault, profile == corev1.DeprecatedSeccompProfileDockerDefault, profile == corev1.SeccompProfileNameUnconfined:
		return nil
	case local:
		return invalid(at, file, inside(file))
	}
	return field.ErrorList{field.Invalid(at, profile, "must be a valid seccomp profile")}
}

// apparmorAnnotation checks the profile of a container.
func apparmorAnnotation(container, profile string, s *corev1.PodSpec, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	found := false
	for _, of := range containersOf(s) {
		found = found || slices.ContainsFunc(of.list, func(c corev1.Container) bool { return c.Name == container })
	}
	if !found {
		errs = append(errs, field.Invalid(at, container, "container not found"))
	}
	switch {
	case profile == "", profile == corev1.DeprecatedAppArmorBetaProfileRuntimeDefault, profile == corev1.DeprecatedAppArmorBetaProfileNameUnconfined,
		strings.HasPrefix(profile, corev1.DeprecatedAppArmorBetaProfileNamePrefix):
		return errs
	}
	return append(errs, field.Invalid(at, profile, fmt.Sprintf("invalid AppArmor profile name: %q", profile)))
}

// profilesMatch checks that profiles which are in annotations and in fields are the same.
func profilesMatch(annotations map[string]string, s *corev1.PodSpec, at *field.Path) field.ErrorList {
	of := cmp.Or(s.SecurityContext, &corev1.PodSecurityContext{})
	windows := s.OS != nil && s.OS.Name == corev1.Windows
	var errs, appArmor field.ErrorList
	if text, ok := annotations[corev1.SeccompPodAnnotationKey]; ok && of.SeccompProfile != nil {
		p := of.SeccompProfile
		errs = append(errs, sameProfile("seccomp", text, string(p.Type), p.LocalhostProfile, at.Child("securityContext", "seccompProfile"))...)
	}
	for here, c := range EachContainer(s, at) {
		context := here.Child("securityContext")
		own := cmp.Or(c.SecurityContext, &corev1.SecurityContext{})
		text, ok := annotations[corev1.SeccompContainerAnnotationKeyPrefix+c.Name]
		if p := own.SeccompProfile; ok && p != nil {
			errs = append(errs, sameProfile("seccomp", text, string(p.Type), p.LocalhostProfile, context.Child("seccompProfile"))...)
		}
		text, ok = annotations[corev1.DeprecatedAppArmorBetaContainerAnnotationKeyPrefix+c.Name]
		if p := cmp.Or(own.AppArmorProfile, of.AppArmorProfile); ok && p != nil && !windows {
			appArmor = append(appArmor, sameProfile("apparmor", text, string(p.Type), p.LocalhostProfile, context.Child("appArmorProfile"))...)
		}
	}
	return append(errs, appArmor...)
}

// sameProfile checks that an annotation names the profile in a field. The types of both kinds of profiles have the same
// names, and so do the values of their annotations, except an older one.
func sameProfile(what, annotation, kind string, file *string, at *field.Path) field.ErrorList {
	annotated, local := strings.CutPrefix(annotation, corev1.SeccompLocalhostProfileNamePrefix)
	same := true // other types are errors of their own
	switch kind {
	case string(corev1.SeccompProfileTypeUnconfined):
		same = annotation == corev1.SeccompProfileNameUnconfined
	case string(corev1.SeccompProfileTypeRuntimeDefault):
		same = annotation == corev1.SeccompProfileRuntimeDefault || what == "seccomp" && annotation == corev1.DeprecatedSeccompProfileDockerDefault
	case string(corev1.SeccompProfileTypeLocalhost):
		if same = local; local && (file == nil || *file != annotated) {
			return field.ErrorList{field.Forbidden(at.Child("localhostProfile"), what+" profile in annotation and field must match")}
		}
	}
	if !same {
		return field.ErrorList{field.Forbidden(at.Child("type"), what+" type in annotation and field must match")}
	}
	return nil
}
