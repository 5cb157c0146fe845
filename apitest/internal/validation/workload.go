package validation

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var workloadChecks = map[string]check{
	"daemonset-selector": of(daemonSetSelector),
	"controller-selector": of(func(s *corev1.ReplicationControllerSpec, at *field.Path) field.ErrorList {
		if s.Template == nil {
			return field.ErrorList{field.Required(at.Child("template"), "")}
		}
		return matches(labels.Set(s.Selector).AsSelector(), s.Template, at.Child("template"))
	}),
	"always-restarts": func(p place) field.ErrorList {
		if t := templateOf(p); t != nil {
			return restartsAlways(t, p.path.Child("template"))
		}
		return nil
	},
	"no-deadline": noDeadline,
	"progress": of(func(s *appsv1.DeploymentSpec, at *field.Path) field.ErrorList {
		if d := s.ProgressDeadlineSeconds; d != nil && *d <= s.MinReadySeconds {
			return field.ErrorList{field.Invalid(at.Child("progressDeadlineSeconds"), *d, "must be greater than minReadySeconds")}
		}
		return nil
	}),
	"deployment-strategy": of(func(s *appsv1.DeploymentStrategy, at *field.Path) field.ErrorList {
		switch s.Type {
		case appsv1.RecreateDeploymentStrategyType:
			if s.RollingUpdate != nil {
				return field.ErrorList{field.Forbidden(at.Child("rollingUpdate"), "may not be specified when strategy `type` is 'Recreate'")}
			}
		case appsv1.RollingUpdateDeploymentStrategyType:
			if s.RollingUpdate == nil {
				return field.ErrorList{field.Required(at.Child("rollingUpdate"), "this should be defaulted and never be nil")}
			}
		default:
			return notSupported(at, *s, "Recreate", "RollingUpdate")
		}
		return nil
	}),
	"share": of(share),
	"some-progress": of(func(r *appsv1.RollingUpdateDeployment, at *field.Path) field.ErrorList {
		if r.MaxUnavailable == nil && r.MaxSurge == nil {
			return nil // the strategy does not use them
		}
		if isNone(r.MaxUnavailable) && isNone(r.MaxSurge) {
			return field.ErrorList{field.Invalid(at.Child("maxUnavailable"), r.MaxUnavailable, "may not be 0 when `maxSurge` is 0")}
		}
		return notAbove100(r.MaxUnavailable, at.Child("maxUnavailable"))
	}),
	"management": of(func(p *appsv1.PodManagementPolicyType, at *field.Path) field.ErrorList {
		switch *p {
		case "":
			return field.ErrorList{field.Required(at, "")}
		case appsv1.OrderedReadyPodManagement, appsv1.ParallelPodManagement:
			return nil
		}
		return field.ErrorList{field.Invalid(at, *p, fmt.Sprintf("must be '%s' or '%s'", appsv1.OrderedReadyPodManagement, appsv1.ParallelPodManagement))}
	}),
	"statefulset-strategy": of(func(s *appsv1.StatefulSetUpdateStrategy, at *field.Path) field.ErrorList {
		switch s.Type {
		case "":
			return field.ErrorList{field.Required(at, "")}
		case appsv1.OnDeleteStatefulSetStrategyType:
			if s.RollingUpdate != nil {
				return field.ErrorList{field.Invalid(at.Child("rollingUpdate"), internal{s.RollingUpdate}, "only allowed for updateStrategy 'RollingUpdate'")}
			}
		case appsv1.RollingUpdateStatefulSetStrategyType:
		default:
			return field.ErrorList{field.Invalid(at, internal{*s}, "must be 'RollingUpdate' or 'OnDelete'")}
		}
		return nil
	}),
	"revision-data": func(p place) field.ErrorList {
		raw := pointerTo[runtime.RawExtension](p.value).Raw
		switch {
		case p.old.IsValid():
		case len(raw) == 0, string(raw) == "null":
			return field.ErrorList{field.Required(p.path, "data is mandatory")}
		case raw[0] != '{':
			return field.ErrorList{field.Required(p.path, "data must be a valid JSON object")}
		}
		return nil
	},
	"unavailable": of(func(n *intstr.IntOrString, at *field.Path) field.ErrorList {
		errs := share(n, at)
		if isNone(n) {
			errs = append(errs, field.Invalid(at, n.IntValue(), "cannot be 0"))
		}
		return append(errs, notAbove100(n, at)...)
	}),
	"service-label": func(p place) field.ErrorList {
		if name := p.value.String(); name != "" && !p.old.IsValid() {
			return dnsLabel(name, p.path)
		}
		return nil
	},
	"claim-templates": func(p place) field.ErrorList {
		if p.old.IsValid() {
			return nil // they cannot change
		}
		return p.visit(p, false)
	},
	"statefulset-change": changed(func(now, was *appsv1.StatefulSetSpec, at *field.Path) field.ErrorList {
		errs := validation.ValidateImmutableField(now.ServiceName, was.ServiceName, at.Child("serviceName"))
		errs = append(errs, validation.ValidateImmutableField(now.PodManagementPolicy, was.PodManagementPolicy, at.Child("podManagementPolicy"))...)
		errs = append(errs, validation.ValidateImmutableField(now.Selector, was.Selector, at.Child("selector"))...)
		if !equality.Semantic.DeepEqual(now.VolumeClaimTemplates, was.VolumeClaimTemplates) {
			claims := slices.Clone(now.VolumeClaimTemplates)
			for i := range claims {
				claims[i].TypeMeta = metav1.TypeMeta{}
			}
			errs = append(errs, field.Invalid(at.Child("volumeClaimTemplates"), internal{claims}, validation.FieldImmutableErrorMsg))
		}
		return errs
	}),
	"daemonset-strategy": of(daemonSetStrategy),
}

