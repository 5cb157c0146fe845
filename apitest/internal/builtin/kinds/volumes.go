package kinds

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func volumeRules(r *Rules) {
	r.Warn = warnVolume
	r.PrepareCreate = func(obj runtime.Object) {
		obj.(*corev1.PersistentVolume).Status = corev1.PersistentVolumeStatus{
			Phase: corev1.VolumePending, LastPhaseTransitionTime: new(metav1.Now()),
		}
	}
	r.PrepareStatus = func(obj, old runtime.Object) {
		n, o := &obj.(*corev1.PersistentVolume).Status, &old.(*corev1.PersistentVolume).Status
		switch {
		case n.Phase == o.Phase && n.LastPhaseTransitionTime == nil:
			n.LastPhaseTransitionTime = o.LastPhaseTransitionTime
		case n.Phase != o.Phase && (n.LastPhaseTransitionTime == nil || n.LastPhaseTransitionTime.Equal(o.LastPhaseTransitionTime)):
			n.LastPhaseTransitionTime = new(metav1.Now())
		}
	}
}

func claimRules(r *Rules) {
	r.Warn = warnClaim
	r.PrepareCreate = func(obj runtime.Object) {
		c := obj.(*corev1.PersistentVolumeClaim)
		c.Status.Phase = corev1.ClaimPending
		setSources(&c.Spec, nil)
	}
	r.PrepareUpdate = func(obj, old runtime.Object) {
		setSources(&obj.(*corev1.PersistentVolumeClaim).Spec, &old.(*corev1.PersistentVolumeClaim).Spec)
	}
}

// setSources sets the source of a claim's data in both of its fields. The older one names claims and snapshots, and others
// only if it did before.
func setSources(s, was *corev1.PersistentVolumeClaimSpec) {
	if d := s.DataSource; d != nil && s.DataSourceRef == nil && (was == nil || was.DataSource == nil) {
		group := ""
		if d.APIGroup != nil {
			group = *d.APIGroup
		}
		if (group != "" || d.Kind != "PersistentVolumeClaim") && (group != "snapshot.storage.k8s.io" || d.Kind != "VolumeSnapshot") {
			s.DataSource = nil
		}
	}
	switch object, ref := s.DataSource, s.DataSourceRef; {
	case object != nil && ref == nil:
		s.DataSourceRef = &corev1.TypedObjectReference{APIGroup: object.APIGroup, Kind: object.Kind, Name: object.Name}
	case object == nil && ref != nil && (ref.Namespace == nil || *ref.Namespace == ""):
		s.DataSource = &corev1.TypedLocalObjectReference{APIGroup: ref.APIGroup, Kind: ref.Kind, Name: ref.Name}
	}
}

const deprecatedClassAnnotation = `deprecated since v1.8; use "storageClassName" attribute instead`

// warnClaim warns of what is deprecated in a claim, and of sizes that are rounded.
func warnClaim(obj, _ runtime.Object) []string {
	c := obj.(*corev1.PersistentVolumeClaim)
	var out []string
	if _, ok := c.Annotations[corev1.BetaStorageClassAnnotation]; ok {
		out = append(out, fmt.Sprintf("metadata.annotations[%s]: %s", corev1.BetaStorageClassAnnotation, deprecatedClassAnnotation))
	}
	return append(out, warnClaimSize(&c.Spec, field.NewPath("spec"))...)
}

// warnClaimSize warns of amounts of storage that are not integers.
func warnClaimSize(s *corev1.PersistentVolumeClaimSpec, at *field.Path) []string {
	var out []string
	warn := func(at *field.Path, format string, args ...any) {
		out = append(out, at.String()+": "+fmt.Sprintf(format, args...))
	}
	warnFractions(s.Resources.Requests, at.Child("resources", "requests"), corev1.ResourceStorage, warn)
	warnFractions(s.Resources.Limits, at.Child("resources", "limits"), corev1.ResourceStorage, warn)
	return out
}

// deprecatedVolumes are the sources of volumes that no node mounts any more.
var deprecatedVolumes = []struct {
	name, releases string
	set            func(*corev1.PersistentVolumeSpec) bool
}{
	{"cephfs", "deprecated in v1.28, non-functional in v1.31+", func(s *corev1.PersistentVolumeSpec) bool { return s.CephFS != nil }},
	{"photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+", func(s *corev1.PersistentVolumeSpec) bool { return s.PhotonPersistentDisk != nil }},
	{"scaleIO", "deprecated in v1.16, non-functional in v1.22+", func(s *corev1.PersistentVolumeSpec) bool { return s.ScaleIO != nil }},
	{"storageOS", "deprecated in v1.22, non-functional in v1.25+", func(s *corev1.PersistentVolumeSpec) bool { return s.StorageOS != nil }},
	{"glusterfs", "deprecated in v1.25, non-functional in v1.26+", func(s *corev1.PersistentVolumeSpec) bool { return s.Glusterfs != nil }},
	{"rbd", "deprecated in v1.28, non-functional in v1.31+", func(s *corev1.PersistentVolumeSpec) bool { return s.RBD != nil }},
}

// warnVolume warns of what is deprecated in a volume.
func warnVolume(obj, _ runtime.Object) []string {
	v := obj.(*corev1.PersistentVolume)
	var out []string
	for _, a := range []struct{ name, text string }{
		{corev1.BetaStorageClassAnnotation, deprecatedClassAnnotation},
		{"volume.beta.kubernetes.io/mount-options", `deprecated since v1.31; use "mountOptions" attribute instead`},
	} {
		if _, ok := v.Annotations[a.name]; ok {
			out = append(out, fmt.Sprintf("metadata.annotations[%s]: %s", a.name, a.text))
		}
	}
	if v.Spec.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimRecycle {
		out = append(out, "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.")
	}
	if a := v.Spec.NodeAffinity; a != nil && a.Required != nil {
		for i, t := range a.Required.NodeSelectorTerms {
			warnTerm(t, field.NewPath("spec", "nodeAffinity", "required", "nodeSelectorTerms").Index(i), func(at *field.Path, format string, args ...any) {
				out = append(out, at.String()+": "+fmt.Sprintf(format, args...))
			})
		}
	}
	for _, d := range deprecatedVolumes {
		if d.set(&v.Spec) {
			out = append(out, fmt.Sprintf("spec.%s: %s", d.name, d.releases))
		}
	}
	return out
}

// storageDriverRules are those of drivers, whose generation begins with the first change.
func storageDriverRules(r *Rules) {
	r.Warn = warnDriver
	r.PrepareUpdate = func(obj, old runtime.Object) {
		now, was := obj.(*storagev1.CSIDriver), old.(*storagev1.CSIDriver)
		if !equality.Semantic.DeepEqual(now.Spec, was.Spec) {
			now.Generation = was.Generation + 1
		}
	}
}

// warnDriver warns of a driver that finds tokens in the attributes of volumes.
func warnDriver(obj, old runtime.Object) []string {
	spec := obj.(*storagev1.CSIDriver).Spec
	if o, ok := old.(*storagev1.CSIDriver); ok && equality.Semantic.DeepEqual(spec.TokenRequests, o.Spec.TokenRequests) {
		return nil
	}
	if len(spec.TokenRequests) == 0 || spec.ServiceAccountTokenInSecrets != nil {
		return nil
	}
	return []string{"spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes"}
}
