package quota_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"

	"github.com/listwatch/listwatch/apitest/internal/quota"
)

// list parses "cpu=1 memory=1Gi".
func list(text string) corev1.ResourceList {
	l := corev1.ResourceList{}
	for pair := range strings.FieldsSeq(text) {
		name, quantity, _ := strings.Cut(pair, "=")
		l[corev1.ResourceName(name)] = resource.MustParse(quantity)
	}
	return l
}

// names are those of list.
func names(text string) []corev1.ResourceName {
	var all []corev1.ResourceName
	for name := range strings.FieldsSeq(text) {
		all = append(all, corev1.ResourceName(name))
	}
	return all
}

func texts(l corev1.ResourceList) map[string]string {
	all := map[string]string{}
	for name, quantity := range l {
		all[string(name)] = quantity.String()
	}
	return all
}

func pod(change func(*corev1.Pod), requests, limits string) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "n"}}
	p.Spec.Containers = []corev1.Container{{Name: "a", Resources: corev1.ResourceRequirements{Requests: list(requests), Limits: list(limits)}}}
	if change != nil {
		change(p)
	}
	return p
}

func service(of corev1.ServiceType, change func(*corev1.Service), nodePorts ...int32) *corev1.Service {
	s := &corev1.Service{Spec: corev1.ServiceSpec{Type: of}}
	for _, port := range nodePorts {
		s.Spec.Ports = append(s.Spec.Ports, corev1.ServicePort{NodePort: port})
	}
	if change != nil {
		change(s)
	}
	return s
}

func claim(storage string, change func(*corev1.PersistentVolumeClaim)) *corev1.PersistentVolumeClaim {
	c := &corev1.PersistentVolumeClaim{}
	if storage != "" {
		c.Spec.Resources.Requests = list("storage=" + storage)
	}
	if change != nil {
		change(c)
	}
	return c
}

