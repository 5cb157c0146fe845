package limits_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/listwatch/listwatch/apitest/internal/limits"
)

// list parses "cpu=1 memory=1Gi".
func list(text string) corev1.ResourceList {
	if text == "" {
		return nil
	}
	l := corev1.ResourceList{}
	for pair := range strings.FieldsSeq(text) {
		name, quantity, _ := strings.Cut(pair, "=")
		l[corev1.ResourceName(name)] = resource.MustParse(quantity)
	}
	return l
}

func container(name, requests, limits string) corev1.Container {
	return corev1.Container{Name: name, Resources: corev1.ResourceRequirements{Requests: list(requests), Limits: list(limits)}}
}

func sidecar(name, requests, limits string) corev1.Container {
	c := container(name, requests, limits)
	c.RestartPolicy = new(corev1.ContainerRestartPolicyAlways)
	return c
}

func pod(init []corev1.Container, containers ...corev1.Container) *corev1.Pod {
	return &corev1.Pod{Spec: corev1.PodSpec{InitContainers: init, Containers: containers}}
}

// same reports whether two lists have equal quantities.
func same(t *testing.T, what string, got corev1.ResourceList, want string) {
	t.Helper()
	if d := cmp.Diff(texts(list(want)), texts(got)); d != "" {
		t.Errorf("%s: %s", what, d)
	}
}

func texts(l corev1.ResourceList) map[string]string {
	all := map[string]string{}
	for name, quantity := range l {
		all[string(name)] = quantity.String()
	}
	return all
}

// TestTotals adds up pods.
func TestTotals(t *testing.T) {
	whole := pod(nil, container("a", "cpu=1 memory=1Gi disk=1", "cpu=2"))
	whole.Spec.Resources = &corev1.ResourceRequirements{Requests: list("cpu=5 disk=7"), Limits: list("cpu=6 memory=2Gi")}
	for _, c := range []struct {
		name             string
		pod              *corev1.Pod
		requests, limits string
	}{
		{"nothing", pod(nil, container("a", "", "")), "", ""},
		{"containers", pod(nil, container("a", "cpu=1", "cpu=2"), container("b", "cpu=1 memory=1Gi", "")), "cpu=2 memory=1Gi", "cpu=2"},
		{"a small init container", pod([]corev1.Container{container("i", "cpu=1", "")}, container("a", "cpu=2", "")), "cpu=2", ""},
		{"a large init container", pod([]corev1.Container{container("i", "cpu=3 memory=1Gi", "cpu=4")}, container("a", "cpu=2", "cpu=2")), "cpu=3 memory=1Gi", "cpu=4"},
		{"init containers run one by one", pod([]corev1.Container{container("i", "cpu=3", ""), container("j", "cpu=3", "")}, container("a", "cpu=2", "")), "cpu=3", ""},
		{"a sidecar runs beside the containers", pod([]corev1.Container{sidecar("s", "cpu=1", "cpu=1")}, container("a", "cpu=2", "cpu=3")), "cpu=3", "cpu=4"},
		{"and beside later init containers", pod([]corev1.Container{sidecar("s", "cpu=2", ""), container("i", "cpu=3", "")}, container("a", "cpu=1", "")), "cpu=5", ""},
		{"but not beside earlier ones", pod([]corev1.Container{container("i", "cpu=3", ""), sidecar("s", "cpu=2", "")}, container("a", "cpu=1", "")), "cpu=3", ""},
		{"of the pod itself, CPU and memory count", whole, "cpu=5 memory=1Gi disk=1", "cpu=6 memory=2Gi"},
	} {
		t.Run(c.name, func(t *testing.T) {
			same(t, "requests", limits.Requests(c.pod), c.requests)
			same(t, "limits", limits.Limits(c.pod), c.limits)
		})
	}
}

func item(of corev1.LimitType, change func(*corev1.LimitRangeItem)) corev1.LimitRange {
	i := corev1.LimitRangeItem{Type: of}
	change(&i)
	return corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{i}}}
}

