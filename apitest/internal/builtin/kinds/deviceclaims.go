package kinds

import (
	"slices"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// deviceClaimRules are those of claims of devices: the status of a device goes with its allocation.
func deviceClaimRules(r *Rules) {
	r.PrepareStatus = func(obj, old runtime.Object) {
		now, was := &obj.(*resourcev1.ResourceClaim).Status, &old.(*resourcev1.ResourceClaim).Status
		now.Devices = slices.DeleteFunc(now.Devices, func(d resourcev1.AllocatedDeviceStatus) bool {
			return allocates(was, d) && !allocates(now, d)
		})
		if len(now.Devices) == 0 {
			now.Devices = nil
		}
	}
}

// allocates reports whether a device is allocated to a claim.
func allocates(s *resourcev1.ResourceClaimStatus, d resourcev1.AllocatedDeviceStatus) bool {
	return s.Allocation != nil && slices.ContainsFunc(s.Allocation.Devices.Results, func(r resourcev1.DeviceRequestAllocationResult) bool {
		share := ""
		if d.ShareID != nil {
			share = *d.ShareID
		}
		allocated := ""
		if r.ShareID != nil {
			allocated = string(*r.ShareID)
		}
		return r.Driver == d.Driver && r.Pool == d.Pool && r.Device == d.Device && allocated == share
	})
}
