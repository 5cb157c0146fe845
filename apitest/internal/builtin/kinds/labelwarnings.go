package kinds

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	nodev1 "k8s.io/api/node/v1"
	resourcev1 "k8s.io/api/resource/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// warnStorageClass warns of topologies by labels of nodes that have other names now.
func warnStorageClass(obj, _ runtime.Object) []string {
	var out []string
	for i, t := range obj.(*storagev1.StorageClass).AllowedTopologies {
		for j, e := range t.MatchLabelExpressions {
			if text, ok := deprecatedLabels[e.Key]; ok {
				out = append(out, fmt.Sprintf("allowedTopologies[%d].matchLabelExpressions[%d].key: %s", i, j, text))
			}
		}
	}
	return out
}

// warnRuntimeClass warns of nodes that are selected by labels that have other names now.
func warnRuntimeClass(obj, _ runtime.Object) []string {
	scheduling := obj.(*nodev1.RuntimeClass).Scheduling
	if scheduling == nil {
		return nil
	}
	var out []string
	for _, key := range slices.Sorted(maps.Keys(scheduling.NodeSelector)) {
		if text, ok := deprecatedLabels[key]; ok {
			out = append(out, "scheduling.nodeSelector: "+text)
		}
	}
	return out
}

// warnCapacity warns of a capacity on nodes that are selected by labels that have other names now.
func warnCapacity(obj, _ runtime.Object) []string {
	topology, at := obj.(*storagev1.CSIStorageCapacity).NodeTopology, field.NewPath("nodeTopology")
	if topology == nil {
		return nil
	}
	var out []string
	for i, e := range topology.MatchExpressions {
		if text, ok := deprecatedLabels[e.Key]; ok {
			out = append(out, fmt.Sprintf("%s: %s is %s", at.Child("matchExpressions").Index(i).Child("key"), e.Key, text))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(topology.MatchLabels)) {
		if text, ok := deprecatedLabels[key]; ok {
			out = append(out, fmt.Sprintf("%s: %s", at.Child("matchLabels", key), text))
		}
	}
	return out
}

// warnSlice warns of the name of a driver.
func warnSlice(obj, _ runtime.Object) []string {
	driver := obj.(*resourcev1.ResourceSlice).Spec.Driver
	if driver == strings.ToLower(driver) {
		return nil
	}
	return []string{fmt.Sprintf("spec.driver: driver names should be lowercase; %q contains uppercase characters", driver)}
}
