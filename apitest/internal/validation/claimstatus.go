package validation

import (
	"context"
	"reflect"
	"slices"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/api/validate"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/types"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var claimStatusChecks = map[string]check{
	"claim-status": claimStatus,
	// What the real server's types declare is checked of an allocation that does not change, too.
	"declared": func(p place) field.ErrorList { return p.visit(p, true) },
	"allocated-once": changed(func(now, was *resourcev1.ResourceClaimStatus, at *field.Path) field.ErrorList {
		if now.Allocation == nil || was.Allocation == nil || equality.Semantic.DeepEqual(now.Allocation, was.Allocation) {
			return nil
		}
		return field.ErrorList{field.Invalid(at.Child("allocation"), nil, "field cannot be modified once set")}
	}),
	"unique-users": uniqueNames(func(r resourcev1.ResourceClaimConsumerReference) (string, any) { return string(r.UID), r }),
	"unique-allocated": of(func(list *[]resourcev1.AllocatedDeviceStatus, at *field.Path) field.ErrorList {
		var errs field.ErrorList
		for i, d := range *list {
			if slices.ContainsFunc((*list)[:i], func(before resourcev1.AllocatedDeviceStatus) bool { return idOf(before) == idOf(d) }) {
				errs = append(errs, field.Duplicate(at.Index(i), d))
			}
		}
		return errs
	}),
	"uuid": of(func(id *string, at *field.Path) field.ErrorList {
		return validate.UUID(context.Background(), operation.Operation{}, at, id, nil)
	}),
	"share-id": of(func(id *types.UID, at *field.Path) field.ErrorList {
		return validate.UUID(context.Background(), operation.Operation{}, at, id, nil)
	}),
	"pool-path": of(func(name *string, at *field.Path) field.ErrorList {
		return validate.ResourcePoolName(context.Background(), operation.Operation{}, at, name, nil)
	}),
}

// A deviceID identifies a device, or a share of it, that a claim has. Messages show it.
type deviceID struct{ Driver, Pool, Device, ShareID string }

func idOf(d resourcev1.AllocatedDeviceStatus) deviceID {
	id := deviceID{Driver: d.Driver, Pool: d.Pool, Device: d.Device}
	if d.ShareID != nil {
		id.ShareID = *d.ShareID
	}
	return id
}

// claimStatus checks the status of a claim. What the real server's types declare, rows check later.
func claimStatus(p place) field.ErrorList {
	claim, was := pointerTo[resourcev1.ResourceClaim](p.value), pointerTo[resourcev1.ResourceClaim](p.old)
	s, at := &claim.Status, field.NewPath("status")
	var errs field.ErrorList
	for i, user := range atMost(s.ReservedFor, resourcev1.ResourceClaimReservedForMaxSize) {
		for _, f := range []struct{ name, value string }{{"resource", user.Resource}, {"name", user.Name}, {"uid", string(user.UID)}} {
			if f.value == "" {
				errs = append(errs, field.Required(at.Child("reservedFor").Index(i).Child(f.name), ""))
			}
		}
	}
	var allocated []deviceID
	if s.Allocation != nil {
		for _, r := range s.Allocation.Devices.Results {
			allocated = append(allocated, idOf(resourcev1.AllocatedDeviceStatus{Driver: r.Driver, Pool: r.Pool, Device: r.Device, ShareID: (*string)(r.ShareID)}))
		}
	}
	for i := range s.Devices {
		errs = append(errs, allocatedDevice(&s.Devices[i], allocated, at.Child("devices").Index(i))...)
	}
	if users := at.Child("reservedFor"); len(s.ReservedFor) > 0 {
		if s.Allocation == nil {
			errs = append(errs, field.Forbidden(users, "may not be specified when `allocated` is not set"))
		} else if claim.DeletionTimestamp != nil && slices.ContainsFunc(s.ReservedFor, func(r resourcev1.ResourceClaimConsumerReference) bool {
			return !slices.Contains(was.Status.ReservedFor, r)
		}) {
			errs = append(errs, field.Forbidden(users, "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set"))
		}
	}
	if s.Allocation != nil && was.Status.Allocation == nil {
		errs = append(errs, allocation(claim, at.Child("allocation"), p.visit)...)
	}
	return errs
}

// atMost returns a list, or none if it is longer than it may be, which rows report.
func atMost[T any](list []T, n int) []T {
	if len(list) > n {
		return nil
	}
	return list
}

// allocatedDevice checks what a driver says about a device of a claim.
func allocatedDevice(d *resourcev1.AllocatedDeviceStatus, allocated []deviceID, at *field.Path) field.ErrorList {
	const conditions, longest, addresses = 8, 10 * 1024, 16
	errs := driverName(d.Driver, at.Child("driver"))
	errs = append(errs, poolName(d.Pool, at.Child("pool"))...)
	errs = append(errs, invalid(at.Child("device"), d.Device, utilvalidation.IsDNS1123Label(d.Device))...)
	if id := idOf(*d); !slices.Contains(allocated, id) {
		errs = append(errs, field.Invalid(at, id, "must be an allocated device in the claim"))
	}
	if len(d.Conditions) > conditions {
		errs = append(errs, field.TooMany(at.Child("conditions"), len(d.Conditions), conditions))
	}
	errs = append(errs, metavalidation.ValidateConditions(d.Conditions, at.Child("conditions"))...)
	if d.Data != nil && len(d.Data.Raw) > 0 {
		errs = append(errs, rawObject(d.Data.Raw, longest, at.Child("data"))...)
	}
	if n := d.NetworkData; n != nil {
		for i, ip := range atMost(n.IPs, addresses) {
			errs = append(errs, utilvalidation.IsValidInterfaceAddress(at.Child("networkData", "ips").Index(i), ip)...)
		}
	}
	return errs
}

// allocation checks the devices that the scheduler gives a claim.
func allocation(claim *resourcev1.ResourceClaim, at *field.Path, visit func(place, bool) field.ErrorList) field.ErrorList {
	a, devices := claim.Status.Allocation, at.Child("devices")
	names := requestsOf(&claim.Spec.Devices)
	var errs field.ErrorList
	for i, r := range atMost(a.Devices.Results, 32) {
		result := devices.Child("results").Index(i)
		errs = append(errs, requestReference(r.Request, names, result.Child("request"))...)
		errs = append(errs, invalid(result.Child("device"), r.Device, utilvalidation.IsDNS1123Label(r.Device))...)
		errs = append(errs, bindingConditions(r.BindingConditions, r.BindingFailureConditions, result)...)
		for j := range r.Tolerations {
			errs = append(errs, deviceToleration(&r.Tolerations[j], result.Child("tolerations").Index(j))...)
		}
	}
	for i, c := range atMost(a.Devices.Config, 64) {
		config := devices.Child("config").Index(i)
		for j, name := range atMost(c.Requests, resourcev1.DeviceRequestsMaxSize) {
			errs = append(errs, requestReference(name, names, config.Child("requests").Index(j))...)
		}
		errs = append(errs, visit(place{path: config, value: reflect.ValueOf(&c.DeviceConfiguration)}, false)...)
	}
	if a.NodeSelector != nil {
		errs = append(errs, visit(place{path: at.Child("nodeSelector"), value: reflect.ValueOf(a.NodeSelector)}, false)...)
	}
	return errs
}