// TestUsage measures objects.
func TestUsage(t *testing.T) {
	long := metav1.NewTime(time.Now().Add(-time.Hour))
	for _, c := range []struct {
		name, resource string
		object         runtime.Object
		want           string
	}{
		{"pod", "pods", pod(nil, "cpu=1 memory=1Gi", "cpu=2"), "count/pods=1 pods=1 cpu=1 requests.cpu=1 memory=1Gi requests.memory=1Gi limits.cpu=2"},
		{"pod with other resources", "pods", pod(nil, "hugepages-2Mi=4Mi example.com/gpu=2 kubernetes.io/x=1 disk=1", "example.com/gpu=2"),
			"count/pods=1 pods=1 hugepages-2Mi=4Mi requests.hugepages-2Mi=4Mi requests.example.com/gpu=2"},
		{"pod that succeeded", "pods", pod(func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded }, "cpu=1", ""), "count/pods=1"},
		{"pod that failed", "pods", pod(func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed }, "cpu=1", ""), "count/pods=1"},
		{"pod whose deletion takes too long", "pods", pod(func(p *corev1.Pod) {
			p.DeletionTimestamp, p.DeletionGracePeriodSeconds = &long, new(int64(30))
		}, "cpu=1", ""), "count/pods=1"},
		{"pod that is being deleted", "pods", pod(func(p *corev1.Pod) {
			p.DeletionTimestamp, p.DeletionGracePeriodSeconds = &long, new(int64(7200))
		}, "", ""), "count/pods=1 pods=1"},
		{"service", "services", service(corev1.ServiceTypeClusterIP, nil, 0), "count/services=1 services=1 services.nodeports=0 services.loadbalancers=0"},
		{"node ports", "services", service(corev1.ServiceTypeNodePort, nil, 0, 30000), "count/services=1 services=1 services.nodeports=2 services.loadbalancers=0"},
		{"load balancer", "services", service(corev1.ServiceTypeLoadBalancer, nil, 0), "count/services=1 services=1 services.nodeports=1 services.loadbalancers=1"},
		{"load balancer without node ports", "services", service(corev1.ServiceTypeLoadBalancer, func(s *corev1.Service) {
			s.Spec.AllocateLoadBalancerNodePorts = new(false)
		}, 0, 30000), "count/services=1 services=1 services.nodeports=1 services.loadbalancers=1"},
		{"claim", "persistentvolumeclaims", claim("1Gi", nil), "count/persistentvolumeclaims=1 persistentvolumeclaims=1 requests.storage=1Gi"},
		{"claim without a size", "persistentvolumeclaims", claim("", nil), "count/persistentvolumeclaims=1 persistentvolumeclaims=1"},
		{"claim that has more", "persistentvolumeclaims", claim("1Gi", func(c *corev1.PersistentVolumeClaim) { c.Status.AllocatedResources = list("storage=2Gi") }),
			"count/persistentvolumeclaims=1 persistentvolumeclaims=1 requests.storage=2Gi"},
		{"claim of a class", "persistentvolumeclaims", claim("1Gi", func(c *corev1.PersistentVolumeClaim) { c.Spec.StorageClassName = new("fast") }),
			"count/persistentvolumeclaims=1 persistentvolumeclaims=1 requests.storage=1Gi " +
				"fast.storageclass.storage.k8s.io/persistentvolumeclaims=1 fast.storageclass.storage.k8s.io/requests.storage=1Gi"},
		{"annotation before class", "persistentvolumeclaims", claim("", func(c *corev1.PersistentVolumeClaim) {
			c.Annotations, c.Spec.StorageClassName = map[string]string{corev1.BetaStorageClassAnnotation: "old"}, new("fast")
		}), "count/persistentvolumeclaims=1 persistentvolumeclaims=1 old.storageclass.storage.k8s.io/persistentvolumeclaims=1"},
		{"devices", "resourceclaims.resource.k8s.io", &resourcev1.ResourceClaim{Spec: resourcev1.ResourceClaimSpec{Devices: resourcev1.DeviceClaim{Requests: []resourcev1.DeviceRequest{
			{Exactly: &resourcev1.ExactDeviceRequest{DeviceClassName: "gpu", AllocationMode: resourcev1.DeviceAllocationModeExactCount, Count: 2}},
			{Exactly: &resourcev1.ExactDeviceRequest{DeviceClassName: "gpu", AllocationMode: resourcev1.DeviceAllocationModeAll}},
			{FirstAvailable: []resourcev1.DeviceSubRequest{
				{DeviceClassName: "fpga", AllocationMode: resourcev1.DeviceAllocationModeExactCount, Count: 3},
				{DeviceClassName: "fpga", AllocationMode: resourcev1.DeviceAllocationModeExactCount, Count: 1},
			}},
			{},
		}}}}, "count/resourceclaims.resource.k8s.io=1 gpu.deviceclass.resource.k8s.io/devices=34 fpga.deviceclass.resource.k8s.io/devices=3"},
		{"another object", "secrets", &corev1.Secret{}, "count/secrets=1 secrets=1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := quota.For(schema.ParseGroupResource(c.resource), nil).Usage(c.object)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(texts(list(c.want)), texts(got)); d != "" {
				t.Error(d)
			}
		})
	}
	if _, err := quota.For(schema.GroupResource{Resource: "pods"}, nil).Usage(&corev1.Secret{}); err == nil {
		t.Error("a secret is measured as a pod")
	}
}

