package validation

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var podChecks = map[string]check{
	"init-containers": of(initContainers),
	"container-names": of(containerNames),
	"host-settings":   of(hostSettings),
	"dns-none": of(func(s *corev1.PodSpec, at *field.Path) field.ErrorList {
		if s.DNSPolicy == corev1.DNSNone && (s.DNSConfig == nil || len(s.DNSConfig.Nameservers) == 0) {
			return field.ErrorList{field.Required(at.Child("dnsConfig"), "must provide `dnsConfig` when `dnsPolicy` is None")}
		}
		return nil
	}),
	"resolver": of(func(c *corev1.PodDNSConfig, at *field.Path) field.ErrorList {
		if len(c.Searches) > 32 {
			return field.ErrorList{field.Invalid(at.Child("searches"), c.Searches, "must not have more than 32 search paths")}
		}
		return nil
	}),
	"nameservers": of(func(servers *[]string, at *field.Path) field.ErrorList {
		if len(*servers) > 3 {
			return field.ErrorList{field.Invalid(at, *servers, "must not have more than 3 nameservers")}
		}
		return nil
	}),
	"search-domain": of(func(domain *string, at *field.Path) field.ErrorList {
		if *domain == "." {
			return nil
		}
		return invalid(at, *domain, utilvalidation.IsDNS1123SubdomainWithUnderscore(strings.TrimSuffix(*domain, ".")))
	}),
	"resolver-option": of(func(o *corev1.PodDNSConfigOption, at *field.Path) field.ErrorList {
		if o.Name == "" {
			return field.ErrorList{field.Required(at, "must not be empty")}
		}
		return nil
	}),
	"pod-os": of(func(os *corev1.PodOS, at *field.Path) field.ErrorList {
		switch os.Name {
		case "", corev1.Linux, corev1.Windows:
			return nil
		}
		return field.ErrorList{field.NotSupported(at, os.Name, []corev1.OSName{corev1.Linux, corev1.Windows})}
	}),
	"windows": of(windowsSettings),
	"sleeps":  of(sleeps),
	"token-needs-account": of(func(p *corev1.Pod, _ *field.Path) field.ErrorList {
		s, at := &p.Spec, field.NewPath("spec")
		var errs field.ErrorList
		for i, v := range s.Volumes {
			if v.Projected == nil || s.ServiceAccountName != "" {
				continue
			}
			for j, source := range v.Projected.Sources {
				if source.ServiceAccountToken != nil {
					errs = append(errs, field.Forbidden(at.Child("volumes").Index(i).Child("projected", "sources").Index(j).Child("serviceAccountToken"),
						"must not be specified when serviceAccountName is not set"))
				}
			}
		}
		return errs
	}),
	"pod-images": of(func(p *corev1.Pod, _ *field.Path) field.ErrorList {
		var errs field.ErrorList
		for i, c := range p.Spec.Containers { // templates may have other images
			errs = append(errs, invalid(field.NewPath("spec", "containers").Index(i).Child("image"), c.Image, trimmed(c.Image))...)
		}
		for i, c := range p.Spec.InitContainers {
			errs = append(errs, invalid(field.NewPath("spec", "initContainers").Index(i).Child("image"), c.Image, trimmed(c.Image))...)
		}
		return errs
	}),
	"pod-profiles": of(func(p *corev1.Pod, _ *field.Path) field.ErrorList {
		const name = "seccomp.security.alpha.kubernetes.io/pod"
		switch profile, ok := p.Annotations[name]; {
		case !ok, profile == "runtime/default", profile == "docker/default", profile == "unconfined":
			return nil
		case strings.HasPrefix(profile, "localhost/"):
			return invalid(field.NewPath("metadata", "annotations", name), profile, inside(strings.TrimPrefix(profile, "localhost/")))
		default:
			return field.ErrorList{field.Invalid(field.NewPath("metadata", "annotations", name), profile, "must be a valid seccomp profile")}
		}
	}),
	"pod-created": func(p place) field.ErrorList {
		if p.old.IsValid() {
			return nil
		}
		s := pointerTo[corev1.PodSpec](p.value)
		var errs field.ErrorList
		if len(s.EphemeralContainers) > 0 {
			errs = append(errs, field.Forbidden(p.path.Child("ephemeralContainers"), "cannot be set on create"))
		}
		if s.NodeName != "" && len(s.SchedulingGates) > 0 {
			errs = append(errs, field.Forbidden(p.path.Child("nodeName"), "cannot be set until all schedulingGates have been cleared"))
		}
		return errs
	},
	"sysctl": of(func(name *string, at *field.Path) field.ErrorList {
		if len(*name) > 253 || !sysctlName.MatchString(*name) {
			return field.ErrorList{field.Invalid(at, *name, fmt.Sprintf("must have at most %d characters and match regex %s", 253, sysctlName))}
		}
		return nil
	}),
	"seccomp": of(func(s *corev1.SeccompProfile, at *field.Path) field.ErrorList {
		return localProfile(s, string(s.Type), s.LocalhostProfile, "seccomp", at)
	}),
	"apparmor": of(func(s *corev1.AppArmorProfile, at *field.Path) field.ErrorList {
		return localProfile(s, string(s.Type), s.LocalhostProfile, "AppArmor", at)
	}),
}

