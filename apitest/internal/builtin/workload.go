package builtin

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
)

func deploymentRules(r *rules) {
	r.labelsFixed = true
	r.statusResets = [][]any{{"metadata", "labels"}}
	r.changed = func(obj, old runtime.Object) bool {
		return !equality.Semantic.DeepEqual(obj.(*appsv1.Deployment).Annotations, old.(*appsv1.Deployment).Annotations)
	}
	r.validate = func(obj runtime.Object) field.ErrorList {
		s := &obj.(*appsv1.Deployment).Spec
		path := field.NewPath("spec")
		errs := validateReplicas(s.Replicas, path)
		errs = append(errs, validateSelector(s.Selector, &s.Template, "deployment", path)...)
		if d := s.ProgressDeadlineSeconds; d != nil && *d <= s.MinReadySeconds {
			errs = append(errs, field.Invalid(path.Child("progressDeadlineSeconds"), *d, "must be greater than minReadySeconds"))
		}
		return errs
	}
	r.validateUpdate = func(obj, old runtime.Object) field.ErrorList {
		return validation.ValidateImmutableField(obj.(*appsv1.Deployment).Spec.Selector, old.(*appsv1.Deployment).Spec.Selector, field.NewPath("spec", "selector"))
	}
}

func replicaSetRules(r *rules) {
	r.validate = func(obj runtime.Object) field.ErrorList {
		s := &obj.(*appsv1.ReplicaSet).Spec
		path := field.NewPath("spec")
		// The text is the one for deployments, as in the real server.
		return append(validateReplicas(s.Replicas, path), validateSelector(s.Selector, &s.Template, "deployment", path)...)
	}
	r.validateUpdate = func(obj, old runtime.Object) field.ErrorList {
		return validation.ValidateImmutableField(obj.(*appsv1.ReplicaSet).Spec.Selector, old.(*appsv1.ReplicaSet).Spec.Selector, field.NewPath("spec", "selector"))
	}
}

func statefulSetRules(r *rules) {
	r.validate = func(obj runtime.Object) field.ErrorList {
		s := &obj.(*appsv1.StatefulSet).Spec
		path := field.NewPath("spec")
		return append(validateReplicas(s.Replicas, path), validateSelector(s.Selector, &s.Template, "statefulset", path)...)
	}
	r.validateUpdate = func(obj, old runtime.Object) field.ErrorList {
		n, o := &obj.(*appsv1.StatefulSet).Spec, &old.(*appsv1.StatefulSet).Spec
		path := field.NewPath("spec")
		errs := validation.ValidateImmutableField(n.Selector, o.Selector, path.Child("selector"))
		errs = append(errs, validation.ValidateImmutableField(n.VolumeClaimTemplates, o.VolumeClaimTemplates, path.Child("volumeClaimTemplates"))...)
		errs = append(errs, validation.ValidateImmutableField(n.ServiceName, o.ServiceName, path.Child("serviceName"))...)
		return append(errs, validation.ValidateImmutableField(n.PodManagementPolicy, o.PodManagementPolicy, path.Child("podManagementPolicy"))...)
	}
}

func daemonSetRules(r *rules) {
	r.prepareCreate = func(obj runtime.Object) {
		d := obj.(*appsv1.DaemonSet)
		setTemplateGeneration(d, max(1, templateGeneration(d)))
	}
	r.prepareUpdate = func(obj, old runtime.Object) {
		n, o := obj.(*appsv1.DaemonSet), old.(*appsv1.DaemonSet)
		generation := templateGeneration(o)
		if !equality.Semantic.DeepEqual(n.Spec.Template, o.Spec.Template) {
			generation++
		}
		setTemplateGeneration(n, generation)
	}
	r.validate = func(obj runtime.Object) field.ErrorList {
		s := &obj.(*appsv1.DaemonSet).Spec
		return validateSelector(s.Selector, &s.Template, "daemonset", field.NewPath("spec"))
	}
	r.validateUpdate = func(obj, old runtime.Object) field.ErrorList {
		return validation.ValidateImmutableField(obj.(*appsv1.DaemonSet).Spec.Selector, old.(*appsv1.DaemonSet).Spec.Selector, field.NewPath("spec", "selector"))
	}
}

func replicationControllerRules(r *rules) {
	r.fields = replicationControllerFields
	r.garbage = rest.OrphanDependents
}

