package builtin

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

func volumeRules(r *rules) {
	r.warn = warnVolume
	r.prepareCreate = func(obj runtime.Object) {
		obj.(*corev1.PersistentVolume).Status = corev1.PersistentVolumeStatus{
			Phase: corev1.VolumePending, LastPhaseTransitionTime: new(metav1.Now()),
		}
	}
	r.prepareStatus = func(obj, old runtime.Object) {
		n, o := &obj.(*corev1.PersistentVolume).Status, &old.(*corev1.PersistentVolume).Status
		switch {
		case n.Phase == o.Phase && n.LastPhaseTransitionTime == nil:
			n.LastPhaseTransitionTime = o.LastPhaseTransitionTime
		case n.Phase != o.Phase && (n.LastPhaseTransitionTime == nil || n.LastPhaseTransitionTime.Equal(o.LastPhaseTransitionTime)):
			n.LastPhaseTransitionTime = new(metav1.Now())
		}
	}
}

func pendingClaim(obj runtime.Object) {
	obj.(*corev1.PersistentVolumeClaim).Status.Phase = corev1.ClaimPending
}