var sysctlName = regexp.MustCompile(`^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$`)

func localProfile(profile any, kind string, file *string, what string, at *field.Path) field.ErrorList {
	at = at.Child("localhostProfile")
	switch {
	case kind == "Localhost" && file == nil:
		return field.ErrorList{field.Required(at, "must be set when "+what+" type is Localhost")}
	case kind == "Localhost":
		return invalid(at, *file, inside(*file))
	case file != nil:
		return field.ErrorList{field.Invalid(at, internal{profile}, "can only be set when "+what+" type is Localhost")}
	}
	return nil
}

// initContainers checks what regular containers may have and others not.
func initContainers(list *[]corev1.Container, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, c := range *list {
		errs = append(errs, hostPorts([]corev1.Container{c}, at)...)
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			continue
		}
		forbid := func(set bool, name string) {
			if set {
				errs = append(errs, field.Forbidden(at.Index(i).Child(name), "may not be set for init containers without restartPolicy=Always"))
			}
		}
		forbid(c.Lifecycle != nil, "lifecycle")
		forbid(c.LivenessProbe != nil, "livenessProbe")
		forbid(c.ReadinessProbe != nil, "readinessProbe")
		forbid(c.StartupProbe != nil, "startupProbe")
	}
	return errs
}

// containerNames checks that all containers have different names; the regular ones are checked among themselves.
func containerNames(s *corev1.PodSpec, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	seen := map[string]bool{}
	for _, c := range s.Containers {
		seen[c.Name] = true
	}
	add := func(name string, at *field.Path) {
		if seen[name] {
			errs = append(errs, field.Duplicate(at.Child("name"), name))
		}
		seen[name] = name != ""
	}
	for i, c := range s.InitContainers {
		add(c.Name, at.Child("initContainers").Index(i))
	}
	for i, c := range s.EphemeralContainers {
		add(c.Name, at.Child("ephemeralContainers").Index(i))
	}
	return errs
}

// hostSettings checks what depends on the namespaces of the host.
func hostSettings(s *corev1.PodSpec, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if s.HostNetwork {
		for i, c := range s.Containers {
			for j, p := range c.Ports {
				if p.HostPort != 0 && p.HostPort != p.ContainerPort {
					errs = append(errs, field.Invalid(at.Child("containers").Index(i).Child("ports").Index(j).Child("hostPort"), p.HostPort,
						"must match `containerPort` when `hostNetwork` is true"))
				}
			}
		}
	}
	if s.HostPID && s.ShareProcessNamespace != nil && *s.ShareProcessNamespace {
		errs = append(errs, field.Invalid(at.Child("shareProcessNamespace"), true, "ShareProcessNamespace and HostPID cannot both be enabled"))
	}
	return errs
}

// windowsSettings checks that a pod for Windows has nothing that Windows lacks.
func windowsSettings(s *corev1.PodSpec, at *field.Path) field.ErrorList {
	if s.OS == nil || s.OS.Name != corev1.Windows {
		return nil
	}
	var errs field.ErrorList
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"hostPID", s.HostPID},
		{"hostIPC", s.HostIPC},
		{"shareProcessNamespace", s.ShareProcessNamespace != nil},
	} {
		if f.set {
			errs = append(errs, field.Forbidden(at.Child(f.name), "cannot be set for a windows pod"))
		}
	}
	return errs
}

// hostPorts checks that containers do not use a port of the host twice.
func hostPorts(list []corev1.Container, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	var seen []string
	for i, c := range list {
		for j, p := range c.Ports {
			if p.HostPort == 0 {
				continue
			}
			name := fmt.Sprintf("%s/%s/%d", p.Protocol, p.HostIP, p.HostPort)
			if slices.Contains(seen, name) {
				errs = append(errs, field.Duplicate(at.Index(i).Child("ports").Index(j).Child("hostPort"), name))
			}
			seen = append(seen, name)
		}
	}
	return errs
}

// sleeps checks that hooks end before the pod must.
func sleeps(s *corev1.PodSpec, at *field.Path) field.ErrorList {
	if s.TerminationGracePeriodSeconds == nil {
		return nil
	}
	var errs field.ErrorList
	grace := *s.TerminationGracePeriodSeconds
	for i, c := range s.Containers {
		if c.Lifecycle == nil {
			continue
		}
		hooks := at.Child("containers").Index(i).Child("lifecycle")
		for name, h := range map[string]*corev1.LifecycleHandler{"postStart": c.Lifecycle.PostStart, "preStop": c.Lifecycle.PreStop} {
			if h == nil || h.Sleep == nil || h.Exec != nil || h.HTTPGet != nil || h.TCPSocket != nil {
				continue
			}
			if n := h.Sleep.Seconds; n < 0 || n > grace {
				errs = append(errs, field.Invalid(hooks.Child(name, "sleep"), n,
					fmt.Sprintf("must be non-negative and less than terminationGracePeriodSeconds (%d)", grace)))
			}
		}
	}
	return errs
}
