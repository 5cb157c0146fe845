package input

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

const (
	// replicaNamespaces is the number of namespaces of replicas, replicaNodes that of their nodes.
	replicaNamespaces, replicaNodes = 50, 500
	// mostReplicas is the size of the largest deployment. There are as many of each size from 1 on.
	mostReplicas = 50
)

// ReplicaNamespace returns the namespace of the deployment with this number, ReplicaNode the node with this one.
func ReplicaNamespace(deployment int) string {
	return fmt.Sprintf("team-%02d", deployment%replicaNamespaces)
}

// ReplicaNode returns the name of the node with this number.
func ReplicaNode(number int) string {
	return fmt.Sprintf("ip-10-0-%d-%d.eu-central-1.compute.internal", number%replicaNodes/250, number%replicaNodes%250)
}

// DeploymentOf returns the number of the deployment that the replica with this number belongs to.
func DeploymentOf(number int) int {
	const each = mostReplicas * (mostReplicas + 1) / 2
	deployment := number / each * mostReplicas
	for rest := number % each; ; deployment++ {
		size := 1 + deployment*7%mostReplicas
		if rest < size {
			return deployment
		}
		rest -= size
	}
}

// alphabet has the digits of generated names.
const alphabet = "bcdfghjklmnpqrstvwxz2456789"

// suffix returns five digits, which differ between the replicas of a deployment, whose numbers follow each other.
func suffix(number int) string {
	return random(number, 3) + string([]byte{alphabet[number/len(alphabet)%len(alphabet)], alphabet[number%len(alphabet)]})
}

// random returns digits that follow from a number, and look random.
func random(number, digits int) string {
	var b strings.Builder
	for h := uint64(number+1) * 0x9E3779B97F4A7C15; digits > 0; digits-- {
		b.WriteByte(alphabet[h>>32%uint64(len(alphabet))])
		h = (h ^ h>>29) * 0xBF58476D1CE4E5B9
	}
	return b.String()
}

// hex returns n hexadecimal digits that follow from a number.
func hex(number, n int) string {
	return fmt.Sprintf("%0*x", n, uint64(number+1)*0x9E3779B97F4A7C15)[:n]
}

// randomUID returns a UID that looks like a server's.
func randomUID(number int) types.UID {
	return types.UID(fmt.Sprintf("%s-%s-4%s-a%s-%s", hex(number, 8), hex(number+1, 4), hex(number+2, 3), hex(number+3, 3), hex(number+4, 12)))
}