// TestConstraints finds the containers that do not set what a quota limits.
func TestConstraints(t *testing.T) {
	two := pod(func(p *corev1.Pod) { p.Spec.InitContainers = []corev1.Container{{Name: "i"}} }, "cpu=1", "memory=1Gi")
	whole := pod(func(p *corev1.Pod) { p.Spec.Resources = &corev1.ResourceRequirements{Requests: list("cpu=1")} }, "", "")
	for _, c := range []struct {
		name, required string
		pod            *corev1.Pod
		want           string
	}{
		{"nothing is limited", "pods", two, ""},
		{"set", "cpu requests.cpu limits.memory", pod(nil, "cpu=1", "memory=1Gi"), ""},
		{"not in all containers", "cpu", two, "must specify cpu for: i"},
		{"in none", "memory limits.cpu", two, "must specify limits.cpu for: a,i; memory for: a,i"},
		{"in the pod", "memory limits.cpu", whole, ""},
		{"what is only counted", "requests.example.com/gpu ephemeral-storage", two, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := quota.For(schema.GroupResource{Resource: "pods"}, nil).Constraints(names(c.required), c.pod)
			got := ""
			if err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("a pod in a quota of %v: got error %q, want %q", c.required, got, c.want)
			}
		})
	}
	if err := quota.For(schema.GroupResource{Resource: "services"}, nil).Constraints(names("services"), &corev1.Service{}); err != nil {
		t.Errorf("service: %v", err)
	}
}

