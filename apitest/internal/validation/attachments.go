package validation

import (
	"reflect"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var attachmentChecks = map[string]check{
	"attached-volume": func(p place) field.ErrorList {
		const one = "must specify exactly one of inlineVolumeSpec and persistentVolumeName"
		s := pointerTo[storagev1.VolumeAttachmentSource](p.value)
		switch named, inline := s.PersistentVolumeName != nil, s.InlineVolumeSpec != nil; {
		case named && inline:
			return field.ErrorList{field.Forbidden(p.path, one)}
		case inline:
			return inlineVolume(s.InlineVolumeSpec, p.path.Child("inlineVolumeSpec"), p.visit)
		case !named:
			return field.ErrorList{field.Required(p.path, one)}
		case *s.PersistentVolumeName == "":
			return field.ErrorList{field.Required(p.path.Child("persistentVolumeName"), "must specify non empty persistentVolumeName")}
		}
		return nil
	},
	"attached-name": of(func(a *storagev1.VolumeAttachment, _ *field.Path) field.ErrorList {
		name := a.Spec.Source.PersistentVolumeName
		if name == nil {
			return nil
		}
		return invalid(field.NewPath("spec.source.persistentVolumeName"), *name, utilvalidation.IsDNS1123Subdomain(*name))
	}),
}

// inlineVolume checks a volume in an attachment, which has less than a PersistentVolume: no claim, size or class.
func inlineVolume(s *corev1.PersistentVolumeSpec, at *field.Path, visit func(place, bool) field.ErrorList) field.ErrorList {
	const inline = " in the context of inline volumes"
	var errs field.ErrorList
	forbid := func(when bool, name, text string) {
		if when {
			errs = append(errs, field.Forbidden(at.Child(name), text+inline))
		}
	}
	forbid(s.ClaimRef != nil, "claimRef", "may not be specified")
	forbid(len(s.Capacity) > 0, "capacity", "may not be specified")
	if s.CSI == nil {
		errs = append(errs, field.Required(at.Child("csi"), "has to be specified"+inline))
	}
	if len(s.AccessModes) == 0 {
		errs = append(errs, field.Required(at.Child("accessModes"), ""))
	}
	errs = append(errs, accessModes(&s.AccessModes, at.Child("accessModes"))...)
	retained := s.PersistentVolumeReclaimPolicy == "" || s.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimRetain
	forbid(!retained, "persistentVolumeReclaimPolicy", "may only be Retain")
	forbid(s.NodeAffinity != nil, "nodeAffinity", "may not be specified")
	errs = append(errs, visit(place{path: at, value: reflect.ValueOf(&s.PersistentVolumeSource)}, false)...)
	forbid(s.StorageClassName != "", "storageClassName", "may not be specified")
	forbid(s.VolumeMode != nil && *s.VolumeMode != corev1.PersistentVolumeFilesystem, "volumeMode", "may not specify volumeMode other than Filesystem")
	return errs
}
