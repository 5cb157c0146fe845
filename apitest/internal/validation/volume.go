package validation

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var volumeChecks = map[string]check{
	"mounts":            mounts,
	"container-mounts":  of(containerMounts),
	"container-devices": of(containerDevices),
	"own-claims":        of(ownClaims),
	"variable-files":    of(variableFiles),
	"env-sources":       of(environmentSources),
	"size-limit": of(func(q *resource.Quantity, at *field.Path) field.ErrorList {
		if q.Sign() < 0 {
			return field.ErrorList{field.Forbidden(at, "SizeLimit field must be a valid resource quantity")}
		}
		return nil
	}),
	"inside-visible": of(insideVisible),
	"downward": of(func(v *corev1.DownwardAPIVolumeSource, at *field.Path) field.ErrorList {
		return downwardFiles(v.Items, at)
	}),
	"projected-paths": of(projectedPaths),
	"token-lifetime":  of(func(seconds *int64, at *field.Path) field.ErrorList { return TokenLifetime(*seconds, at) }),
}

// TokenLifetime checks the number of seconds after which a token of a service account expires.
func TokenLifetime(seconds int64, at *field.Path) field.ErrorList {
	switch {
	case seconds < 600:
		return field.ErrorList{field.Invalid(at, seconds, "may not specify a duration less than 10 minutes")}
	case seconds > 1<<32:
		return field.ErrorList{field.Invalid(at, seconds, "may not specify a duration larger than 2^32 seconds")}
	}
	return nil
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
	all := containersOf(s)
	for _, of := range []containers{all[1], all[0], all[2]} {
		for i, c := range of.list {
			container := at.Child(of.field).Index(i)
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

// insideVisible checks the path of a file in a volume that the server writes.
func insideVisible(path *string, at *field.Path) field.ErrorList {
	if texts := inside(*path); len(texts) > 0 {
		return invalid(at, *path, texts)
	}
	if strings.HasPrefix(*path, "..") {
		return field.ErrorList{field.Invalid(at, *path, "must not start with '..'")}
	}
	return nil
}

// containerMounts checks how volumes are mounted; some errors have no index, as in the real server.
func containerMounts(c *corev1.Container, at *field.Path) field.ErrorList {
	at = at.Child("volumeMounts")
	var errs field.ErrorList
	for i, m := range c.VolumeMounts {
		wrong := func(name, value, text string) {
			errs = append(errs, field.Invalid(at.Index(i).Child(name), value, text))
		}
		if slices.ContainsFunc(c.VolumeMounts[:i], func(before corev1.VolumeMount) bool { return before.MountPath == m.MountPath }) {
			wrong("mountPath", m.MountPath, "must be unique")
		}
		if slices.ContainsFunc(c.VolumeDevices, func(d corev1.VolumeDevice) bool { return d.Name == m.Name }) {
			wrong("name", m.Name, "must not already exist in volumeDevices")
		}
		if slices.ContainsFunc(c.VolumeDevices, func(d corev1.VolumeDevice) bool { return d.DevicePath == m.MountPath }) {
			wrong("mountPath", m.MountPath, "must not already exist as a path in volumeDevices")
		}
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

// containerDevices checks the paths at which a container gets volumes as devices.
func containerDevices(c *corev1.Container, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	names, paths := map[string]bool{}, map[string]bool{}
	for i, d := range c.VolumeDevices {
		device := at.Child("volumeDevices").Index(i)
		wrong := func(name, value, text string) { errs = append(errs, field.Invalid(device.Child(name), value, text)) }
		errs = append(errs, required(d.Name == "", device.Child("name"))...)
		if names[d.Name] {
			wrong("name", d.Name, "must be unique")
		}
		errs = append(errs, required(d.DevicePath == "", device.Child("devicePath"))...)
		if paths[d.DevicePath] {
			wrong("devicePath", d.DevicePath, "must be unique")
		}
		if len(noBacksteps(d.DevicePath)) > 0 {
			wrong("devicePath", d.DevicePath, "can not contain backsteps ('..')")
		} else {
			paths[d.DevicePath] = true
		}
		if slices.ContainsFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool { return m.Name == d.Name }) {
			wrong("name", d.Name, "must not already exist in volumeMounts")
		}
		if slices.ContainsFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool { return m.MountPath == d.DevicePath }) {
			wrong("devicePath", d.DevicePath, "must not already exist as a path in volumeMounts")
		}
		names[d.Name] = d.Name != ""
	}
	return errs
}

// ownClaims checks the names of the claims that are created for volumes of the pod, and that no other volume is one of
// them.
func ownClaims(p *corev1.Pod, _ *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, v := range p.Spec.Volumes {
		if claim := p.Name + "-" + v.Name; v.Ephemeral != nil && p.Name != "" && v.Name != "" {
			for _, text := range utilvalidation.IsDNS1123Subdomain(claim) {
				errs = append(errs, field.Invalid(field.NewPath("spec", "volumes").Index(i).Child("name"), v.Name, fmt.Sprintf("PVC name %q: %v", claim, text)))
			}
		}
		if c := v.PersistentVolumeClaim; c != nil && p.Name != "" && slices.ContainsFunc(p.Spec.Volumes, func(v corev1.Volume) bool {
			return v.Ephemeral != nil && p.Name+"-"+v.Name == c.ClaimName
		}) {
			errs = append(errs, field.Invalid(field.NewPath("spec", "volumes").Index(i).Child("persistentVolumeClaim", "claimName"), c.ClaimName,
				"must not reference a PVC that gets created for an ephemeral volume"))
		}
	}
	return errs
}

// variableFiles checks that files with variables are in volumes of the pod that are empty at first.
func variableFiles(s *corev1.PodSpec, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	for here, c := range EachContainer(s, at) {
		for j, v := range c.Env {
			if v.ValueFrom == nil || v.ValueFrom.FileKeyRef == nil {
				continue
			}
			name := v.ValueFrom.FileKeyRef.VolumeName
			volume := here.Child("env").Index(j).Child("valueFrom", "fileKeyRef", "volumeName")
			switch k := slices.IndexFunc(s.Volumes, func(v corev1.Volume) bool { return v.Name == name }); {
			case k < 0:
				errs = append(errs, field.NotFound(volume, name))
			case s.Volumes[k].EmptyDir == nil:
				errs = append(errs, field.Invalid(volume, name, "referenced volume must be of type emptyDir"))
			}
		}
	}
	return errs
}

func recursion(m *corev1.VolumeMount, at *field.Path) field.ErrorList {
	mode := m.RecursiveReadOnly
	if mode == nil {
		return nil
	}
	var errs field.ErrorList
	switch *mode {
	case corev1.RecursiveReadOnlyDisabled:
	case corev1.RecursiveReadOnlyEnabled, corev1.RecursiveReadOnlyIfPossible:
		if !m.ReadOnly {
			errs = append(errs, field.Forbidden(at, "may only be specified when readOnly is true"))
		}
		if p := m.MountPropagation; p != nil && *p != corev1.MountPropagationNone {
			errs = append(errs, field.Forbidden(at, "may only be specified when mountPropagation is None or not specified"))
		}
	default:
		return field.ErrorList{field.NotSupported(at, *mode, []corev1.RecursiveReadOnlyMode{
			corev1.RecursiveReadOnlyDisabled, corev1.RecursiveReadOnlyEnabled, corev1.RecursiveReadOnlyIfPossible})}
	}
	return errs
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
		errs = append(errs, required(f.Path == "", at.Child("path"))...)
		errs = append(errs, insideVisible(&f.Path, at.Child("path"))...)
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
		if f.Mode != nil {
			errs = append(errs, fileMode(*f.Mode, at.Child("mode"))...)
		}
	}
	return errs
}