// TestDefault gives containers what they lack, and describes it.
func TestDefault(t *testing.T) {
	defaults := item(corev1.LimitTypeContainer, func(i *corev1.LimitRangeItem) {
		i.DefaultRequest, i.Default = list("cpu=1 memory=1Gi"), list("cpu=2")
	})
	ofPods := item(corev1.LimitTypePod, func(i *corev1.LimitRangeItem) { i.Default = list("cpu=9") })
	p := pod([]corev1.Container{container("i", "cpu=3 memory=1Gi", "")}, container("a", "", ""), container("b", "cpu=3", "cpu=4"))
	limits.Default(p, []corev1.LimitRange{ofPods, defaults})
	same(t, "requests of a", p.Spec.Containers[0].Resources.Requests, "cpu=1 memory=1Gi")
	same(t, "limits of a", p.Spec.Containers[0].Resources.Limits, "cpu=2")
	same(t, "requests of b", p.Spec.Containers[1].Resources.Requests, "cpu=3 memory=1Gi")
	same(t, "limits of b", p.Spec.Containers[1].Resources.Limits, "cpu=4")
	same(t, "requests of i", p.Spec.InitContainers[0].Resources.Requests, "cpu=3 memory=1Gi")
	same(t, "limits of i", p.Spec.InitContainers[0].Resources.Limits, "cpu=2")
	want := map[string]string{"kubernetes.io/limit-ranger": "LimitRanger plugin set: cpu, memory request for container a; cpu limit for container a; " +
		"memory request for container b; cpu limit for init container i"}
	if d := cmp.Diff(want, p.Annotations); d != "" {
		t.Error(d)
	}
	full := pod(nil, container("a", "cpu=1 memory=1Gi", "cpu=1"))
	if limits.Default(full, []corev1.LimitRange{defaults}); full.Annotations != nil {
		t.Errorf("nothing was added, but there is %v", full.Annotations)
	}
}

