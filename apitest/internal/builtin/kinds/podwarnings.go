package kinds

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// deprecatedLabels are labels of nodes that have other names now.
var deprecatedLabels = map[string]string{
	"beta.kubernetes.io/arch":                  `deprecated since v1.14; use "kubernetes.io/arch" instead`,
	"beta.kubernetes.io/os":                    `deprecated since v1.14; use "kubernetes.io/os" instead`,
	"failure-domain.beta.kubernetes.io/region": `deprecated since v1.17; use "topology.kubernetes.io/region" instead`,
	"failure-domain.beta.kubernetes.io/zone":   `deprecated since v1.17; use "topology.kubernetes.io/zone" instead`,
	"beta.kubernetes.io/instance-type":         `deprecated since v1.17; use "node.kubernetes.io/instance-type" instead`,
}

// deprecatedAnnotations are annotations of pods, by their prefix, that fields have replaced.
var deprecatedAnnotations = []struct{ prefix, text string }{
	{"scheduler.alpha.kubernetes.io/critical-pod", `non-functional in v1.16+; use the "priorityClassName" field instead`},
	{"security.alpha.kubernetes.io/sysctls", `non-functional in v1.11+; use the "sysctls" field instead`},
	{"security.alpha.kubernetes.io/unsafe-sysctls", `non-functional in v1.11+; use the "sysctls" field instead`},
	{"seccomp.security.alpha.kubernetes.io/pod", `non-functional in v1.27+; use the "seccompProfile" field instead`},
	{"container.seccomp.security.alpha.kubernetes.io/", `non-functional in v1.27+; use the "seccompProfile" field instead`},
	{"container.apparmor.security.beta.kubernetes.io/", `deprecated since v1.30; use the "appArmorProfile" field instead`},
}

// warnPod returns the warnings about a new pod. An update of a pod causes none.
func warnPod(obj, old runtime.Object) []string {
	if old != nil {
		return nil
	}
	p := obj.(*corev1.Pod)
	var out []string
	if dots := strings.Contains(p.Name, "."); dots || len(utilvalidation.IsDNS1123Label(p.Name)) > 0 {
		reasons := []string{"must not contain dots"}
		if !dots {
			reasons = utilvalidation.IsDNS1123Label(p.Name)
		}
		out = append(out, fmt.Sprintf("metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: %v", reasons))
	}
	return append(out, warnSpec(nil, p.ObjectMeta, &p.Spec)...)
}

// warnTemplate makes the warnings about the pods of a template, which is at a path of an object, for its creation and
// its changes.
func warnTemplate[T metav1.Object](path *field.Path, template func(T) *corev1.PodTemplateSpec) func(obj, old runtime.Object) []string {
	return func(obj, old runtime.Object) []string {
		o, ok := obj.(T)
		if was, changed := old.(T); !ok || changed && was.GetGeneration() == o.GetGeneration() {
			return nil
		}
		t := template(o)
		return warnSpec(path, t.ObjectMeta, &t.Spec)
	}
}

// child returns the path of a field in what is at a path, which may be the object itself.
func child(path *field.Path, name string) *field.Path {
	if path == nil {
		return field.NewPath(name)
	}
	return path.Child(name)
}

