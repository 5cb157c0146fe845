package kinds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/apitest/internal/validation"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// deprecatedLabels are labels of nodes that have other names now, or no meaning.
var deprecatedLabels = map[string]string{
	"beta.kubernetes.io/arch":                       `deprecated since v1.14; use "kubernetes.io/arch" instead`,
	"beta.kubernetes.io/os":                         `deprecated since v1.14; use "kubernetes.io/os" instead`,
	"failure-domain.beta.kubernetes.io/region":      `deprecated since v1.17; use "topology.kubernetes.io/region" instead`,
	"failure-domain.beta.kubernetes.io/zone":        `deprecated since v1.17; use "topology.kubernetes.io/zone" instead`,
	"beta.kubernetes.io/instance-type":              `deprecated since v1.17; use "node.kubernetes.io/instance-type" instead`,
	"app.kubernetes.io/created-by":                  `deprecated since v1.9`,
	"scheduler.alpha.kubernetes.io/preferAvoidPods": `deprecated since v1.22; use Taints and Tolerations instead`,
	"node-role.kubernetes.io/master":                `use "node-role.kubernetes.io/control-plane" instead`,
}

// deprecatedAnnotations are annotations of pods that fields have replaced.
var deprecatedAnnotations = []struct{ name, text string }{
	{"scheduler.alpha.kubernetes.io/critical-pod", `non-functional in v1.16+; use the "priorityClassName" field instead`},
	{"security.alpha.kubernetes.io/sysctls", `non-functional in v1.11+; use the "sysctls" field instead`},
	{"security.alpha.kubernetes.io/unsafe-sysctls", `non-functional in v1.11+; use the "sysctls" field instead`},
}

// warnPod returns the warnings about a new pod. An update of a pod causes none.
func warnPod(obj, old runtime.Object) []string {
	if old != nil {
		return nil
	}
	p := obj.(*corev1.Pod)
	out := warnName(p.Name, "the Pod's hostname")
	return append(out, warnSpec(nil, p.ObjectMeta, &p.Spec)...)
}

// warnName returns the warning about a name that is used in something for which it is no label of DNS.
func warnName(name, used string) []string {
	reasons := utilvalidation.IsDNS1123Label(name)
	if strings.Contains(name, ".") {
		reasons = []string{"must not contain dots"}
	}
	if len(reasons) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("metadata.name: this is used in %s, which can result in surprising behavior; a DNS label is recommended: %v", used, reasons)}
}