// TestCheckPod compares pods with bounds. The texts are the real server's.
func TestCheckPod(t *testing.T) {
	for _, c := range []struct {
		name   string
		of     corev1.LimitType
		change func(*corev1.LimitRangeItem)
		pod    *corev1.Pod
		want   string
	}{
		{"at the minimum", corev1.LimitTypeContainer, func(i *corev1.LimitRangeItem) { i.Min = list("cpu=1") }, pod(nil, container("a", "cpu=1", "")), ""},
		{"below the minimum", corev1.LimitTypeContainer, func(i *corev1.LimitRangeItem) { i.Min = list("cpu=1") }, pod(nil, container("a", "cpu=500m", "")),
			"minimum cpu usage per Container is 1, but request is 500m"},
		{"limit below the minimum", corev1.LimitTypeContainer, func(i *corev1.LimitRangeItem) { i.Min = list("cpu=1") }, pod(nil, container("a", "cpu=1", "cpu=500m")),
			"minimum cpu usage per Container is 1, but limit is 500m"},
		{"without a request", corev1.LimitTypeContainer, func(i *corev1.LimitRangeItem) { i.Min = list("cpu=1") }, pod(nil, container("a", "", "cpu=2")),
			"minimum cpu usage per Container is 1.  No request is specified"},
		{"at the maximum", corev1.LimitTypeContainer, func(i *corev1.LimitRangeItem) { i.Max = list("cpu=1") }, pod(nil, container("a", "cpu=1", "cpu=1")), ""},
		{"no request at the maximum", corev1.LimitTypeContainer, func(i *corev1.LimitRangeItem) { i.Max = list("cpu=1") }, pod(nil, container("a", "", "cpu=1")), ""},
		{"above the maximum", corev1.LimitTypeContainer, func(i *corev1.LimitRangeItem) { i.Max = list("cpu=1") }, pod(nil, container("a", "", "cpu=2")),
			"maximum cpu usage per Container is 1, but limit is 2"},
		{"request above the maximum", corev1.LimitTypeContainer, func(i *corev1.LimitRangeItem) { i.Max = list("cpu=1") }, pod(nil, container("a", "cpu=2", "cpu=1")),
			"maximum cpu usage per Container is 1, but request is 2"},
		{"without a limit", corev1.LimitTypeContainer, func(i *corev1.LimitRangeItem) { i.Max = list("cpu=1") }, pod(nil, container("a", "cpu=1", "")),
			"maximum cpu usage per Container is 1.  No limit is specified"},
		{"ratio", corev1.LimitTypeContainer, func(i *corev1.LimitRangeItem) { i.MaxLimitRequestRatio = list("cpu=2") }, pod(nil, container("a", "cpu=1", "cpu=2")), ""},
		{"above the ratio", corev1.LimitTypeContainer, func(i *corev1.LimitRangeItem) { i.MaxLimitRequestRatio = list("cpu=2") }, pod(nil, container("a", "cpu=1", "cpu=3")),
			"cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000"},
		{"ratio without a request", corev1.LimitTypeContainer, func(i *corev1.LimitRangeItem) { i.MaxLimitRequestRatio = list("cpu=2") }, pod(nil, container("a", "", "cpu=3")),
			"cpu max limit to request ratio per Container is 2, but no request is specified or request is 0"},
		{"ratio without a limit", corev1.LimitTypeContainer, func(i *corev1.LimitRangeItem) { i.MaxLimitRequestRatio = list("cpu=2") }, pod(nil, container("a", "cpu=3", "")),
			"cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0"},
		{"init containers count", corev1.LimitTypeContainer, func(i *corev1.LimitRangeItem) { i.Min = list("cpu=1") },
			pod([]corev1.Container{container("i", "cpu=500m", "")}, container("a", "cpu=1", "")), "minimum cpu usage per Container is 1, but request is 500m"},
		{"as a whole", corev1.LimitTypePod, func(i *corev1.LimitRangeItem) { i.Max = list("cpu=3") },
			pod(nil, container("a", "", "cpu=2"), container("b", "", "cpu=2")), "maximum cpu usage per Pod is 3, but limit is 4"},
		{"several", corev1.LimitTypeContainer, func(i *corev1.LimitRangeItem) { i.Min, i.Max = list("cpu=1 memory=1Gi"), list("cpu=1") }, pod(nil, container("a", "cpu=2", "cpu=2")),
			"[minimum memory usage per Container is 1Gi.  No request is specified, maximum cpu usage per Container is 1, but limit is 2]"},
		{"of claims", corev1.LimitTypePersistentVolumeClaim, func(i *corev1.LimitRangeItem) { i.Min = list("cpu=1") }, pod(nil, container("a", "", "")), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := item(c.of, c.change)
			checkError(t, limits.CheckPod(c.pod, &r), c.want)
		})
	}
}

func checkError(t *testing.T, err error, want string) {
	t.Helper()
	got := ""
	if err != nil {
		got = err.Error()
	}
	if got != want {
		t.Errorf("check against the limits: got error %q, want %q", got, want)
	}
}

func TestCheckClaim(t *testing.T) {
	claim := &corev1.PersistentVolumeClaim{}
	claim.Spec.Resources.Requests = list("storage=2Gi")
	for _, c := range []struct {
		name     string
		of       corev1.LimitType
		min, max string
		want     string
	}{
		{"within", corev1.LimitTypePersistentVolumeClaim, "storage=1Gi", "storage=2Gi", ""},
		{"below", corev1.LimitTypePersistentVolumeClaim, "storage=3Gi", "", "minimum storage usage per PersistentVolumeClaim is 3Gi, but request is 2Gi"},
		{"above", corev1.LimitTypePersistentVolumeClaim, "", "storage=1Gi", "maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi"},
		{"not requested", corev1.LimitTypePersistentVolumeClaim, "", "disk=1Gi", "maximum disk usage per PersistentVolumeClaim is 1Gi.  No request is specified"},
		{"of containers", corev1.LimitTypeContainer, "storage=3Gi", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := item(c.of, func(i *corev1.LimitRangeItem) { i.Min, i.Max = list(c.min), list(c.max) })
			checkError(t, limits.CheckClaim(claim, &r), c.want)
		})
	}
}