// warnSpec returns the warnings about pods with a spec.
func warnSpec(path *field.Path, meta metav1.ObjectMeta, s *corev1.PodSpec) []string {
	var out []string
	warn := func(at *field.Path, format string, args ...any) {
		out = append(out, at.String()+": "+fmt.Sprintf(format, args...))
	}
	at := child(path, "spec")
	for _, key := range sortedKeys(s.NodeSelector) {
		if text, ok := deprecatedLabels[key]; ok {
			warn(at.Child("nodeSelector").Key(key), "%s", text)
		}
	}
	warnAffinity(s.Affinity, at.Child("affinity"), warn)
	for i, c := range s.TopologySpreadConstraints {
		constraint := at.Child("topologySpreadConstraints").Index(i)
		if text, ok := deprecatedLabels[c.TopologyKey]; ok {
			warn(constraint.Child("topologyKey"), "%s is %s", c.TopologyKey, text)
		}
		if c.LabelSelector == nil {
			warn(constraint.Child("labelSelector"), "a null labelSelector results in matching no pod")
		}
	}
	for _, name := range sortedKeys(meta.Annotations) {
		for _, d := range deprecatedAnnotations {
			if name == d.prefix || strings.HasSuffix(d.prefix, "/") && strings.HasPrefix(name, d.prefix) {
				warn(child(path, "metadata").Child("annotations").Key(name), "%s", d.text)
			}
		}
	}
	for i, v := range s.Volumes {
		out = append(out, warnPodVolume(&v, at.Child("volumes").Index(i), warn)...)
	}
	for i, secret := range s.ImagePullSecrets {
		if secret.Name != "" && slices.Contains(s.ImagePullSecrets[:i], secret) {
			warn(at.Child("imagePullSecrets").Index(i).Child("name"), "duplicate name %q", secret.Name)
		}
	}
	for i, secret := range s.ImagePullSecrets {
		if secret.Name == "" {
			warn(at.Child("imagePullSecrets").Index(i).Child("name"), "invalid empty name %q", "")
		}
	}
	warnContainers(s, at, warn)
	if g := s.TerminationGracePeriodSeconds; g != nil && *g < 0 {
		warn(at.Child("terminationGracePeriodSeconds"), "must be >= 0; negative values are invalid and will be treated as 1")
	}
	return out
}

func warnAffinity(a *corev1.Affinity, at *field.Path, warn func(*field.Path, string, ...any)) {
	if a == nil {
		return
	}
	const required, preferred = "requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution"
	if n := a.NodeAffinity; n != nil {
		nodes := at.Child("nodeAffinity")
		if n.RequiredDuringSchedulingIgnoredDuringExecution != nil {
			for i, t := range n.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
				warnTerm(t, nodes.Child(required, "nodeSelectorTerms").Index(i), warn)
			}
		}
		for i, t := range n.PreferredDuringSchedulingIgnoredDuringExecution {
			warnTerm(t.Preference, nodes.Child(preferred).Index(i).Child("preference"), warn)
		}
	}
	pods := func(must []corev1.PodAffinityTerm, should []corev1.WeightedPodAffinityTerm, at *field.Path) {
		const text = "a null labelSelector results in matching no pod"
		for i, t := range must {
			if t.LabelSelector == nil {
				warn(at.Child(required).Index(i).Child("labelSelector"), text)
			}
		}
		for i, t := range should {
			if t.PodAffinityTerm.LabelSelector == nil {
				warn(at.Child(preferred).Index(i).Child("podAffinityTerm", "labelSelector"), text)
			}
		}
	}
	if p := a.PodAffinity; p != nil {
		pods(p.RequiredDuringSchedulingIgnoredDuringExecution, p.PreferredDuringSchedulingIgnoredDuringExecution, at.Child("podAffinity"))
	}
	if p := a.PodAntiAffinity; p != nil {
		pods(p.RequiredDuringSchedulingIgnoredDuringExecution, p.PreferredDuringSchedulingIgnoredDuringExecution, at.Child("podAntiAffinity"))
	}
}

// warnTerm warns of labels of nodes in a selector that have other names now.
func warnTerm(t corev1.NodeSelectorTerm, at *field.Path, warn func(*field.Path, string, ...any)) {
	for i, e := range t.MatchExpressions {
		if text, ok := deprecatedLabels[e.Key]; ok {
			warn(at.Child("matchExpressions").Index(i).Child("key"), "%s is %s", e.Key, text)
		}
	}
}

