package kinds

import (
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/utils/ptr"
)

var specTemplate = field.NewPath("spec", "template")

func replicaSetRules(r *Rules) {
	r.Warn = named(warnTemplate(specTemplate, func(s *appsv1.ReplicaSet) *corev1.PodTemplateSpec { return &s.Spec.Template }))
}

func statefulSetRules(r *Rules) {
	r.ValidName = validation.NameIsDNSLabel
	ofTemplate := warnTemplate(specTemplate, func(s *appsv1.StatefulSet) *corev1.PodTemplateSpec { return &s.Spec.Template })
	r.Warn = func(obj, old runtime.Object) []string {
		s, out := obj.(*appsv1.StatefulSet), ofTemplate(obj, old)
		for i, c := range s.Spec.VolumeClaimTemplates {
			at := field.NewPath("spec", "volumeClaimTemplates").Index(i)
			if old != nil {
				at = at.Child("Spec") // the real server's path for updates
			}
			out = append(out, warnClaimSize(&c.Spec, at)...)
		}
		if n := s.Spec.RevisionHistoryLimit; n != nil && *n < 0 {
			out = append(out, "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended")
		}
		return out
	}
	r.PrepareCreate = func(obj runtime.Object) { nameClaims(obj.(*appsv1.StatefulSet)) }
	r.PrepareUpdate = func(obj, _ runtime.Object) { nameClaims(obj.(*appsv1.StatefulSet)) }
}

// nameClaims sets the kind of a stateful set's claims, whatever it was.
func nameClaims(s *appsv1.StatefulSet) {
	for i := range s.Spec.VolumeClaimTemplates {
		s.Spec.VolumeClaimTemplates[i].TypeMeta = metav1.TypeMeta{Kind: "PersistentVolumeClaim", APIVersion: "v1"}
	}
}

func cronJobRules(r *Rules) {
	r.Warn = named(warnJobs(field.NewPath("spec", "jobTemplate", "spec"), func(c *batchv1.CronJob) *batchv1.JobSpec { return &c.Spec.JobTemplate.Spec }))
}

func podTemplateRules(r *Rules) {
	r.Warn = warnTemplate(field.NewPath("template"), func(t *corev1.PodTemplate) *corev1.PodTemplateSpec { return &t.Template })
}

func deploymentRules(r *Rules) {
	r.Warn = named(warnTemplate(specTemplate, func(d *appsv1.Deployment) *corev1.PodTemplateSpec { return &d.Spec.Template }))
	r.LabelsFixed = true
	r.StatusResets = [][]any{{"metadata", "labels"}}
	r.PrepareCreate = func(obj runtime.Object) { writeRollback(obj.(*appsv1.Deployment)) }
	r.PrepareUpdate = func(obj, _ runtime.Object) { writeRollback(obj.(*appsv1.Deployment)) }
	r.Changed = func(obj, old runtime.Object) bool {
		return !equality.Semantic.DeepEqual(obj.(*appsv1.Deployment).Annotations, old.(*appsv1.Deployment).Annotations)
	}
}

// writeRollback writes the revision that a deployment is rolled back to, which is an integer, and removes it if it is empty.
func writeRollback(d *appsv1.Deployment) {
	text, ok := d.Annotations[appsv1.DeprecatedRollbackTo]
	if !ok {
		return
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		d.Annotations[appsv1.DeprecatedRollbackTo] = strconv.FormatInt(n, 10)
	} else {
		delete(d.Annotations, appsv1.DeprecatedRollbackTo)
	}
}

func daemonSetRules(r *Rules) {
	r.Warn = warnTemplate(specTemplate, func(d *appsv1.DaemonSet) *corev1.PodTemplateSpec { return &d.Spec.Template })
	r.PrepareCreate = func(obj runtime.Object) {
		d := obj.(*appsv1.DaemonSet)
		setTemplateGeneration(d, max(1, templateGeneration(d)))
	}
	r.PrepareUpdate = func(obj, old runtime.Object) {
		n, o := obj.(*appsv1.DaemonSet), old.(*appsv1.DaemonSet)
		generation := templateGeneration(o)
		if !equality.Semantic.DeepEqual(n.Spec.Template, o.Spec.Template) {
			generation++
		}
		setTemplateGeneration(n, generation)
	}
}

func replicationControllerRules(r *Rules) {
	r.Fields = replicationControllerFields
	r.Warn = named(func(obj, old runtime.Object) []string {
		c := obj.(*corev1.ReplicationController)
		if was, ok := old.(*corev1.ReplicationController); ok {
			if was.Generation == c.Generation {
				return nil
			}
			c = was // of an update, the real server warns of what was there before
		}
		if t := c.Spec.Template; t != nil {
			return warnSpec(specTemplate, t.ObjectMeta, &t.Spec)
		}
		return nil
	})
	r.Garbage = rest.OrphanDependents
}

func jobRules(r *Rules) {
	r.Fields = jobFields
	r.Garbage = rest.OrphanDependents
	r.Warn = named(warnJobs(field.NewPath("spec"), func(j *batchv1.Job) *batchv1.JobSpec { return &j.Spec }))
	r.PrepareCreate = func(obj runtime.Object) { selectJobPods(obj.(*batchv1.Job)) }
}

// warnJobs makes the warnings about the jobs that are at a path of an object, for its creation and its changes.
func warnJobs[T metav1.Object](path *field.Path, spec func(T) *batchv1.JobSpec) func(obj, old runtime.Object) []string {
	ofTemplate := warnTemplate(path.Child("template"), func(o T) *corev1.PodTemplateSpec { return &spec(o).Template })
	return func(obj, old runtime.Object) []string {
		o, ok := obj.(T)
		if was, changed := old.(T); !ok || changed && was.GetGeneration() == o.GetGeneration() {
			return nil
		}
		var out []string
		s := spec(o)
		if mode := s.CompletionMode; mode != nil && *mode == batchv1.IndexedCompletion && ptr.Deref(s.Completions, 0) > 100_000 && ptr.Deref(s.Parallelism, 0) > 10_000 {
			out = append(out, path.String()+": In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, "+
				"Kubernetes might not be able to track completedIndexes when a big number of indexes fail")
		}
		return append(out, ofTemplate(obj, old)...)
	}
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

// templateGeneration returns how often a daemon set's template has changed, which apps/v1
// keeps in an annotation.
func templateGeneration(d *appsv1.DaemonSet) int64 {
	n, err := strconv.ParseInt(d.Annotations[appsv1.DeprecatedTemplateGeneration], 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func setTemplateGeneration(d *appsv1.DaemonSet, n int64) {
	if d.Annotations == nil {
		d.Annotations = map[string]string{}
	}
	d.Annotations[appsv1.DeprecatedTemplateGeneration] = strconv.FormatInt(n, 10)
}
