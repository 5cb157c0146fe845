package kinds

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// disabled are the fields of features that are off by default, by the type of their struct: the real server removes them
// from what is written, without an error.
var disabled = map[string]string{
	"core/v1.PodSpec":                       "SchedulingGroup EvictionResponders",
	"core/v1.PodStatus":                     "VolumeHealth NodeAllocatableResourceClaimStatuses",
	"core/v1.GRPCAction":                    "Mode",
	"core/v1.HTTPGetAction":                 "Protocol",
	"core/v1.VolumeMount":                   "BindMountOptions",
	"core/v1.VolumeMountStatus":             "VolumeStatus",
	"core/v1.Lifecycle":                     "StopSignal",
	"core/v1.EmptyDirVolumeSource":          "Mode",
	"core/v1.SecretVolumeSource":            "DefaultUser",
	"core/v1.ConfigMapVolumeSource":         "DefaultUser",
	"core/v1.DownwardAPIVolumeSource":       "DefaultUser",
	"core/v1.ProjectedVolumeSource":         "DefaultUser",
	"core/v1.KeyToPath":                     "User",
	"core/v1.DownwardAPIVolumeFile":         "User",
	"core/v1.ServiceAccountTokenProjection": "User",
	"core/v1.ClusterTrustBundleProjection":  "User",
	"core/v1.PodCertificateProjection":      "User",
	"core/v1.PersistentVolumeClaimStatus":   "HealthStatus",
	"core/v1.NodeSpec":                      "ConfigSource PodPreemptionPolicy",
	"core/v1.NodeStatus":                    "Config",
	"batch/v1.JobSpec":                      "Scheduling",
	"coordination/v1.LeaseSpec":             "Strategy PreferredHolder",

	"storage/v1.CSINodeStatus":                  "StorageHealth",
	"resource/v1.ResourceSliceSpec":             "PartitionTypeAttribute SkipNodeOperations",
	"resource/v1.Device":                        "NodeAllocatableResources",
	"resource/v1.DeviceAttribute":               "IntValues BoolValues StringValues VersionValues",
	"resource/v1.DeviceCounterConsumption":      "CompatibilityGroups",
	"resource/v1.ExactDeviceRequest":            "DerivedAttributes",
	"resource/v1.DeviceSubRequest":              "DerivedAttributes",
	"resource/v1.DeviceRequestAllocationResult": "SkipNodeOperations",
}

// DropDisabled removes the fields of features that are off from an object. The claims of a stateful set keep them, as on the
// real server.
func DropDisabled(obj runtime.Object) {
	v := reflect.ValueOf(obj)
	if s, ok := obj.(*appsv1.StatefulSet); ok {
		v = reflect.ValueOf(&s.Spec.Template)
	}
	if v.Kind() == reflect.Pointer && hasDisabled(v.Type()) {
		dropDisabled(v)
	}
}

func dropDisabled(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			dropDisabled(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			dropDisabled(v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			item := reflect.New(v.Type().Elem()).Elem() // that of a map cannot be modified
			item.Set(v.MapIndex(key))
			dropDisabled(item)
			v.SetMapIndex(key, item)
		}
	case reflect.Struct:
		dropWhole(v)
		for name := range strings.FieldsSeq(disabled[typeName(v.Type())]) {
			v.FieldByName(name).SetZero()
		}
		for i := range v.NumField() {
			if hasDisabled(v.Type().Field(i).Type) {
				dropDisabled(v.Field(i))
			}
		}
	}
}

// dropWhole removes what the real server does not leave behind without a disabled field: a lifecycle of nothing else, and
// the source of a claim in another namespace.
func dropWhole(v reflect.Value) {
	switch o := v.Addr().Interface().(type) {
	case *corev1.Container:
		if l := o.Lifecycle; l != nil && l.StopSignal != nil && l.PostStart == nil && l.PreStop == nil {
			o.Lifecycle = nil
		}
	case *corev1.PersistentVolumeClaimSpec:
		if r := o.DataSourceRef; r != nil && r.Namespace != nil && *r.Namespace != "" {
			o.DataSourceRef = nil
		}
	}
}

// withDisabled contains whether there are disabled fields in a type.
var withDisabled sync.Map

func hasDisabled(t reflect.Type) bool {
	if known, ok := withDisabled.Load(t); ok {
		return known.(bool)
	}
	has := containsDisabled(t, nil)
	withDisabled.Store(t, has)
	return has
}

func containsDisabled(t reflect.Type, inside []reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return containsDisabled(t.Elem(), inside)
	case reflect.Struct:
	default:
		return false
	}
	if slices.Contains(inside, t) {
		return false
	}
	if disabled[typeName(t)] != "" || t == reflect.TypeFor[corev1.PersistentVolumeClaimSpec]() {
		return true
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && containsDisabled(f.Type, append(inside, t)) {
			return true
		}
	}
	return false
}

func typeName(t reflect.Type) string {
	return strings.TrimPrefix(t.PkgPath(), "k8s.io/api/") + "." + t.Name()
}