// warnPodVolume warns of volumes that do not work any more, and returns the warnings that have no path.
func warnPodVolume(v *corev1.Volume, at *field.Path, warn func(*field.Path, string, ...any)) []string {
	for _, d := range []struct {
		set        bool
		name, text string
	}{
		{v.PhotonPersistentDisk != nil, "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"},
		{v.GitRepo != nil, "gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"},
		{v.ScaleIO != nil, "scaleIO", "deprecated in v1.16, non-functional in v1.22+"},
		{v.Flocker != nil, "flocker", "deprecated in v1.22, non-functional in v1.25+"},
		{v.StorageOS != nil, "storageOS", "deprecated in v1.22, non-functional in v1.25+"},
		{v.Quobyte != nil, "quobyte", "deprecated in v1.22, non-functional in v1.25+"},
		{v.Glusterfs != nil, "glusterfs", "deprecated in v1.25, non-functional in v1.26+"},
		{v.CephFS != nil, "cephfs", "deprecated in v1.28, non-functional in v1.31+"},
		{v.RBD != nil, "rbd", "deprecated in v1.28, non-functional in v1.31+"},
	} {
		if d.set {
			warn(at.Child(d.name), "%s", d.text)
		}
	}
	if e := v.Ephemeral; e != nil && e.VolumeClaimTemplate != nil {
		warnFractions(e.VolumeClaimTemplate.Spec.Resources.Requests, at.Child("ephemeral", "volumeClaimTemplate", "spec", "resources", "requests"), corev1.ResourceStorage, warn)
	}
	var out []string
	if c := v.ConfigMap; c != nil {
		for i, item := range c.Items {
			if slices.ContainsFunc(c.Items[:i], func(earlier corev1.KeyToPath) bool { return earlier.Path == item.Path }) {
				out = append(out, fmt.Sprintf("volume %q (ConfigMap %q): overlapping paths: %q with %q", v.Name, c.Name, item.Path, item.Path))
			}
		}
	}
	return out
}

// warnContainers warns of variables and ports that containers define twice, and of parts of bytes.
func warnContainers(s *corev1.PodSpec, at *field.Path, warn func(*field.Path, string, ...any)) {
	type port struct {
		protocol       corev1.Protocol
		number, onHost int32
		host           string
	}
	ports := map[port]*field.Path{}
	for _, list := range []struct {
		name       string
		containers []corev1.Container
	}{{"initContainers", s.InitContainers}, {"containers", s.Containers}} {
		for i, c := range list.containers {
			container := at.Child(list.name).Index(i)
			for _, name := range []corev1.ResourceName{corev1.ResourceMemory, corev1.ResourceEphemeralStorage} {
				warnFractions(c.Resources.Limits, container.Child("resources", "limits"), name, warn)
				warnFractions(c.Resources.Requests, container.Child("resources", "requests"), name, warn)
			}
			for j, v := range c.Env {
				if slices.ContainsFunc(c.Env[:j], func(earlier corev1.EnvVar) bool { return earlier.Name == v.Name }) {
					warn(container.Child("env").Index(j), "hides previous definition of %q, which may be dropped when using apply", v.Name)
				}
			}
			if list.name == "initContainers" {
				continue
			}
			for j, p := range c.Ports {
				defined, key := container.Child("ports").Index(j), port{p.Protocol, p.ContainerPort, p.HostPort, p.HostIP}
				if first, ok := ports[key]; ok {
					warn(defined, "duplicate port definition with %s", first)
				} else {
					ports[key] = defined
				}
			}
		}
	}
}

// warnFractions warns of an amount of bytes that is not an integer.
func warnFractions(list corev1.ResourceList, at *field.Path, name corev1.ResourceName, warn func(*field.Path, string, ...any)) {
	if q, ok := list[name]; ok && q.MilliValue()%1000 != 0 {
		warn(at.Key(string(name)), "fractional byte value %q is invalid, must be an integer", q.String())
	}
}

func sortedKeys(m map[string]string) []string {
	out := make([]string, 0, len(m))
	for key := range m {
		out = append(out, key)
	}
	slices.Sort(out)
	return out
}
