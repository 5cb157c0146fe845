package quota

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The measures of claims of devices.

var deviceClaims = schema.GroupResource{Group: resourcev1.GroupName, Resource: "resourceclaims"}

const countOfClaims = "count/resourceclaims.resource.k8s.io"

func coversDevices(name corev1.ResourceName) bool {
	return name == countOfClaims || strings.HasSuffix(string(name), corev1.ResourceClaimsPerClass)
}

// usageOfDevices counts the devices of each class that a claim can get at most: of alternatives, one is chosen later.
func usageOfDevices(object runtime.Object) corev1.ResourceList {
	claim, ok := object.(*resourcev1.ResourceClaim)
	if !ok {
		return nil
	}
	usage := corev1.ResourceList{countOfClaims: count(1)}
	for _, r := range claim.Spec.Devices.Requests {
		most := corev1.ResourceList{}
		take := func(class string, mode resourcev1.DeviceAllocationMode, n int64) {
			if mode == resourcev1.DeviceAllocationModeAll {
				n = resourcev1.AllocationResultsMaxSize
			}
			name := corev1.ResourceName(class + corev1.ResourceClaimsPerClass)
			if q := *resource.NewQuantity(n, resource.DecimalSI); q.Cmp(most[name]) > 0 {
				most[name] = q
			}
		}
		if e := r.Exactly; e != nil {
			take(e.DeviceClassName, e.AllocationMode, e.Count)
		}
		for _, s := range r.FirstAvailable {
			take(s.DeviceClassName, s.AllocationMode, s.Count)
		}
		for name, q := range most {
			sum := usage[name]
			sum.Add(q)
			usage[name] = sum
		}
	}
	return usage
}