// Replica returns the pod with this number of a cluster of deployments of 1 to 50 replicas, as a server sends it: with
// what the replica set, the admission of service accounts, the scheduler and the kubelet add. Names, UIDs, addresses, identifiers of
// containers, times and the volume of the token differ in each; the rest is like that of the deployment's other ones.
func Replica(number int) *corev1.Pod {
	deployment := DeploymentOf(number)
	app := fmt.Sprintf("%s-%d", []string{"api", "worker", "frontend", "billing", "search"}[deployment%5], deployment)
	hash := random(deployment, 9)
	set := app + "-" + hash
	created := metav1.Date(2026, time.March, 4+deployment%20, 9, deployment%60, number%3, 0, time.UTC)
	after := func(seconds int) metav1.Time {
		return metav1.NewTime(created.Add(time.Duration(seconds) * time.Second))
	}
	ip, hostIP := fmt.Sprintf("10.%d.%d.%d", 1+number/62_500, number/250%250, number%250), fmt.Sprintf("10.0.%d.%d", number%replicaNodes/250, number%250)
	token := "kube-api-access-" + random(number*3, 5)
	image := fmt.Sprintf("registry.example.com/fleet/%s:v1.%d.0", app, deployment%9)
	imageID := "registry.example.com/fleet/" + app + "@sha256:" + strings.Repeat(hex(deployment, 16), 4)
	pod := &corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{
			Name:              set + "-" + suffix(number),
			GenerateName:      set + "-",
			Namespace:         ReplicaNamespace(deployment),
			UID:               randomUID(number),
			ResourceVersion:   ResourceVersion(number),
			Generation:        1,
			CreationTimestamp: created,
			Labels: map[string]string{
				"app.kubernetes.io/name": app, "app.kubernetes.io/instance": app + "-prod", "app.kubernetes.io/version": fmt.Sprintf("v1.%d.0", deployment%9),
				"pod-template-hash": hash,
			},
			Annotations: map[string]string{
				"checksum/config": strings.Repeat(hex(deployment+7, 16), 4), "prometheus.io/scrape": "true", "prometheus.io/port": "9090",
				"cni.projectcalico.org/podIP": ip + "/32",
			},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: "apps/v1", Kind: "ReplicaSet", Name: set, UID: randomUID(1_000_000 + deployment),
				Controller: pointer(true), BlockOwnerDeletion: pointer(true),
			}},
			ManagedFields: []metav1.ManagedFieldsEntry{
				managedPod("kube-controller-manager", "", created, fmt.Sprintf(`{"f:metadata":{"f:annotations":{".":{},"f:checksum/config":{},"f:prometheus.io/port":{},"f:prometheus.io/scrape":{}},"f:generateName":{},"f:labels":{".":{},"f:app.kubernetes.io/instance":{},"f:app.kubernetes.io/name":{},"f:app.kubernetes.io/version":{},"f:pod-template-hash":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"%s\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"%s\"}":{".":{},"f:args":{},"f:env":{".":{},"k:{\"name\":\"POD_IP\"}":{".":{},"f:name":{},"f:valueFrom":{".":{},"f:fieldRef":{}}},"k:{\"name\":\"REGION\"}":{".":{},"f:name":{},"f:value":{}}},"f:image":{},"f:imagePullPolicy":{},"f:livenessProbe":{".":{},"f:failureThreshold":{},"f:httpGet":{".":{},"f:path":{},"f:port":{},"f:scheme":{}},"f:periodSeconds":{},"f:successThreshold":{},"f:timeoutSeconds":{}},"f:name":{},"f:ports":{".":{},"k:{\"containerPort\":8080,\"protocol\":\"TCP\"}":{".":{},"f:containerPort":{},"f:name":{},"f:protocol":{}}},"f:resources":{".":{},"f:limits":{".":{},"f:memory":{}},"f:requests":{".":{},"f:cpu":{},"f:memory":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{},"f:volumeMounts":{".":{},"k:{\"mountPath\":\"/etc/app\"}":{".":{},"f:mountPath":{},"f:name":{}}}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{".":{},"f:runAsNonRoot":{}},"f:serviceAccount":{},"f:serviceAccountName":{},"f:terminationGracePeriodSeconds":{},"f:volumes":{".":{},"k:{\"name\":\"config\"}":{".":{},"f:configMap":{".":{},"f:defaultMode":{},"f:name":{}},"f:name":{}}}}}`, randomUID(1_000_000+deployment), app)),
				managedPod("kubelet", "status", after(4+number%5), fmt.Sprintf(`{"f:status":{"f:conditions":{"k:{\"type\":\"ContainersReady\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Initialized\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}},"k:{\"type\":\"PodReadyToStartContainers\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Ready\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}}},"f:containerStatuses":{},"f:hostIP":{},"f:hostIPs":{},"f:phase":{},"f:podIP":{},"f:podIPs":{".":{},"k:{\"ip\":\"%s\"}":{".":{},"f:ip":{}}},"f:startTime":{}}}`, ip)),
			},
		},
		Spec: corev1.PodSpec{
			ServiceAccountName:            app,
			DeprecatedServiceAccount:      app,
			NodeName:                      ReplicaNode(number * 31),
			RestartPolicy:                 corev1.RestartPolicyAlways,
			DNSPolicy:                     corev1.DNSClusterFirst,
			SchedulerName:                 corev1.DefaultSchedulerName,
			SecurityContext:               &corev1.PodSecurityContext{RunAsNonRoot: pointer(true)},
			Priority:                      pointer(int32(0)),
			PreemptionPolicy:              pointer(corev1.PreemptLowerPriority),
			EnableServiceLinks:            pointer(true),
			TerminationGracePeriodSeconds: pointer(int64(30)),
			Tolerations: []corev1.Toleration{
				{Key: corev1.TaintNodeNotReady, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: pointer(int64(300))},
				{Key: corev1.TaintNodeUnreachable, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: pointer(int64(300))},
			},
			Volumes: []corev1.Volume{
				{Name: "config", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
					LocalObjectReference: corev1.LocalObjectReference{Name: app + "-config"}, DefaultMode: pointer(int32(420)),
				}}},
				{Name: token, VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{
					DefaultMode: pointer(int32(420)),
					Sources: []corev1.VolumeProjection{
						{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{ExpirationSeconds: pointer(int64(3607)), Path: "token"}},
						{ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: corev1.LocalObjectReference{Name: "kube-root-ca.crt"}, Items: []corev1.KeyToPath{{Key: "ca.crt", Path: "ca.crt"}}}},
						{DownwardAPI: &corev1.DownwardAPIProjection{Items: []corev1.DownwardAPIVolumeFile{{Path: "namespace", FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "metadata.namespace"}}}}},
					},
				}}},
			},
			Containers: []corev1.Container{replicaContainer(app, image, token, deployment)},
		},
		Status: corev1.PodStatus{
			ObservedGeneration: 1,
			Phase:              corev1.PodRunning,
			HostIP:             hostIP, HostIPs: []corev1.HostIP{{IP: hostIP}},
			PodIP: ip, PodIPs: []corev1.PodIP{{IP: ip}},
			StartTime: pointer(created),
			QOSClass:  corev1.PodQOSBurstable,
			ContainerStatuses: []corev1.ContainerStatus{{
				Name: app, Ready: true, Started: pointer(true), Image: image, ImageID: imageID,
				ContainerID: "containerd://" + strings.Repeat(hex(number, 16), 4),
				State:       corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: after(2 + number%4)}},
				Resources:   pointer(replicaResources(deployment)),
				VolumeMounts: []corev1.VolumeMountStatus{
					{Name: "config", MountPath: "/etc/app"},
					{Name: token, MountPath: "/var/run/secrets/kubernetes.io/serviceaccount", ReadOnly: true, RecursiveReadOnly: pointer(corev1.RecursiveReadOnlyDisabled)},
				},
			}},
		},
	}
	for i, kind := range []corev1.PodConditionType{corev1.PodReadyToStartContainers, corev1.PodInitialized, corev1.PodReady, corev1.ContainersReady, corev1.PodScheduled} {
		pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{
			Type: kind, Status: corev1.ConditionTrue, ObservedGeneration: 1, LastTransitionTime: after([]int{3, 0, 4 + number%5, 4 + number%5, 0}[i]),
		})
	}
	return pod
}