// TestCovers selects the names that an evaluator measures.
func TestCovers(t *testing.T) {
	for _, c := range []struct{ resource, given, want string }{
		{"pods", "pods count/pods cpu requests.memory limits.cpu requests.ephemeral-storage hugepages-2Mi requests.hugepages-1Gi requests.example.com/gpu " +
			"services limits.example.com/gpu example.com/gpu requests.limits.cpu requests.storage",
			"pods count/pods cpu requests.memory limits.cpu requests.ephemeral-storage hugepages-2Mi requests.hugepages-1Gi requests.example.com/gpu"},
		{"services", "services services.nodeports services.loadbalancers count/services pods", "services services.nodeports services.loadbalancers count/services"},
		{"persistentvolumeclaims", "persistentvolumeclaims requests.storage count/persistentvolumeclaims a.storageclass.storage.k8s.io/requests.storage a.storageclass.storage.k8s.io/pods cpu",
			"persistentvolumeclaims requests.storage count/persistentvolumeclaims a.storageclass.storage.k8s.io/requests.storage"},
		{"resourceclaims.resource.k8s.io", "count/resourceclaims.resource.k8s.io gpu.deviceclass.resource.k8s.io/devices count/resourceclaims requests.example.com/gpu",
			"count/resourceclaims.resource.k8s.io gpu.deviceclass.resource.k8s.io/devices"},
		{"secrets", "secrets count/secrets pods", "secrets count/secrets"},
	} {
		t.Run(c.resource, func(t *testing.T) {
			got := quota.For(schema.ParseGroupResource(c.resource), nil).MatchingResources(names(c.given))
			want := names(c.want)
			slices.Sort(got)
			slices.Sort(want)
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestScopes decides whether objects are in scopes.
func TestScopes(t *testing.T) {
	ends := func(p *corev1.Pod) { p.Spec.ActiveDeadlineSeconds = new(int64(10)) }
	urgent := func(p *corev1.Pod) { p.Spec.PriorityClassName = "urgent" }
	term := corev1.PodAffinityTerm{Namespaces: []string{"other"}}
	across := func(p *corev1.Pod) {
		p.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
			PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{{PodAffinityTerm: term}},
		}}
	}
	beside := func(p *corev1.Pod) {
		p.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{}}}}
	}
	for _, c := range []struct {
		name     string
		scope    corev1.ResourceQuotaScope
		operator corev1.ScopeSelectorOperator
		values   string
		resource string
		object   runtime.Object
		want     bool
	}{
		{"terminating", corev1.ResourceQuotaScopeTerminating, corev1.ScopeSelectorOpExists, "", "pods", pod(ends, "", ""), true},
		{"not terminating", corev1.ResourceQuotaScopeTerminating, corev1.ScopeSelectorOpExists, "", "pods", pod(nil, "", ""), false},
		{"the other scope", corev1.ResourceQuotaScopeNotTerminating, corev1.ScopeSelectorOpExists, "", "pods", pod(ends, "", ""), false},
		{"best effort", corev1.ResourceQuotaScopeBestEffort, corev1.ScopeSelectorOpExists, "", "pods", pod(nil, "", ""), true},
		{"a limit is no best effort", corev1.ResourceQuotaScopeBestEffort, corev1.ScopeSelectorOpExists, "", "pods", pod(nil, "", "memory=1Gi"), false},
		{"not best effort", corev1.ResourceQuotaScopeNotBestEffort, corev1.ScopeSelectorOpExists, "", "pods", pod(nil, "cpu=1", ""), true},
		{"other resources are best effort", corev1.ResourceQuotaScopeNotBestEffort, corev1.ScopeSelectorOpExists, "", "pods", pod(nil, "disk=1", ""), false},
		{"priority", corev1.ResourceQuotaScopePriorityClass, corev1.ScopeSelectorOpIn, "urgent", "pods", pod(urgent, "", ""), true},
		{"another priority", corev1.ResourceQuotaScopePriorityClass, corev1.ScopeSelectorOpIn, "low", "pods", pod(urgent, "", ""), false},
		{"not this priority", corev1.ResourceQuotaScopePriorityClass, corev1.ScopeSelectorOpNotIn, "low", "pods", pod(urgent, "", ""), true},
		{"any priority", corev1.ResourceQuotaScopePriorityClass, corev1.ScopeSelectorOpExists, "", "pods", pod(urgent, "", ""), true},
		{"no priority", corev1.ResourceQuotaScopePriorityClass, corev1.ScopeSelectorOpDoesNotExist, "", "pods", pod(nil, "", ""), true},
		{"an invalid operator", corev1.ResourceQuotaScopePriorityClass, "Like", "urgent", "pods", pod(urgent, "", ""), false},
		{"affinity across namespaces", corev1.ResourceQuotaScopeCrossNamespacePodAffinity, corev1.ScopeSelectorOpExists, "", "pods", pod(across, "", ""), true},
		{"affinity within one", corev1.ResourceQuotaScopeCrossNamespacePodAffinity, corev1.ScopeSelectorOpExists, "", "pods", pod(beside, "", ""), false},
		{"no affinity", corev1.ResourceQuotaScopeCrossNamespacePodAffinity, corev1.ScopeSelectorOpExists, "", "pods", pod(nil, "", ""), false},
		{"class of attributes", corev1.ResourceQuotaScopeVolumeAttributesClass, corev1.ScopeSelectorOpIn, "gold", "persistentvolumeclaims",
			claim("", func(c *corev1.PersistentVolumeClaim) { c.Spec.VolumeAttributesClassName = new("gold") }), true},
		{"no class of attributes", corev1.ResourceQuotaScopeVolumeAttributesClass, corev1.ScopeSelectorOpExists, "", "persistentvolumeclaims", claim("", nil), false},
		{"claims have no priority", corev1.ResourceQuotaScopePriorityClass, corev1.ScopeSelectorOpDoesNotExist, "", "persistentvolumeclaims", claim("", nil), false},
		{"services have no scopes", corev1.ResourceQuotaScopeTerminating, corev1.ScopeSelectorOpExists, "", "services", &corev1.Service{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			selector := corev1.ScopedResourceSelectorRequirement{ScopeName: c.scope, Operator: c.operator, Values: strings.Fields(c.values)}
			e := quota.For(schema.GroupResource{Resource: c.resource}, nil)
			matching, err := e.MatchingScopes(c.object, []corev1.ScopedResourceSelectorRequirement{selector})
			if err != nil || len(matching) > 0 != c.want {
				t.Errorf("scopes that concern the object: got %v (error %v), want any: %t", matching, err, c.want)
			}
		})
	}
}

