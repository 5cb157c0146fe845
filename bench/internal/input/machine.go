package input

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	v1 "github.com/listwatch/listwatch/bench/apis/fleet/v1"
)

// Namespace is the namespace of all objects.
const Namespace = "production"

var machineType = metav1.TypeMeta{APIVersion: "fleet.example.com/v1", Kind: "Machine"}

// Machine returns the custom resource with this number, as a server sends it: 2.3 KB of JSON.
// Objects differ in the same fields as in a real cluster.
func Machine(number int) *v1.Machine {
	created := metav1.Date(2026, time.March, 4, 9, 30, number%60, 0, time.UTC)
	changed := metav1.Date(2026, time.May, 6, 7, 8, number%60, 0, time.UTC)
	replicas := int32(number % 7)
	m := &v1.Machine{
		TypeMeta: machineType,
		ObjectMeta: metav1.ObjectMeta{
			Name:              Name(number),
			Namespace:         Namespace,
			UID:               uid(number),
			ResourceVersion:   ResourceVersion(number),
			Generation:        int64(number%5 + 1),
			CreationTimestamp: created,
			Labels: map[string]string{
				"app.kubernetes.io/name":       "worker",
				"app.kubernetes.io/instance":   fmt.Sprintf("worker-%d", number%100),
				"app.kubernetes.io/managed-by": "fleet-operator",
				"fleet.example.com/zone":       fmt.Sprintf("zone-%c", 'a'+number%3),
			},
			Annotations: map[string]string{
				"fleet.example.com/revision": fmt.Sprint(number % 20),
				"fleet.example.com/checksum": fmt.Sprintf("%032x", number*7919),
			},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: "fleet.example.com/v1",
				Kind:       "Fleet",
				Name:       fmt.Sprintf("fleet-%d", number%100),
				UID:        uid(number % 100),
				Controller: pointer(true),
			}},
			Finalizers: []string{"fleet.example.com/cleanup"},
			ManagedFields: []metav1.ManagedFieldsEntry{
				managed("kubectl", metav1.ManagedFieldsOperationApply, "", created,
					`{"f:metadata":{"f:labels":{"f:app.kubernetes.io/name":{},"f:app.kubernetes.io/instance":{}}},"f:spec":{"f:image":{},"f:port":{},"f:replicas":{},"f:resources":{"f:cpu":{},"f:memory":{}}}}`),
				managed("fleet-operator", metav1.ManagedFieldsOperationUpdate, "status", changed,
					`{"f:status":{"f:conditions":{"k:{\"type\":\"Ready\"}":{".":{},"f:reason":{},"f:status":{}}},"f:phase":{},"f:ready":{}}}`),
			},
		},
		Spec: v1.MachineSpec{
			Replicas: &replicas,
			Image:    fmt.Sprintf("registry.example.com/fleet/worker:v1.%d.0", number%30),
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"node.example.com/pool": "workers"}},
			Resources: map[string]resource.Quantity{
				"cpu":    resource.MustParse("500m"),
				"memory": resource.MustParse("1Gi"),
			},
			Env: []v1.EnvVar{
				{Name: "LOG_LEVEL", Value: "info"},
				{Name: "REGION", Value: "eu-central-1"},
				{Name: "QUEUE", Value: fmt.Sprintf("queue-%d", number%10)},
			},
			Port:    intstr.FromInt32(8080),
			Timeout: metav1.Duration{Duration: 90 * time.Second},
		},
		Status: v1.MachineStatus{
			ObservedGeneration: int64(number%5 + 1),
			Phase:              "Running",
			Ready:              replicas,
			Conditions: []metav1.Condition{
				condition("Ready", "WorkersReady", fmt.Sprintf("%d of %d workers are ready", replicas, replicas), changed),
				condition("Available", "MinimumAvailable", "enough workers take work from the queue", changed),
				condition("Progressing", "RolloutComplete", "the latest revision is rolled out", changed),
			},
		},
	}
	return m
}

const namePrefix = "worker-"

// Name returns the name of the object with this number.
func Name(number int) string { return fmt.Sprintf("%s%06d", namePrefix, number) }

// ResourceVersion returns the resource version of the object with this number.
func ResourceVersion(number int) string { return fmt.Sprint(8_000_000 + number) }

func uid(number int) types.UID {
	return types.UID(fmt.Sprintf("5d8c1f0e-7a64-4b1b-9c3d-%012x", number))
}

func managed(by string, how metav1.ManagedFieldsOperationType, subresource string, at metav1.Time, fields string) metav1.ManagedFieldsEntry {
	return metav1.ManagedFieldsEntry{
		Manager:     by,
		Operation:   how,
		APIVersion:  "fleet.example.com/v1",
		Time:        &at,
		FieldsType:  "FieldsV1",
		FieldsV1:    metav1.NewFieldsV1(fields),
		Subresource: subresource,
	}
}

func condition(kind, reason, message string, at metav1.Time) metav1.Condition {
	return metav1.Condition{
		Type: kind, Status: metav1.ConditionTrue, ObservedGeneration: 1,
		LastTransitionTime: at, Reason: reason, Message: message,
	}
}

func pointer[T any](v T) *T { return &v }