// notSupported is the error for a struct whose type is none of those that are supported.
func notSupported(at *field.Path, value any, supported ...string) field.ErrorList {
	err := field.NotSupported(at, "", supported)
	err.BadValue = internal{value}
	return field.ErrorList{err}
}

// workload checks that a workload of a kind selects the pods that it creates, and the template of these, unless the
// selector cannot be read.
func workload(p place, kind string) field.ErrorList {
	selector, _ := p.value.FieldByName("Selector").Interface().(*metav1.LabelSelector)
	at := p.path.Child("selector")
	var errs field.ErrorList
	s := labels.Nothing()
	if selector == nil {
		errs = append(errs, field.Required(at, ""))
	} else {
		errs = append(errs, metavalidation.ValidateLabelSelector(selector, metavalidation.LabelSelectorValidationOptions{}, at)...)
		if len(selector.MatchLabels)+len(selector.MatchExpressions) == 0 {
			errs = append(errs, field.Invalid(at, selector, "empty selector is invalid for "+kind))
		}
		var err error
		if s, err = metav1.LabelSelectorAsSelector(selector); err != nil {
			text := "invalid label selector"
			if kind == "statefulset" {
				text = "" // which the real server does not say for this kind
			}
			return append(errs, field.Invalid(at, selector, text))
		}
	}
	template, ok := fieldOf(p.value.Type(), "template")
	if !ok {
		return append(errs, field.InternalError(p.path, fmt.Errorf("%s has no template", p.value.Type())))
	}
	errs = append(errs, matches(s, pointerTo[corev1.PodTemplateSpec](p.value.FieldByIndex(template.index)), p.path.Child("template"))...)
	return append(errs, p.visitField(template)...)
}

func daemonSetSelector(s *appsv1.DaemonSetSpec, path *field.Path) field.ErrorList {
	at := path.Child("selector")
	errs := metavalidation.ValidateLabelSelector(s.Selector, metavalidation.LabelSelectorValidationOptions{}, at)
	selector, err := metav1.LabelSelectorAsSelector(s.Selector)
	if err == nil && (s.Selector == nil || !selector.Matches(labels.Set(s.Template.Labels))) {
		errs = append(errs, field.Invalid(path.Child("template", "metadata", "labels"), s.Template.Labels, "`selector` does not match template `labels`"))
	}
	if s.Selector != nil && len(s.Selector.MatchLabels)+len(s.Selector.MatchExpressions) == 0 {
		errs = append(errs, field.Invalid(at, s.Selector, "empty selector is invalid for daemonset"))
	}
	return errs
}

func matches(selector labels.Selector, template *corev1.PodTemplateSpec, at *field.Path) field.ErrorList {
	if selector.Empty() || selector.Matches(labels.Set(template.Labels)) {
		return nil
	}
	return field.ErrorList{field.Invalid(at.Child("metadata", "labels"), template.Labels, "`selector` does not match template `labels`")}
}

func restartsAlways(template *corev1.PodTemplateSpec, at *field.Path) field.ErrorList {
	if p := template.Spec.RestartPolicy; p != corev1.RestartPolicyAlways && p != "" {
		return field.ErrorList{field.NotSupported(at.Child("spec", "restartPolicy"), template.Spec.RestartPolicy, []corev1.RestartPolicy{corev1.RestartPolicyAlways})}
	}
	return nil
}

