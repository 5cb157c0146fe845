package v1

import (
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/listwatch/listwatch/kubernetes/listers/internal/selecting"
)

// JobListerExpansion has the methods of JobLister that are written by hand.
type JobListerExpansion interface {
	// GetPodJobs returns copies of the Jobs in the namespace of a pod that select it; the pod's
	// controller reference names the one that it belongs to. What the copies point to is shared with
	// the lister. Finding none is an error.
	GetPodJobs(pod *corev1.Pod) (jobs []batchv1.Job, err error)
}

// JobNamespaceListerExpansion has no methods.
type JobNamespaceListerExpansion interface{}

func (s *jobLister) GetPodJobs(pod *corev1.Pod) ([]batchv1.Job, error) {
	if len(pod.Labels) == 0 {
		return nil, fmt.Errorf("no jobs found for pod %v because it has no labels", pod.Name)
	}
	found, err := selecting.FindAny(s.Jobs(pod.Namespace), pod.Labels, selectorOfJob)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("could not find jobs for pod %s in namespace %s with labels: %v", pod.Name, pod.Namespace, pod.Labels)
	}
	var jobs []batchv1.Job
	for _, job := range found {
		jobs = append(jobs, *job)
	}
	return jobs, err
}

// selectorOfJob returns the selector of a Job. An empty one selects everything, a missing or invalid
// one nothing.
func selectorOfJob(job *batchv1.Job) labels.Selector {
	selector, err := metav1.LabelSelectorAsSelector(job.Spec.Selector)
	if err != nil {
		return labels.Nothing()
	}
	return selector
}
