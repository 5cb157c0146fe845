package kinds

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	storagev1 "k8s.io/api/storage/v1"
)

func TestDropDisabled(t *testing.T) {
	d := &appsv1.Deployment{Spec: appsv1.DeploymentSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
		SchedulingGroup: &corev1.PodSchedulingGroup{},
		Hostname:        "kept",
		Containers: []corev1.Container{
			{Name: "a", Lifecycle: &corev1.Lifecycle{StopSignal: new(corev1.SIGTERM)}},
			{Name: "b", LivenessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{GRPC: &corev1.GRPCAction{Port: 1, Mode: new(corev1.GRPCProbeMode)}}}},
		},
	}}}}
	want := &appsv1.Deployment{Spec: appsv1.DeploymentSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
		Hostname: "kept",
		Containers: []corev1.Container{
			{Name: "a"},
			{Name: "b", LivenessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{GRPC: &corev1.GRPCAction{Port: 1}}}},
		},
	}}}}
	if DropDisabled(d); !reflect.DeepEqual(d, want) {
		t.Error(cmp.Diff(want, d))
	}
}

// The table names fields that exist.
func TestDisabledFields(t *testing.T) {
	found := map[string]bool{}
	var visit func(reflect.Type)
	seen := map[reflect.Type]bool{}
	visit = func(typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			visit(typ.Elem())
		case reflect.Struct:
			if seen[typ] {
				return
			}
			seen[typ] = true
			for name := range strings.FieldsSeq(disabled[typeName(typ)]) {
				found[typeName(typ)] = true
				if _, ok := typ.FieldByName(name); !ok {
					t.Errorf("%s has no field %s", typ, name)
				}
			}
			for i := range typ.NumField() {
				visit(typ.Field(i).Type)
			}
		}
	}
	for _, example := range []any{
		corev1.Pod{}, corev1.Node{}, corev1.PersistentVolumeClaim{}, batchv1.Job{}, coordinationv1.Lease{},
		resourcev1.ResourceSlice{}, resourcev1.ResourceClaim{}, storagev1.CSINode{},
	} {
		visit(reflect.TypeOf(example))
	}
	for name := range disabled {
		if !found[name] {
			t.Errorf("there is no type %s", name)
		}
	}
}
