package defaults

import (
	"reflect"
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// defaultPod applies the defaults that pods have in addition to those of templates.
func defaultPod(o *corev1.Pod) {
	if g := o.Spec.TerminationGracePeriodSeconds; g != nil && *g < 0 {
		o.Spec.TerminationGracePeriodSeconds = new(int64(1))
	}
	defaultPodSpec(&o.Spec)
	for _, containers := range [][]corev1.Container{o.Spec.InitContainers, o.Spec.Containers} {
		for i := range containers {
			c := &containers[i]
			if c.Resources.Limits != nil {
				fillResources(&c.Resources.Requests, c.Resources.Limits)
			}
			for j := range c.Ports {
				if o.Spec.HostNetwork {
					fill(&c.Ports[j].HostPort, c.Ports[j].ContainerPort)
				}
			}
		}
	}
	fillPointer(&o.Spec.EnableServiceLinks, corev1.DefaultEnableServiceLinks)
	ip, ips := o.Status.PodIP, o.Status.PodIPs
	switch {
	case ip != "" && (len(ips) == 0 || ips[0].IP != ip):
		o.Status.PodIPs = []corev1.PodIP{{IP: ip}}
	case ip == "" && len(ips) > 0:
		o.Status.PodIP = ips[0].IP
	}
}

func defaultPodSpec(s *corev1.PodSpec) {
	fill(&s.ServiceAccountName, s.DeprecatedServiceAccount)
	s.DeprecatedServiceAccount = s.ServiceAccountName
	fill(&s.DNSPolicy, corev1.DNSClusterFirst)
	fill(&s.RestartPolicy, corev1.RestartPolicyAlways)
	fillPointer(&s.SecurityContext, corev1.PodSecurityContext{})
	fillPointer(&s.TerminationGracePeriodSeconds, corev1.DefaultTerminationGracePeriodSeconds)
	fill(&s.SchedulerName, corev1.DefaultSchedulerName)
	for i := range s.Volumes {
		defaultVolume(&s.Volumes[i].VolumeSource)
	}
	for i := range s.InitContainers {
		defaultContainer(&s.InitContainers[i])
	}
	for i := range s.Containers {
		defaultContainer(&s.Containers[i])
	}
	for i := range s.EphemeralContainers {
		defaultContainer((*corev1.Container)(&s.EphemeralContainers[i].EphemeralContainerCommon))
	}
}

func defaultContainer(c *corev1.Container) {
	fill(&c.ImagePullPolicy, pullPolicy(c.Image))
	fill(&c.TerminationMessagePath, corev1.TerminationMessagePathDefault)
	fill(&c.TerminationMessagePolicy, corev1.TerminationMessageReadFile)
	for i := range c.Ports {
		fill(&c.Ports[i].Protocol, corev1.ProtocolTCP)
	}
	for i := range c.Env {
		if from := c.Env[i].ValueFrom; from != nil && from.FieldRef != nil {
			fill(&from.FieldRef.APIVersion, "v1")
		}
	}
	for _, p := range []*corev1.Probe{c.LivenessProbe, c.ReadinessProbe, c.StartupProbe} {
		if p == nil {
			continue
		}
		fill(&p.TimeoutSeconds, 1)
		fill(&p.PeriodSeconds, 10)
		fill(&p.SuccessThreshold, 1)
		fill(&p.FailureThreshold, 3)
		defaultHTTPGet(p.HTTPGet)
		if p.GRPC != nil {
			fillPointer(&p.GRPC.Service, "")
		}
	}
	if c.Lifecycle == nil {
		return
	}
	for _, h := range []*corev1.LifecycleHandler{c.Lifecycle.PostStart, c.Lifecycle.PreStop} {
		if h != nil {
			defaultHTTPGet(h.HTTPGet)
		}
	}
}

func defaultHTTPGet(g *corev1.HTTPGetAction) {
	if g == nil {
		return
	}
	fill(&g.Path, "/")
	fill(&g.Scheme, corev1.URISchemeHTTP)
}

// reference matches what can be the name of an image, with a tag or digest.
var reference = regexp.MustCompile(`^([a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?)*(:[0-9]+)?/)?` +
	`[a-z0-9]+([._-]+[a-z0-9]+)*(/[a-z0-9]+([._-]+[a-z0-9]+)*)*(:\w[\w.-]{0,127})?(@.+)?$`)

// identifier matches the digest of an image, which is not a name.
var identifier = regexp.MustCompile(`^[a-f0-9]{64}$`)

// pullPolicy returns when an image is pulled: always if its tag is latest or missing.
func pullPolicy(image string) corev1.PullPolicy {
	if !reference.MatchString(image) || identifier.MatchString(image) || isLong(image) {
		return corev1.PullIfNotPresent
	}
	name, _, digest := strings.Cut(image, "@")
	_, tag, tagged := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ":")
	if tag == "latest" || !tagged && !digest {
		return corev1.PullAlways
	}
	return corev1.PullIfNotPresent
}

