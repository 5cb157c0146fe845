package validation

import (
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var volumeChecks = map[string]check{
	"mounts":        mounts,
	"unique-mounts": of(uniqueMounts),
	"propagation":   of(propagation),
	"env-sources":   of(environmentSources),
	"size-limit": of(func(q *resource.Quantity, at *field.Path) field.ErrorList {
		if q.Sign() < 0 {
			return field.ErrorList{field.Forbidden(at, "SizeLimit field must be a valid resource quantity")}
		}
		return nil
	}),
	"host-path-type": of(func(t *corev1.HostPathType, at *field.Path) field.ErrorList {
		if slices.Contains(hostPathTypes, *t) {
			return nil
		}
		return field.ErrorList{field.NotSupported(at, *t, hostPathTypes)}
	}),
	"inside-visible": of(func(path *string, at *field.Path) field.ErrorList {
		if texts := inside(*path); len(texts) > 0 {
			return invalid(at, *path, texts)
		}
		if strings.HasPrefix(*path, "..") {
			return field.ErrorList{field.Invalid(at, *path, "must not start with '..'")}
		}
		return nil
	}),
	"driver-name": of(func(name *string, at *field.Path) field.ErrorList {
		if len(*name) > 63 {
			return field.ErrorList{field.TooLong(at, *name, 63)}
		}
		return invalid(at, *name, utilvalidation.IsDNS1123Subdomain(strings.ToLower(*name)))
	}),
	"fibre": of(func(v *corev1.FCVolumeSource, at *field.Path) field.ErrorList {
		switch wwns, wwids := len(v.TargetWWNs) > 0, len(v.WWIDs) > 0; {
		case wwns == wwids:
			return field.ErrorList{field.Required(at.Child("targetWWNs"), "must specify either targetWWNs or wwids, but not both")}
		case wwns && v.Lun == nil:
			return field.ErrorList{field.Required(at.Child("lun"), "lun is required if targetWWNs is specified")}
		}
		return nil
	}),
	"downward": of(func(v *corev1.DownwardAPIVolumeSource, at *field.Path) field.ErrorList {
		return downwardFiles(v.Items, at)
	}),
	"projected-paths": of(projectedPaths),
	"token-lifetime": of(func(seconds *int64, at *field.Path) field.ErrorList {
		switch {
		case *seconds < 600:
			return field.ErrorList{field.Invalid(at, *seconds, "may not specify a duration less than 10 minutes")}
		case *seconds > 1<<32:
			return field.ErrorList{field.Invalid(at, *seconds, "may not specify a duration larger than 2^32 seconds")}
		}
		return nil
	}),
}

var hostPathTypes = []corev1.HostPathType{
	corev1.HostPathUnset, corev1.HostPathBlockDev, corev1.HostPathCharDev, corev1.HostPathDirectory, corev1.HostPathDirectoryOrCreate,
	corev1.HostPathFile, corev1.HostPathFileOrCreate, corev1.HostPathSocket,
}

// mounts checks that mounts and devices name volumes of the pod.
func mounts(p place) field.ErrorList {
	s, at := pointerTo[corev1.PodSpec](p.value), p.path
	var errs field.ErrorList
	find := func(name string) *corev1.Volume {
		i := slices.IndexFunc(s.Volumes, func(v corev1.Volume) bool { return v.Name == name && name != "" })
		if i < 0 || len(p.visit(place{value: reflect.ValueOf(&s.Volumes[i]).Elem()}, false)) > 0 {
			return nil // also one that is invalid cannot be mounted
		}
		return &s.Volumes[i]
	}
	for _, of := range []struct {
		name string
		list []corev1.Container
	}{{"containers", s.Containers}, {"initContainers", s.InitContainers}, {"ephemeralContainers", asContainers(s.EphemeralContainers)}} {
		for i, c := range of.list {
			container := at.Child(of.name).Index(i)
			for j, m := range c.VolumeMounts {
				if find(m.Name) == nil {
					errs = append(errs, field.NotFound(container.Child("volumeMounts").Index(j).Child("name"), m.Name))
				}
			}
			for j, d := range c.VolumeDevices {
				device := container.Child("volumeDevices").Index(j).Child("name")
				switch v := find(d.Name); {
				case v == nil:
					errs = append(errs, field.NotFound(device, d.Name))
				case v.PersistentVolumeClaim == nil && v.Ephemeral == nil:
					errs = append(errs, field.Invalid(device, d.Name, "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode"))
				}
			}
		}
	}
	return errs
}

func uniqueMounts(list *[]corev1.VolumeMount, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	var seen []string
	for i, m := range *list {
		if slices.Contains(seen, m.MountPath) {
			errs = append(errs, field.Invalid(at.Index(i).Child("mountPath"), m.MountPath, "must be unique"))
		}
		seen = append(seen, m.MountPath)
	}
	return errs
}

// propagation checks how volumes are mounted; the errors have no index, as in the real server.
func propagation(c *corev1.Container, at *field.Path) field.ErrorList {
	at = at.Child("volumeMounts")
	var errs field.ErrorList
	for i, m := range c.VolumeMounts {
		if m.SubPath != "" {
			errs = append(errs, invalid(at.Child("subPath"), m.SubPath, inside(m.SubPath))...)
		}
		if m.SubPathExpr != "" {
			if m.SubPath != "" {
				errs = append(errs, field.Invalid(at.Index(i).Child("subPathExpr"), m.SubPathExpr, "subPathExpr and subPath are mutually exclusive"))
			}
			errs = append(errs, invalid(at.Child("subPathExpr"), m.SubPathExpr, inside(m.SubPathExpr))...)
		}
		if mode := m.MountPropagation; mode != nil {
			privileged := c.SecurityContext != nil && c.SecurityContext.Privileged != nil && *c.SecurityContext.Privileged
			switch *mode {
			case corev1.MountPropagationHostToContainer, corev1.MountPropagationNone:
			case corev1.MountPropagationBidirectional:
				if !privileged {
					errs = append(errs, field.Forbidden(at.Child("mountPropagation"), "Bidirectional mount propagation is available only to privileged containers"))
				}
			default:
				errs = append(errs, field.NotSupported(at.Child("mountPropagation"), *mode, []corev1.MountPropagationMode{
					corev1.MountPropagationBidirectional, corev1.MountPropagationHostToContainer, corev1.MountPropagationNone}))
			}
		}
		errs = append(errs, recursion(&m, at.Child("recursiveReadOnly"))...)
	}
	return errs
}

func recursion(m *corev1.VolumeMount, at *field.Path) field.ErrorList {
	mode := m.RecursiveReadOnly
	if mode == nil {
		return nil
	}
	switch *mode {
	case corev1.RecursiveReadOnlyDisabled:
	case corev1.RecursiveReadOnlyEnabled, corev1.RecursiveReadOnlyIfPossible:
		if !m.ReadOnly {
			return field.ErrorList{field.Forbidden(at, "may only be specified when readOnly is true")}
		}
		if p := m.MountPropagation; p != nil && *p != corev1.MountPropagationNone {
			return field.ErrorList{field.Forbidden(at, "may only be specified when mountPropagation is None or not specified")}
		}
	default:
		return field.ErrorList{field.NotSupported(at, *mode, []corev1.RecursiveReadOnlyMode{
			corev1.RecursiveReadOnlyDisabled, corev1.RecursiveReadOnlyEnabled, corev1.RecursiveReadOnlyIfPossible})}
	}
	return nil
}

// environmentSources checks that each source of an environment is one; the errors have no index, as in the real server.
func environmentSources(list *[]corev1.EnvFromSource, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, from := range *list {
		switch config, secret := from.ConfigMapRef != nil, from.SecretRef != nil; {
		case config && secret:
			errs = append(errs, field.Invalid(at, "", "may not have more than one field specified at a time"))
		case !config && !secret:
			errs = append(errs, field.Invalid(at, "", "must specify one of: `configMapRef` or `secretRef`"))
		}
	}
	return errs
}

var fileFields = []string{"metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"}

// downwardFiles checks files with fields of the pod; the errors have no index, as in the real server.
func downwardFiles(files []corev1.DownwardAPIVolumeFile, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, f := range files {
		if f.Path == "" {
			errs = append(errs, field.Required(at.Child("path"), ""))
		} else {
			errs = append(errs, invalid(at.Child("path"), f.Path, inside(f.Path))...)
		}
		switch {
		case f.FieldRef != nil && f.ResourceFieldRef != nil:
			errs = append(errs, field.Invalid(at, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously"))
		case f.FieldRef != nil:
			errs = append(errs, podField(f.FieldRef, fileFields, at.Child("fieldRef"))...)
		case f.ResourceFieldRef == nil:
			errs = append(errs, field.Required(at, "one of fieldRef and resourceFieldRef is required"))
		case f.ResourceFieldRef.ContainerName == "":
			errs = append(errs, field.Required(at.Child("resourceFieldRef", "containerName"), ""))
		default:
			errs = append(errs, resourceField(f.ResourceFieldRef, at.Child("resourceFieldRef"))...)
		}
	}
	return errs
}

// projectedPaths checks that each source of a projected volume is one, and that no two have a file of the same path.
func projectedPaths(v *corev1.ProjectedVolumeSource, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	seen := map[string]bool{}
	add := func(path, value string) {
		if path != "" && seen[path] {
			errs = append(errs, field.Invalid(at, value, "conflicting duplicate paths"))
		}
		seen[path] = true
	}
	for i, s := range v.Sources {
		n := 0
		if s.Secret != nil {
			n++
			for _, item := range s.Secret.Items {
				add(item.Path, s.Secret.Name)
			}
		}
		if s.ConfigMap != nil {
			n++
			for _, item := range s.ConfigMap.Items {
				add(item.Path, s.ConfigMap.Name)
			}
		}
		if s.DownwardAPI != nil {
			n++
			errs = append(errs, downwardFiles(s.DownwardAPI.Items, at.Child("sources").Index(i).Child("downwardAPI"))...)
			for _, file := range s.DownwardAPI.Items {
				add(file.Path, file.Path)
			}
		}
		if s.ServiceAccountToken != nil {
			n++
			if s.ServiceAccountToken.Path == "" {
				errs = append(errs, field.Required(at.Child("path"), ""))
			}
		}
		if n > 1 {
			errs = append(errs, field.Forbidden(at.Child("sources").Index(i), "may not specify more than 1 volume type per source"))
		}
	}
	return errs
}
