package input

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Pod returns the pod with this number, as a server sends it: one container, with the fields that a
// deployment and the kubelet add.
func Pod(number int) *corev1.Pod {
	started := metav1.Date(2026, time.March, 4, 9, 30, number%60, 0, time.UTC)
	address := fmt.Sprintf("10.1.%d.%d", number/250%250, number%250)
	return &corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{
			Name:              Name(number),
			GenerateName:      "worker-",
			Namespace:         Namespace,
			UID:               uid(number),
			ResourceVersion:   ResourceVersion(number),
			CreationTimestamp: started,
			Labels:            map[string]string{"app.kubernetes.io/name": "worker", "pod-template-hash": "6c7d8f9b5"},
			Annotations:       map[string]string{"fleet.example.com/checksum": fmt.Sprintf("%032x", number*7919)},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "worker-6c7d8f9b5", UID: uid(0),
				Controller: pointer(true), BlockOwnerDeletion: pointer(true),
			}},
		},
		Spec: corev1.PodSpec{
			ServiceAccountName: "worker",
			NodeName:           fmt.Sprintf("node-%d", number%100),
			RestartPolicy:      corev1.RestartPolicyAlways,
			DNSPolicy:          corev1.DNSClusterFirst,
			SchedulerName:      corev1.DefaultSchedulerName,
			SecurityContext:    &corev1.PodSecurityContext{RunAsNonRoot: pointer(true)},
			Containers: []corev1.Container{{
				Name:  "worker",
				Image: "registry.example.com/fleet/worker:v1.7.0",
				Args:  []string{"--queue=queue-1", "--log-level=info"},
				Env:   []corev1.EnvVar{{Name: "REGION", Value: "eu-central-1"}},
				Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080, Protocol: corev1.ProtocolTCP}},
				Resources: corev1.ResourceRequirements{
					Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("500m"), corev1.ResourceMemory: resource.MustParse("1Gi")},
					Limits:   corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("1Gi")},
				},
				ReadinessProbe: &corev1.Probe{
					ProbeHandler:  corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/ready", Port: intstr.FromString("http"), Scheme: corev1.URISchemeHTTP}},
					PeriodSeconds: 10, TimeoutSeconds: 1, SuccessThreshold: 1, FailureThreshold: 3,
				},
				VolumeMounts:             []corev1.VolumeMount{{Name: "token", MountPath: "/var/run/token", ReadOnly: true}},
				TerminationMessagePath:   corev1.TerminationMessagePathDefault,
				TerminationMessagePolicy: corev1.TerminationMessageReadFile,
				ImagePullPolicy:          corev1.PullIfNotPresent,
			}},
			Volumes: []corev1.Volume{{Name: "token", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "token"}}}},
		},
		Status: corev1.PodStatus{
			Phase:     corev1.PodRunning,
			HostIP:    "10.0.0.7",
			PodIP:     address,
			PodIPs:    []corev1.PodIP{{IP: address}},
			StartTime: &started,
			QOSClass:  corev1.PodQOSBurstable,
			Conditions: []corev1.PodCondition{
				{Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: started},
				{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: started},
			},
			ContainerStatuses: []corev1.ContainerStatus{{
				Name: "worker", Ready: true, Started: pointer(true),
				Image:       "registry.example.com/fleet/worker:v1.7.0",
				ImageID:     "registry.example.com/fleet/worker@sha256:" + fmt.Sprintf("%064x", 7),
				ContainerID: "containerd://" + fmt.Sprintf("%064x", number),
				State:       corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: started}},
			}},
		},
	}
}
