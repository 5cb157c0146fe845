package input

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Service returns the service of the deployment with this number, applied by kubectl, as a server sends it. Every tenth has a load
// balancer with a name for external-dns.
func Service(number int) *corev1.Service {
	app := fmt.Sprintf("%s-%d", []string{"api", "worker", "frontend", "billing", "search"}[number%5], number)
	created := metav1.Date(2026, time.March, 4+number%20, 9, number%60, 0, 0, time.UTC)
	ip := fmt.Sprintf("10.96.%d.%d", number/250%250, number%250)
	labels := map[string]string{"app.kubernetes.io/name": app, "app.kubernetes.io/instance": app + "-prod"}
	service := &corev1.Service{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Service"},
		ObjectMeta: metav1.ObjectMeta{
			Name: app, Namespace: ReplicaNamespace(number), UID: randomUID(number), ResourceVersion: ResourceVersion(number), CreationTimestamp: created,
			Labels: labels,
			Annotations: map[string]string{
				corev1.LastAppliedConfigAnnotation: fmt.Sprintf(`{"apiVersion":"v1","kind":"Service","metadata":{"annotations":{},"labels":{"app.kubernetes.io/instance":"%[1]s-prod","app.kubernetes.io/name":"%[1]s"},"name":"%[1]s","namespace":"%[2]s"},"spec":{"ports":[{"name":"http","port":80,"targetPort":"http"},{"name":"metrics","port":9090,"targetPort":"metrics"}],"selector":{"app.kubernetes.io/name":"%[1]s"}}}`+"\n", app, ReplicaNamespace(number)),
			},
			ManagedFields: []metav1.ManagedFieldsEntry{
				managedPod("kubectl-client-side-apply", "", created, `{"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}},"f:labels":{".":{},"f:app.kubernetes.io/instance":{},"f:app.kubernetes.io/name":{}}},"f:spec":{"f:internalTrafficPolicy":{},"f:ports":{".":{},"k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:name":{},"f:port":{},"f:protocol":{},"f:targetPort":{}},"k:{\"port\":9090,\"protocol\":\"TCP\"}":{".":{},"f:name":{},"f:port":{},"f:protocol":{},"f:targetPort":{}}},"f:selector":{},"f:sessionAffinity":{},"f:type":{}}}`),
			},
		},
		Spec: corev1.ServiceSpec{
			Ports: []corev1.ServicePort{
				{Name: "http", Protocol: corev1.ProtocolTCP, Port: 80, TargetPort: intstr.FromString("http")},
				{Name: "metrics", Protocol: corev1.ProtocolTCP, Port: 9090, TargetPort: intstr.FromString("metrics")},
			},
			Selector:  map[string]string{"app.kubernetes.io/name": app},
			ClusterIP: ip, ClusterIPs: []string{ip},
			Type: corev1.ServiceTypeClusterIP, SessionAffinity: corev1.ServiceAffinityNone,
			IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol}, IPFamilyPolicy: pointer(corev1.IPFamilyPolicySingleStack),
			InternalTrafficPolicy: pointer(corev1.ServiceInternalTrafficPolicyCluster),
		},
	}
	if number%10 == 0 {
		service.Annotations["external-dns.alpha.kubernetes.io/hostname"] = app + ".example.com"
		service.Spec.Type = corev1.ServiceTypeLoadBalancer
		service.Status.LoadBalancer.Ingress = []corev1.LoadBalancerIngress{{Hostname: app + ".eu-central-1.elb.example.com"}}
	}
	return service
}
