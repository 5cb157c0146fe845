package validation

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/component-helpers/node/util/sysctl"
)

var podChecks = map[string]check{
	"init-containers": of(initContainers),
	"container-names": of(containerNames),
	"host-settings":   of(hostSettings),
	"dns-none": of(func(s *corev1.PodSpec, at *field.Path) field.ErrorList {
		at = at.Child("dnsConfig")
		switch {
		case s.DNSPolicy != corev1.DNSNone:
		case s.DNSConfig == nil:
			return field.ErrorList{field.Required(at, "must provide `dnsConfig` when `dnsPolicy` is None")}
		case len(s.DNSConfig.Nameservers) == 0:
			return field.ErrorList{field.Required(at.Child("nameservers"), "must provide at least one DNS nameserver when `dnsPolicy` is None")}
		}
		return nil
	}),
	"nameservers": of(func(servers *[]string, at *field.Path) field.ErrorList {
		if len(*servers) > 3 {
			return field.ErrorList{field.Invalid(at, *servers, "must not have more than 3 nameservers")}
		}
		return nil
	}),
	"searches": of(func(domains *[]string, at *field.Path) field.ErrorList {
		var errs field.ErrorList
		if len(*domains) > maxSearches {
			errs = append(errs, field.Invalid(at, *domains, fmt.Sprintf("must not have more than %v search paths", maxSearches)))
		}
		if len(strings.Join(*domains, " ")) > maxSearchLength {
			errs = append(errs, field.Invalid(at, *domains, fmt.Sprintf("must not have more than %v characters (including spaces) in the search list", maxSearchLength)))
		}
		return errs
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
	"os-settings":       of(osSettings),
	"sleeps":            of(sleeps),
	"hostname-override": of(hostnameOverride),
	"host-users": of(func(s *corev1.PodSpec, at *field.Path) field.ErrorList {
		if s.HostUsers == nil || *s.HostUsers {
			return nil
		}
		var errs field.ErrorList
		for _, f := range []struct {
			name string
			set  bool
		}{{"hostNetwork", s.HostNetwork}, {"HostPID", s.HostPID}, {"HostIPC", s.HostIPC}} {
			if f.set {
				errs = append(errs, field.Forbidden(at.Child(f.name), "when `hostUsers` is false"))
			}
		}
		for here, c := range EachContainer(s, at) {
			if len(c.VolumeDevices) > 0 {
				errs = append(errs, field.Forbidden(here.Child("volumeDevices"), "when `hostUsers` is false"))
			}
		}
		return errs
	}),
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
	"host-sysctls": of(func(s *corev1.PodSpec, at *field.Path) field.ErrorList {
		var errs field.ErrorList
		for i := 0; s.SecurityContext != nil && i < len(s.SecurityContext.Sysctls); i++ {
			name := s.SecurityContext.Sysctls[i].Name
			path := at.Child("securityContext", "sysctls").Index(i).Child("name")
			switch namespace, _, _ := sysctl.GetNamespace(name); {
			case s.HostNetwork && namespace == sysctl.NetNamespace:
				errs = append(errs, field.Invalid(path, name, "may not be specified when 'hostNetwork' is true"))
			case s.HostIPC && namespace == sysctl.IPCNamespace:
				errs = append(errs, field.Invalid(path, name, "may not be specified when 'hostIPC' is true"))
			}
		}
		return errs
	}),
	"unmasked": of(func(s *corev1.PodSpec, at *field.Path) field.ErrorList {
		if s.HostUsers != nil && !*s.HostUsers {
			return nil
		}
		var errs field.ErrorList
		for here, c := range EachContainer(s, at) {
			if c.SecurityContext != nil && c.SecurityContext.ProcMount != nil && *c.SecurityContext.ProcMount == corev1.UnmaskedProcMount {
				errs = append(errs, field.Invalid(here.Child("securityContext", "procMount"), corev1.UnmaskedProcMount,
					"`hostUsers` must be false to use `Unmasked`"))
			}
		}
		return errs
	}),
	"never-restarted": of(func(s *corev1.PodSpec, at *field.Path) field.ErrorList {
		if s.RestartPolicy != corev1.RestartPolicyNever {
			return nil
		}
		var errs field.ErrorList
		for here, c := range EachContainer(s, at) {
			for _, p := range c.ResizePolicy {
				if p.RestartPolicy != corev1.NotRequired {
					errs = append(errs, field.Invalid(here.Child("resizePolicy"), p.RestartPolicy,
						"must be 'NotRequired' when pod `restartPolicy` is 'Never'"))
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
	"pod-created": func(p place) field.ErrorList {
		if p.old.IsValid() {
			return nil
		}
		pod, at := pointerTo[corev1.Pod](p.value), field.NewPath("spec")
		var errs field.ErrorList
		if len(pod.Spec.EphemeralContainers) > 0 {
			errs = append(errs, field.Forbidden(at.Child("ephemeralContainers"), "cannot be set on create"))
		}
		if pod.Spec.NodeName != "" && len(pod.Spec.SchedulingGates) > 0 {
			errs = append(errs, field.Forbidden(at.Child("nodeName"), "cannot be set until all schedulingGates have been cleared"))
		}
		return append(errs, profilesMatch(pod.Annotations, &pod.Spec, at)...)
	},
	"sysctl": of(func(name *string, at *field.Path) field.ErrorList {
		if len(*name) > 253 || !sysctlName.MatchString(*name) {
			return field.ErrorList{field.Invalid(at, *name, fmt.Sprintf("must have at most %d characters and match regex %s", 253, sysctlName))}
		}
		return nil
	}),
}

// The limits of the domains in which a name without dots is looked up (KEP-2595).
const maxSearches, maxSearchLength = 32, 2048

var sysctlName = regexp.MustCompile(`^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$`)

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
		for j, p := range c.ResizePolicy {
			if p.RestartPolicy == corev1.RestartContainer {
				errs = append(errs, field.Invalid(at.Index(i).Child("resizePolicy").Index(j).Child("restartPolicy"), p.RestartPolicy,
					"must not be set to 'RestartContainer' for non-sidecar initContainers"))
			}
		}
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

// hostnameOverride checks the name of a pod's host, which is not that of its node.
func hostnameOverride(s *corev1.PodSpec, at *field.Path) field.ErrorList {
	name := s.HostnameOverride
	if name == nil {
		return nil
	}
	at = at.Child("hostnameOverride")
	var errs field.ErrorList
	if s.SetHostnameAsFQDN != nil && *s.SetHostnameAsFQDN {
		errs = append(errs, field.Forbidden(at, "may not be specified when setHostnameAsFQDN is true"))
	}
	if s.HostNetwork {
		errs = append(errs, field.Forbidden(at, "may not be specified when hostNetwork is true"))
	}
	if len(*name) > 64 {
		errs = append(errs, field.TooLong(at, *name, 64))
	}
	return append(errs, invalid(at, *name, utilvalidation.IsDNS1123Subdomain(*name))...)
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