// templateOf returns the template of a workload, or nil if it has none.
func templateOf(p place) *corev1.PodTemplateSpec {
	template := p.value.FieldByName("Template")
	if template.Kind() == reflect.Pointer && template.IsNil() {
		return nil
	}
	return pointerTo[corev1.PodTemplateSpec](reflect.Indirect(template))
}

// noDeadline checks that the pods of a workload have no deadline. All have their template in the same field.
func noDeadline(p place) field.ErrorList {
	if t := templateOf(p); t == nil || t.Spec.ActiveDeadlineSeconds == nil {
		return nil
	}
	kind := strings.TrimSuffix(p.value.Type().Name(), "Spec")
	if kind == "Deployment" {
		kind = "ReplicaSet"
	}
	return field.ErrorList{field.Forbidden(p.path.Child("template", "spec", "activeDeadlineSeconds"), "activeDeadlineSeconds in "+kind+" is not Supported")}
}

// share checks a number of pods, or a percentage of them.
func share(n *intstr.IntOrString, at *field.Path) field.ErrorList {
	if n.Type == intstr.String {
		return invalid(at, *n, utilvalidation.IsValidPercent(n.StrVal))
	}
	return validation.ValidateNonnegativeField(int64(n.IntValue()), at)
}

// notAbove100 checks a percentage.
func notAbove100(n *intstr.IntOrString, at *field.Path) field.ErrorList {
	if percent, ok := percentage(n); ok && percent > 100 {
		return field.ErrorList{field.Invalid(at, *n, "must not be greater than 100%")}
	}
	return nil
}

func percentage(n *intstr.IntOrString) (int, bool) {
	if n == nil || n.Type != intstr.String {
		return 0, false
	}
	percent, err := strconv.Atoi(strings.TrimSuffix(n.StrVal, "%"))
	return percent, err == nil && strings.HasSuffix(n.StrVal, "%")
}

// isNone reports whether a number or a percentage is zero.
func isNone(n *intstr.IntOrString) bool {
	if n == nil {
		return true
	}
	if percent, ok := percentage(n); ok {
		return percent == 0
	}
	return n.Type == intstr.String || n.IntVal == 0 // also what is not a number
}

func daemonSetStrategy(s *appsv1.DaemonSetUpdateStrategy, at *field.Path) field.ErrorList {
	switch s.Type {
	case appsv1.OnDeleteDaemonSetStrategyType:
		return nil
	case appsv1.RollingUpdateDaemonSetStrategyType:
	default:
		return notSupported(at, *s, "RollingUpdate", "OnDelete")
	}
	r := s.RollingUpdate
	at = at.Child("rollingUpdate")
	if r == nil {
		return field.ErrorList{field.Required(at, "")}
	}
	var errs field.ErrorList
	for _, n := range []struct {
		name  string
		value *intstr.IntOrString
	}{{"maxUnavailable", r.MaxUnavailable}, {"maxSurge", r.MaxSurge}} {
		if n.value != nil {
			errs = append(errs, share(n.value, at.Child(n.name))...)
			errs = append(errs, notAbove100(n.value, at.Child(n.name))...)
		}
	}
	switch unavailable, surge := !isNone(r.MaxUnavailable), !isNone(r.MaxSurge); {
	case unavailable && surge:
		errs = append(errs, field.Invalid(at.Child("maxSurge"), r.MaxSurge, "may not be set when maxUnavailable is non-zero"))
	case !unavailable && !surge:
		errs = append(errs, field.Required(at.Child("maxUnavailable"), "cannot be 0 when maxSurge is 0"))
	}
	return errs
}

// withIdentity returns a stateful set whose pods have the volumes that they get for its claims, before all others, and
// no names of hosts: whatever the template has, they get their own.
func withIdentity(s *appsv1.StatefulSet) *appsv1.StatefulSet {
	out := *s
	out.Spec.Template.Spec.Hostname, out.Spec.Template.Spec.Subdomain = "", ""
	out.Spec.Template.Spec.Volumes = nil
	for i, c := range s.Spec.VolumeClaimTemplates {
		if slices.ContainsFunc(s.Spec.VolumeClaimTemplates[:i], func(before corev1.PersistentVolumeClaim) bool { return before.Name == c.Name }) {
			continue // the real server takes one of them
		}
		out.Spec.Template.Spec.Volumes = append(out.Spec.Template.Spec.Volumes, corev1.Volume{Name: c.Name, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: c.Name},
		}})
	}
	for _, v := range s.Spec.Template.Spec.Volumes {
		if !slices.ContainsFunc(s.Spec.VolumeClaimTemplates, func(c corev1.PersistentVolumeClaim) bool { return c.Name == v.Name }) {
			out.Spec.Template.Spec.Volumes = append(out.Spec.Template.Spec.Volumes, v)
		}
	}
	return &out
}