// TestHandles selects the requests that quotas concern.
func TestHandles(t *testing.T) {
	ends := func(p *corev1.Pod) { p.Spec.ActiveDeadlineSeconds = new(int64(10)) }
	for _, c := range []struct {
		name, resource, subresource string
		operation                   admission.Operation
		object, old                 runtime.Object
		want                        bool
	}{
		{"create a pod", "pods", "", admission.Create, pod(nil, "", ""), nil, true},
		{"update a pod", "pods", "", admission.Update, pod(nil, "cpu=1", ""), pod(nil, "", ""), false},
		{"a pod leaves its scope", "pods", "", admission.Update, pod(ends, "", ""), pod(nil, "", ""), true},
		{"resize a pod", "pods", "resize", admission.Update, pod(nil, "cpu=1", ""), pod(nil, "", ""), true},
		{"status of a pod", "pods", "status", admission.Update, pod(nil, "", ""), pod(ends, "", ""), false},
		{"delete a pod", "pods", "", admission.Delete, nil, pod(nil, "", ""), false},
		{"update a service", "services", "", admission.Update, &corev1.Service{}, &corev1.Service{}, true},
		{"status of a service", "services", "status", admission.Update, &corev1.Service{}, &corev1.Service{}, false},
		{"delete a claim", "persistentvolumeclaims", "", admission.Delete, nil, claim("", nil), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			gr := schema.GroupResource{Resource: c.resource}
			a := admission.NewAttributesRecord(c.object, c.old, schema.GroupVersionKind{}, "n", "x", gr.WithVersion("v1"), c.subresource, c.operation, nil, false, nil)
			if got := quota.For(gr, nil).Handles(a); got != c.want {
				t.Errorf("a quota concerns the request: %t, want %t", got, c.want)
			}
		})
	}
}

func TestIgnored(t *testing.T) {
	for name, want := range map[string]bool{
		"events": true, "events.events.k8s.io": true, "bindings": true, "subjectaccessreviews.authorization.k8s.io": true, "tokenreviews.authentication.k8s.io": true,
		"pods": false, "events.example.com": false, "bindings.example.com": false,
	} {
		if got := quota.Ignored(schema.ParseGroupResource(name)); got != want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

// TestResources finds what the names of a quota measure.
func TestResources(t *testing.T) {
	hard := list("cpu=1 limits.memory=1 services.nodeports=1 secrets=1 count/deployments.apps=1 count/configmaps=1")
	var got []string
	for _, gr := range quota.Resources(hard) {
		got = append(got, gr.String())
	}
	slices.Sort(got)
	if d := cmp.Diff([]string{"configmaps", "deployments.apps", "pods", "secrets", "services"}, got); d != "" {
		t.Error(d)
	}
}

// TestUsed adds up the objects of a namespace.
func TestUsed(t *testing.T) {
	objects := map[string][]runtime.Object{
		"pods":    {pod(nil, "cpu=1", ""), pod(nil, "cpu=2", ""), pod(func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded }, "cpu=4", "")},
		"secrets": {&corev1.Secret{}, &corev1.Secret{}},
	}
	lister := func(gr schema.GroupResource, namespace string) ([]runtime.Object, error) {
		if namespace != "n" {
			t.Errorf("namespace %q", namespace)
		}
		return objects[gr.Resource], nil
	}
	q := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: "n"}, Spec: corev1.ResourceQuotaSpec{Hard: list("pods=9 requests.cpu=9 count/pods=9 secrets=9 services=9")}}
	used, err := quota.Used(q, lister)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(texts(list("pods=2 requests.cpu=3 count/pods=3 secrets=2 services=0")), texts(used)); d != "" {
		t.Error(d)
	}
	q.Spec.Scopes = []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeBestEffort}
	q.Spec.Hard = list("pods=9")
	if used, err = quota.Used(q, lister); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(texts(list("pods=0")), texts(used)); d != "" {
		t.Error(d)
	}
}