func jobRules(r *rules) {
	r.fields = jobFields
	r.garbage = rest.OrphanDependents
	r.warnDelete = warnJobDelete
	r.prepareCreate = func(obj runtime.Object) { selectJobPods(obj.(*batchv1.Job)) }
	r.validate = func(obj runtime.Object) field.ErrorList {
		s := &obj.(*batchv1.Job).Spec
		errs := validatePodSpec(&s.Template.Spec, field.NewPath("spec", "template", "spec"))
		if s.Template.Spec.RestartPolicy == corev1.RestartPolicyAlways {
			errs = append(errs, field.Required(field.NewPath("spec", "template", "spec", "restartPolicy"), "valid values: \"OnFailure\", \"Never\""))
		}
		return errs
	}
	r.validateUpdate = func(obj, old runtime.Object) field.ErrorList {
		n, o := &obj.(*batchv1.Job).Spec, &old.(*batchv1.Job).Spec
		path := field.NewPath("spec")
		errs := validation.ValidateImmutableField(n.Completions, o.Completions, path.Child("completions"))
		errs = append(errs, validation.ValidateImmutableField(n.Selector, o.Selector, path.Child("selector"))...)
		if o.Suspend == nil || !*o.Suspend {
			errs = append(errs, validation.ValidateImmutableField(n.Template, o.Template, path.Child("template"))...)
		}
		return append(errs, validation.ValidateImmutableField(n.CompletionMode, o.CompletionMode, path.Child("completionMode"))...)
	}
}

// warnJobDelete warns that a job's pods are retained, if the request does not set what happens to
// them.
func warnJobDelete(options *metav1.DeleteOptions) string {
	if options == nil || options.PropagationPolicy != nil || options.OrphanDependents != nil { //nolint:staticcheck // old clients send it
		return ""
	}
	return "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning"
}

// selectJobPods sets labels that are unique to a job's pods, unless the user has set a selector.
func selectJobPods(j *batchv1.Job) {
	if m := j.Spec.ManualSelector; m != nil && *m {
		return
	}
	if j.Spec.Template.Labels == nil {
		j.Spec.Template.Labels = map[string]string{}
	}
	for key, value := range map[string]string{
		"job-name": j.Name, batchv1.JobNameLabel: j.Name,
		"controller-uid": string(j.UID), batchv1.ControllerUidLabel: string(j.UID),
	} {
		if _, ok := j.Spec.Template.Labels[key]; !ok {
			j.Spec.Template.Labels[key] = value
		}
	}
	if j.Spec.Selector == nil {
		j.Spec.Selector = &metav1.LabelSelector{}
	}
	if j.Spec.Selector.MatchLabels == nil {
		j.Spec.Selector.MatchLabels = map[string]string{}
	}
	if _, ok := j.Spec.Selector.MatchLabels[batchv1.ControllerUidLabel]; !ok {
		j.Spec.Selector.MatchLabels[batchv1.ControllerUidLabel] = string(j.UID)
	}
}

func validateReplicas(replicas *int32, path *field.Path) field.ErrorList {
	if replicas == nil {
		return nil
	}
	return validation.ValidateNonnegativeField(int64(*replicas), path.Child("replicas"))
}

// validateSelector checks that a workload selects the pods that it creates.
func validateSelector(selector *metav1.LabelSelector, template *corev1.PodTemplateSpec, kind string, path *field.Path) field.ErrorList {
	at := path.Child("selector")
	if selector == nil {
		errs := field.ErrorList{field.Required(at, "")}
		return append(errs, validateTemplate(labels.Nothing(), template, path)...)
	}
	errs := metavalidation.ValidateLabelSelector(selector, metavalidation.LabelSelectorValidationOptions{}, at)
	if len(selector.MatchLabels)+len(selector.MatchExpressions) == 0 {
		errs = append(errs, field.Invalid(at, selector, "empty selector is invalid for "+kind))
	}
	s, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		return append(errs, field.Invalid(at, selector, "invalid label selector"))
	}
	return append(errs, validateTemplate(s, template, path)...)
}

func validateTemplate(selector labels.Selector, template *corev1.PodTemplateSpec, path *field.Path) field.ErrorList {
	at := path.Child("template")
	var errs field.ErrorList
	if !selector.Empty() && !selector.Matches(labels.Set(template.Labels)) {
		errs = append(errs, field.Invalid(at.Child("metadata", "labels"), template.Labels, "`selector` does not match template `labels`"))
	}
	errs = append(errs, validatePodSpec(&template.Spec, at.Child("spec"))...)
	if p := template.Spec.RestartPolicy; p == corev1.RestartPolicyNever || p == corev1.RestartPolicyOnFailure {
		errs = append(errs, field.NotSupported(at.Child("spec", "restartPolicy"), p, []corev1.RestartPolicy{corev1.RestartPolicyAlways}))
	}
	return errs
}
