package decoding_test

import (
	"bytes"
	"context"
	"fmt"
	goruntime "runtime"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/listwatch/listwatch/runtime/codec"
)

// tenFields are what a controller of networks reads of Pods.
var tenFields = []string{
	"-metadata.annotations", "-metadata.ownerReferences", "-metadata.finalizers",
	"spec.nodeName", "spec.hostNetwork", "status.phase", "status.podIP", "status.conditions.type", "status.conditions.status",
}

// benchPod returns the Pod of that number.
func benchPod(i int) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Name: fmt.Sprintf("web-7d9f8b6c5d-%05d", i), GenerateName: "web-7d9f8b6c5d-", Namespace: fmt.Sprintf("ns-%d", i%50),
		UID: types.UID(fmt.Sprintf("9f2c1d34-5e6f-4a7b-8c9d-%012d", i)), ResourceVersion: fmt.Sprint(100000 + i),
		Labels:          map[string]string{"app": "web", "pod-template-hash": "7d9f8b6c5d", "tier": "front"},
		Annotations:     map[string]string{"prometheus.io/port": "8080", "checksum/config": fmt.Sprintf("%064d", i)},
		OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web-7d9f8b6c5d", UID: "a3c6"}},
	}}
	for c := range 2 {
		container := corev1.Container{
			Name: fmt.Sprintf("c%d", c), Image: "registry.example.com/web@sha256:0123456789abcdef", Args: []string{"--port=8080", "--config=/etc/config"},
			ImagePullPolicy: corev1.PullIfNotPresent, TerminationMessagePath: "/dev/termination-log",
			Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080, Protocol: corev1.ProtocolTCP}},
			Resources: corev1.ResourceRequirements{
				Requests: corev1.ResourceList{"cpu": resource.MustParse("100m"), "memory": resource.MustParse("128Mi")},
				Limits:   corev1.ResourceList{"cpu": resource.MustParse("1"), "memory": resource.MustParse("256Mi")},
			},
			VolumeMounts:  []corev1.VolumeMount{{Name: "config", MountPath: "/etc/config"}},
			LivenessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/healthz"}}, PeriodSeconds: 10},
		}
		for e := range 6 {
			container.Env = append(container.Env, corev1.EnvVar{Name: fmt.Sprintf("VAR_%d", e), Value: fmt.Sprintf("value-%d-%d", e, i)})
		}
		p.Spec.Containers = append(p.Spec.Containers, container)
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, corev1.ContainerStatus{
			Name: container.Name, Image: container.Image, ImageID: container.Image, ContainerID: fmt.Sprintf("containerd://%064d", i), Ready: true,
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Unix(1700000000, 0)}},
		})
	}
	p.Spec.NodeName, p.Spec.ServiceAccountName, p.Spec.SchedulerName = fmt.Sprintf("node-%d", i%100), "web", "default-scheduler"
	p.Spec.Volumes = []corev1.Volume{{Name: "config", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: "web"}}}}}
	p.Spec.Tolerations = []corev1.Toleration{{Key: "node.kubernetes.io/not-ready", Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute}}
	p.Status.Phase, p.Status.PodIP, p.Status.HostIP = corev1.PodRunning, fmt.Sprintf("10.1.%d.%d", i/250, i%250), "10.0.0.1"
	for _, typ := range []corev1.PodConditionType{corev1.PodScheduled, corev1.PodInitialized, corev1.ContainersReady, corev1.PodReady} {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: typ, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Unix(1700000000, 0)})
	}
	return p
}

// BenchmarkFields decodes a list of 2,000 Pods as an informer does, whole and with ten fields, with and without Share.
// It reports the time for one Pod, and the bytes that one takes.
func BenchmarkFields(b *testing.B) {
	const count = 2000
	list := &corev1.PodList{}
	for i := range count {
		list.Items = append(list.Items, *benchPod(i))
	}
	list.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("PodList"))
	fields, err := codec.ParseFields(tenFields...)
	if err != nil {
		b.Fatal(err)
	}
	for _, mediaType := range []string{runtime.ContentTypeJSON, runtime.ContentTypeProtobuf} {
		info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), mediaType)
		text, err := runtime.Encode(info.Serializer, list)
		if err != nil {
			b.Fatal(err)
		}
		ours := codec.ForScheme(scheme.Scheme, scheme.Codecs).DecoderToVersion(info.Serializer, nil).(codec.StreamDecoder)
		texts, parts := codec.WithSharedTexts(b.Context()), codec.WithSharing(b.Context())
		for name, context := range map[string]context.Context{
			"whole": texts, "ten": codec.WithFields(texts, fields),
			"whole shared": parts, "ten shared": codec.WithFields(parts, fields),
		} {
			b.Run(mediaType+"/"+name, func(b *testing.B) {
				d := codec.ForContext(context, ours)
				pods := make([]runtime.Object, 0, count)
				decode := func() {
					clear(pods)
					pods = pods[:0]
					if _, err := d.DecodeList(bytes.NewReader(text), &corev1.PodList{}, func() runtime.Object { return &corev1.Pod{} }, func(o runtime.Object) error {
						pods = append(pods, o)
						return nil
					}); err != nil {
						b.Fatal(err)
					}
				}
				for b.Loop() {
					decode()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*count), "ns/pod")
				clear(pods)
				var before, after goruntime.MemStats
				goruntime.GC()
				goruntime.ReadMemStats(&before)
				decode()
				goruntime.GC()
				goruntime.ReadMemStats(&after)
				b.ReportMetric((float64(after.HeapAlloc)-float64(before.HeapAlloc))/count, "bytes/pod")
				goruntime.KeepAlive(pods)
			})
		}
	}
}
