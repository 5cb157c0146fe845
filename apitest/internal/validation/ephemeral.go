package validation

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var ephemeralChecks = map[string]check{
	"ephemeral-targets": of(func(s *corev1.PodSpec, at *field.Path) field.ErrorList {
		var errs field.ErrorList
		for i, c := range s.EphemeralContainers {
			target := c.TargetContainerName
			if target != "" && !slices.ContainsFunc(slices.Concat(s.Containers, s.InitContainers), func(c corev1.Container) bool { return c.Name == target }) {
				errs = append(errs, field.NotFound(at.Child("ephemeralContainers").Index(i).Child("targetContainerName"), target))
			}
		}
		return errs
	}),
	"no-ephemeral": of(func(t *corev1.PodTemplateSpec, at *field.Path) field.ErrorList {
		if len(t.Spec.EphemeralContainers) == 0 {
			return nil
		}
		return field.ErrorList{field.Forbidden(at.Child("spec", "ephemeralContainers"), "ephemeral containers not allowed in pod template")}
	}),
	"whole-volumes": of(func(c *corev1.EphemeralContainerCommon, at *field.Path) field.ErrorList {
		var errs field.ErrorList
		for i, m := range c.VolumeMounts {
			mount := at.Child("volumeMounts").Index(i)
			if m.SubPath != "" {
				errs = append(errs, field.Forbidden(mount.Child("subPath"), "cannot be set for an Ephemeral Container"))
			}
			if m.SubPathExpr != "" {
				errs = append(errs, field.Forbidden(mount.Child("subPathExpr"), "cannot be set for an Ephemeral Container"))
			}
		}
		return errs
	}),
	"trimmed": of(func(text *string, at *field.Path) field.ErrorList { return invalid(at, *text, trimmed(*text)) }),
}
