package controllers

import (
	"context"
	"errors"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/apitest/embedded"
)

// Jobs creates the pods of jobs until enough succeeded, or more failed than the backoff limit allows. Pods that
// failed are replaced at once. Deadlines, indexed completions and pod failure policies are not supported, and pods
// must not be deleted before the job has ended.
func Jobs() embedded.Controller { return &jobs{} }

type jobs struct{}

// Reconcile implements embedded.Controller.
func (*jobs) Reconcile(ctx context.Context, cluster *embedded.Cluster, changes []embedded.Change) error {
	var errs []error
	for _, namespace := range namespacesOf(changes, []string{"jobs", "pods"}) {
		list, err := cluster.Clients.BatchV1().Jobs(namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for i := range list.Items {
			job := &list.Items[i]
			if job.DeletionTimestamp == nil && !isDone(job) {
				errs = append(errs, work(ctx, cluster, job))
			}
		}
	}
	return errors.Join(errs...)
}

// isDone reports whether a job is complete or failed.
func isDone(job *batchv1.Job) bool {
	return slices.ContainsFunc(job.Status.Conditions, func(c batchv1.JobCondition) bool {
		return (c.Type == batchv1.JobComplete || c.Type == batchv1.JobFailed) && c.Status == corev1.ConditionTrue
	})
}

// work does the next step of a job.
func work(ctx context.Context, cluster *embedded.Cluster, job *batchv1.Job) error {
	all, err := podsOf(ctx, cluster, job)
	if err != nil {
		return err
	}
	pods := cluster.Clients.CoreV1().Pods(job.Namespace)
	status := job.Status.DeepCopy()
	status.Active, status.Succeeded, status.Failed, status.Ready = 0, 0, 0, new(int32(0))
	status.UncountedTerminatedPods = &batchv1.UncountedTerminatedPods{}
	var active []*corev1.Pod
	for _, pod := range all {
		switch {
		case pod.Status.Phase == corev1.PodSucceeded:
			status.Succeeded++
		case pod.Status.Phase == corev1.PodFailed:
			status.Failed++
		case pod.DeletionTimestamp == nil:
			active = append(active, pod)
			if isReady(pod) {
				*status.Ready++
			}
		}
	}
	parallel, want := int(*job.Spec.Parallelism), int(*job.Spec.Parallelism)
	if c := job.Spec.Completions; c != nil {
		want = min(parallel, int(*c)-int(status.Succeeded))
	} else if status.Succeeded > 0 {
		want = 0 // one that succeeded is enough; the others end by themselves
	}
	suspended := job.Spec.Suspend != nil && *job.Spec.Suspend
	complete := job.Spec.Completions != nil && status.Succeeded >= *job.Spec.Completions ||
		job.Spec.Completions == nil && status.Succeeded > 0 && len(active) == 0
	failed := job.Spec.BackoffLimit != nil && status.Failed > *job.Spec.BackoffLimit
	if suspended || complete || failed {
		want = 0
	}
	keepsActive := job.Spec.Completions == nil && status.Succeeded > 0 && !suspended && !failed
	for len(active) > max(want, 0) && !keepsActive {
		last := active[len(active)-1]
		active = active[:len(active)-1]
		if err = ignore(pods.Delete(ctx, last.Name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &last.UID}})); err != nil {
			return err
		}
	}
	for len(active) < want {
		var pod *corev1.Pod
		pod, err = pods.Create(ctx, newPod(&job.Spec.Template, metav1.NewControllerRef(job, batchv1.SchemeGroupVersion.WithKind("Job"))), metav1.CreateOptions{})
		if err != nil {
			return err
		}
		active = append(active, pod)
	}
	status.Active = int32(len(active)) //nolint:gosec // no overflow
	now := metav1.Now()
	if status.StartTime == nil && !suspended {
		status.StartTime = &now
	}
	switch {
	case failed:
		const reason, message = "BackoffLimitExceeded", "Job has reached the specified backoff limit"
		status.Ready = new(int32(0))
		state(status, batchv1.JobFailureTarget, corev1.ConditionTrue, reason, message)
		state(status, batchv1.JobFailed, corev1.ConditionTrue, reason, message)
	case complete:
		const reason, message = "CompletionsReached", "Reached expected number of succeeded pods"
		status.Ready, status.CompletionTime = new(int32(0)), &now
		state(status, batchv1.JobSuccessCriteriaMet, corev1.ConditionTrue, reason, message)
		state(status, batchv1.JobComplete, corev1.ConditionTrue, reason, message)
	case suspended:
		status.StartTime = nil
		state(status, batchv1.JobSuspended, corev1.ConditionTrue, "JobSuspended", "Job suspended")
	case slices.ContainsFunc(status.Conditions, func(c batchv1.JobCondition) bool { return c.Type == batchv1.JobSuspended }):
		state(status, batchv1.JobSuspended, corev1.ConditionFalse, "JobResumed", "Job resumed")
	}
	if equality.Semantic.DeepEqual(status, &job.Status) {
		return nil
	}
	job.Status = *status
	_, err = cluster.Clients.BatchV1().Jobs(job.Namespace).UpdateStatus(ctx, job, metav1.UpdateOptions{})
	return ignore(err)
}

// state sets a condition of a job.
func state(status *batchv1.JobStatus, kind batchv1.JobConditionType, value corev1.ConditionStatus, reason, message string) {
	c := batchv1.JobCondition{Type: kind, Status: value, Reason: reason, Message: message, LastProbeTime: metav1.Now(), LastTransitionTime: metav1.Now()}
	i := slices.IndexFunc(status.Conditions, func(old batchv1.JobCondition) bool { return old.Type == kind })
	switch {
	case i < 0:
		status.Conditions = append(status.Conditions, c)
	case status.Conditions[i].Status != value:
		status.Conditions[i] = c
	}
}