func managedPod(by, subresource string, at metav1.Time, fields string) metav1.ManagedFieldsEntry {
	entry := managed(by, metav1.ManagedFieldsOperationUpdate, subresource, at, fields)
	entry.APIVersion = "v1"
	return entry
}

func replicaResources(deployment int) corev1.ResourceRequirements {
	memory := resource.MustParse(fmt.Sprintf("%dMi", 128<<(deployment%4)))
	return corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(fmt.Sprintf("%dm", 100+deployment%5*50)), corev1.ResourceMemory: memory},
		Limits:   corev1.ResourceList{corev1.ResourceMemory: memory},
	}
}

func replicaContainer(app, image, token string, deployment int) corev1.Container {
	probe := func(path string) *corev1.Probe {
		return &corev1.Probe{
			ProbeHandler:  corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: path, Port: intstr.FromString("http"), Scheme: corev1.URISchemeHTTP}},
			PeriodSeconds: 10, TimeoutSeconds: 1, SuccessThreshold: 1, FailureThreshold: 3,
		}
	}
	of := func(field string) *corev1.EnvVarSource {
		return &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: field}}
	}
	return corev1.Container{
		Name: app, Image: image, Args: []string{"--queue=" + app, "--log-level=info"},
		Env: []corev1.EnvVar{
			{Name: "REGION", Value: "eu-central-1"}, {Name: "DATABASE", Value: fmt.Sprintf("postgres://db-%d.example.com", deployment)}, {Name: "LOG_FORMAT", Value: "json"},
			{Name: "POD_IP", ValueFrom: of("status.podIP")}, {Name: "POD_NAME", ValueFrom: of("metadata.name")},
		},
		Ports:          []corev1.ContainerPort{{Name: "http", ContainerPort: 8080, Protocol: corev1.ProtocolTCP}, {Name: "metrics", ContainerPort: 9090, Protocol: corev1.ProtocolTCP}},
		Resources:      replicaResources(deployment),
		ReadinessProbe: probe("/ready"), LivenessProbe: probe("/healthz"),
		VolumeMounts: []corev1.VolumeMount{
			{Name: "config", MountPath: "/etc/app"},
			{Name: token, MountPath: "/var/run/secrets/kubernetes.io/serviceaccount", ReadOnly: true},
		},
		TerminationMessagePath:   corev1.TerminationMessagePathDefault,
		TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		ImagePullPolicy:          corev1.PullIfNotPresent,
	}
}