// named adds the warning about the name of a new object that is used in the names of its pods.
func named(warn func(obj, old runtime.Object) []string) func(obj, old runtime.Object) []string {
	return func(obj, old runtime.Object) []string {
		var out []string
		if m, ok := obj.(metav1.Object); ok && old == nil {
			out = warnName(m.GetName(), "Pod names and hostnames")
		}
		return append(out, warn(obj, old)...)
	}
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
	for _, d := range deprecatedAnnotations {
		if _, ok := meta.Annotations[d.name]; ok {
			warn(child(path, "metadata").Child("annotations").Key(d.name), "%s", d.text)
		}
	}
	for i, v := range s.Volumes {
		out = append(out, warnPodVolume(&v, at.Child("volumes").Index(i), warn)...)
	}
	out = append(out, warnOverlaps(s.Volumes)...)
	for i, alias := range s.HostAliases {
		if slices.ContainsFunc(s.HostAliases[:i], func(before corev1.HostAlias) bool { return before.IP == alias.IP }) {
			warn(at.Child("hostAliases").Index(i).Child("ip"), "duplicate ip %q", alias.IP)
		}
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
	warnFractions(s.Overhead, at.Child("overhead"), corev1.ResourceMemory, warn)
	warnFractions(s.Overhead, at.Child("overhead"), corev1.ResourceEphemeralStorage, warn)
	warnContainers(path, meta, s, warn)
	warnPorts(s, at, warn)
	if g := s.TerminationGracePeriodSeconds; g != nil && *g < 0 {
		warn(at.Child("terminationGracePeriodSeconds"), "must be >= 0; negative values are invalid and will be treated as 1")
	}
	if s.DNSConfig != nil {
		for i, ip := range s.DNSConfig.Nameservers {
			out = append(out, utilvalidation.GetWarningsForIP(at.Child("dnsConfig", "nameservers").Index(i), ip)...)
		}
	}
	for i, alias := range s.HostAliases {
		out = append(out, utilvalidation.GetWarningsForIP(at.Child("hostAliases").Index(i).Child("ip"), alias.IP)...)
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

// warnPodVolume warns of volumes that do not work any more, and returns the warnings about the claim of a volume.
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
		return warnClaimSize(&e.VolumeClaimTemplate.Spec, at.Child("ephemeral", "volumeClaimTemplate", "spec"))
	}
	return nil
}

// warnContainers warns of profiles in annotations, of variables that containers define twice, and of parts of bytes.
func warnContainers(path *field.Path, meta metav1.ObjectMeta, s *corev1.PodSpec, warn func(*field.Path, string, ...any)) {
	warnPodProfile(path, meta, s, warn)
	for container, c := range validation.EachContainer(s, child(path, "spec")) {
		warnProfiles(path, meta, s, c, warn)
		for _, name := range []corev1.ResourceName{corev1.ResourceMemory, corev1.ResourceEphemeralStorage} {
			warnFractions(c.Resources.Limits, container.Child("resources", "limits"), name, warn)
			warnFractions(c.Resources.Requests, container.Child("resources", "requests"), name, warn)
		}
		for j, v := range c.Env {
			earlier := slices.ContainsFunc(c.Env[:j], func(earlier corev1.EnvVar) bool { return earlier.Name == v.Name })
			if old := "$(" + v.Name + ")"; earlier && (v.ValueFrom != nil || v.Value == old || !strings.Contains(v.Value, old)) {
				warn(container.Child("env").Index(j), "hides previous definition of %q, which may be dropped when using apply", v.Name)
			}
		}
	}
}

// warnPorts warns of ports that containers define twice, or with the name of another.
func warnPorts(s *corev1.PodSpec, at *field.Path, warn func(*field.Path, string, ...any)) {
	var ports []corev1.ContainerPort
	var paths []*field.Path
	for here, c := range validation.EachContainer(s, at) {
		for j := range c.Ports {
			ports, paths = append(ports, c.Ports[j]), append(paths, here.Child("ports").Index(j))
		}
	}
	for i, p := range ports {
		if p.HostIP != "" && p.HostPort == 0 {
			warn(paths[i], "hostIP set without hostPort: %+v", internalPort{p.Name, p.HostPort, p.ContainerPort, p.Protocol, p.HostIP})
		}
		for j, before := range ports[:i] {
			switch {
			case p.ContainerPort != before.ContainerPort || p.Protocol != before.Protocol:
			case p.HostPort == before.HostPort && p.HostIP == before.HostIP:
				warn(paths[i], "duplicate port definition with %s", paths[j])
			case p.HostPort == 0 || before.HostPort == 0:
				warn(paths[i], "overlapping port definition with %s", paths[j])
			case p.HostPort == before.HostPort && (p.HostIP == "" || before.HostIP == ""):
				warn(paths[i], "dangerously ambiguous port definition with %s", paths[j])
			}
		}
	}
	for i, p := range ports {
		j := slices.IndexFunc(ports[:i], func(before corev1.ContainerPort) bool { return before.Name == p.Name })
		if p.Name != "" && j >= 0 {
			warn(paths[i], "duplicate port name %q with %s, services and probes that select ports by name will use %s", p.Name, paths[j], paths[j])
		}
	}
}

// internalPort is a port of a container as messages have it.
type internalPort struct {
	Name          string
	HostPort      int32
	ContainerPort int32
	Protocol      corev1.Protocol
	HostIP        string
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