// isLong reports whether the name of an image is too long for one, without its registry. A name alone is below library/.
func isLong(image string) bool {
	name, _, _ := strings.Cut(image, "@")
	registry, path, ok := strings.Cut(name, "/")
	switch {
	case !ok:
		path = "library/" + name
	case registry != "localhost" && !strings.ContainsAny(registry, ".:") && strings.ToLower(registry) == registry:
		path = name
	}
	path, _, _ = strings.Cut(path, ":")
	return len(path) > 255
}

func defaultVolume(v *corev1.VolumeSource) {
	if reflect.ValueOf(*v).IsZero() {
		v.EmptyDir = &corev1.EmptyDirVolumeSource{}
	}
	if v.Secret != nil {
		fillPointer(&v.Secret.DefaultMode, corev1.SecretVolumeSourceDefaultMode)
	}
	if v.ConfigMap != nil {
		fillPointer(&v.ConfigMap.DefaultMode, corev1.ConfigMapVolumeSourceDefaultMode)
	}
	if v.HostPath != nil {
		fillPointer(&v.HostPath.Type, corev1.HostPathUnset)
	}
	if v.ISCSI != nil {
		fill(&v.ISCSI.ISCSIInterface, "default")
	}
	if v.RBD != nil {
		defaultRBD(&v.RBD.RBDPool, &v.RBD.RadosUser, &v.RBD.Keyring)
	}
	if v.ScaleIO != nil {
		defaultScaleIO(&v.ScaleIO.StorageMode, &v.ScaleIO.FSType)
	}
	if v.AzureDisk != nil {
		defaultAzureDisk(v.AzureDisk)
	}
	if v.Image != nil {
		fill(&v.Image.PullPolicy, pullPolicy(v.Image.Reference))
	}
	if v.Ephemeral != nil && v.Ephemeral.VolumeClaimTemplate != nil {
		fillPointer(&v.Ephemeral.VolumeClaimTemplate.Spec.VolumeMode, corev1.PersistentVolumeFilesystem)
	}
	if v.DownwardAPI != nil {
		fillPointer(&v.DownwardAPI.DefaultMode, corev1.DownwardAPIVolumeSourceDefaultMode)
		defaultDownward(v.DownwardAPI.Items)
	}
	if v.Projected == nil {
		return
	}
	fillPointer(&v.Projected.DefaultMode, corev1.ProjectedVolumeSourceDefaultMode)
	for i := range v.Projected.Sources {
		if s := &v.Projected.Sources[i]; s.ServiceAccountToken != nil {
			fillPointer(&s.ServiceAccountToken.ExpirationSeconds, 3600)
		} else if s.DownwardAPI != nil {
			defaultDownward(s.DownwardAPI.Items)
		}
	}
}

func defaultDownward(items []corev1.DownwardAPIVolumeFile) {
	for i := range items {
		if items[i].FieldRef != nil {
			fill(&items[i].FieldRef.APIVersion, "v1")
		}
	}
}
