package validation

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/api/validate"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/runtime"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var deviceChecks = map[string]check{
	"one-request": of(func(r *resourcev1.DeviceRequest, at *field.Path) field.ErrorList {
		const one = "exactly one of `exactly` or `firstAvailable` is required"
		switch first := len(r.FirstAvailable) > 0; {
		case r.Exactly == nil && !first:
			return field.ErrorList{field.Required(at, one)}
		case r.Exactly != nil && first:
			return field.ErrorList{field.Invalid(at, nil, one+", but multiple fields are set")}
		}
		return nil
	}),
	"exact-count": of(func(r *resourcev1.ExactDeviceRequest, at *field.Path) field.ErrorList {
		return deviceCount(r.AllocationMode, r.Count, at.Child("count"))
	}),
	"sub-count": of(func(r *resourcev1.DeviceSubRequest, at *field.Path) field.ErrorList {
		return deviceCount(r.AllocationMode, r.Count, at.Child("count"))
	}),
	"request-references": of(requestReferences),
	"one-attribute": of(func(c *resourcev1.DeviceConstraint, at *field.Path) field.ErrorList {
		if c.MatchAttribute == nil && c.DistinctAttribute == nil {
			return field.ErrorList{field.Required(at, `exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set`)}
		}
		return nil
	}),
	"unique-requests":    uniqueNames(func(r resourcev1.DeviceRequest) (string, any) { return r.Name, r }),
	"unique-subrequests": uniqueNames(func(r resourcev1.DeviceSubRequest) (string, any) { return r.Name, r }),
	"unique-devices":     uniqueNames(func(d resourcev1.Device) (string, any) { return d.Name, d.Name }),
	"device-name": of(func(name *string, at *field.Path) field.ErrorList {
		return invalid(at, *name, utilvalidation.IsDNS1123Label(*name))
	}),
	"device-toleration": of(deviceToleration),
	"pool-name":         of(func(name *string, at *field.Path) field.ErrorList { return poolName(*name, at) }),
	"driver-name":       of(func(name *string, at *field.Path) field.ErrorList { return driverName(*name, at) }),
	"slice-remains": changed(func(now, was *resourcev1.ResourceSliceSpec, at *field.Path) field.ErrorList {
		errs := validation.ValidateImmutableField(now.Pool.Name, was.Pool.Name, at.Child("pool", "name"))
		errs = append(errs, validation.ValidateImmutableField(now.Driver, was.Driver, at.Child("driver"))...)
		return append(errs, validation.ValidateImmutableField(deref(now.NodeName), deref(was.NodeName), at.Child("nodeName"))...)
	}),
	"slice-nodes": sliceNodes,
	"request-name": of(func(name *string, at *field.Path) field.ErrorList {
		return invalid(at, *name, utilvalidation.IsDNS1123Label(*name))
	}),
	"attribute-name": of(func(name *resourcev1.FullyQualifiedName, at *field.Path) field.ErrorList {
		return validate.ResourceFullyQualifiedName(context.Background(), operation.Operation{}, at, name, nil)
	}),
	"object": of(func(raw *runtime.RawExtension, at *field.Path) field.ErrorList {
		return rawObject(raw.Raw, 10*1024, at)
	}),
	"extended-resource": of(func(name *string, at *field.Path) field.ErrorList {
		return validate.ExtendedResourceName(context.Background(), operation.Operation{}, at, name, nil)
	}),
	"template-fixed": changed(func(now, was *resourcev1.ResourceClaimTemplate, _ *field.Path) field.ErrorList {
		if equality.Semantic.DeepEqual(now.Spec, was.Spec) {
			return nil
		}
		return field.ErrorList{field.Invalid(field.NewPath("spec"), internal{now.Spec}, validation.FieldImmutableErrorMsg)}
	}),
}

func deviceCount(mode resourcev1.DeviceAllocationMode, count int64, at *field.Path) field.ErrorList {
	switch {
	case mode == resourcev1.DeviceAllocationModeAll && count != 0:
		return field.ErrorList{field.Invalid(at, count, fmt.Sprintf("must not be specified when allocationMode is '%s'", mode))}
	case mode == resourcev1.DeviceAllocationModeExactCount && count <= 0:
		return field.ErrorList{field.Invalid(at, count, "must be greater than zero")}
	}
	return nil
}

// uniqueNames returns a check for items with the name of one before. name returns it, and the value for the message.
func uniqueNames[T any](name func(T) (string, any)) check {
	return of(func(list *[]T, at *field.Path) field.ErrorList {
		var errs field.ErrorList
		seen := map[string]bool{}
		for i, item := range *list {
			name, value := name(item)
			if seen[name] {
				errs = append(errs, field.Duplicate(at.Index(i), value))
			}
			seen[name] = true
		}
		return errs
	})
}

// requestReferences checks that constraints and configurations name requests of the claim.
func requestReferences(c *resourcev1.DeviceClaim, at *field.Path) field.ErrorList {
	names := requestsOf(c)
	var errs field.ErrorList
	check := func(list []string, at *field.Path) {
		for i, name := range atMost(list, resourcev1.DeviceRequestsMaxSize) {
			errs = append(errs, requestReference(name, names, at.Index(i))...)
		}
	}
	for i, constraint := range atMost(c.Constraints, resourcev1.DeviceConstraintsMaxSize) {
		check(constraint.Requests, at.Child("constraints").Index(i).Child("requests"))
	}
	for i, config := range atMost(c.Config, resourcev1.DeviceConfigMaxSize) {
		check(config.Requests, at.Child("config").Index(i).Child("requests"))
	}
	return errs
}

// requestsOf returns the names of a claim's requests and of their alternatives.
func requestsOf(c *resourcev1.DeviceClaim) []string {
	var names []string
	for _, r := range c.Requests {
		names = append(names, r.Name)
		for _, sub := range r.FirstAvailable {
			names = append(names, r.Name+"/"+sub.Name)
		}
	}
	return names
}

func requestReference(name string, names []string, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if parts := strings.Split(name, "/"); len(parts) <= 2 {
		for _, part := range parts {
			errs = append(errs, invalid(at, part, utilvalidation.IsDNS1123Label(part))...)
		}
	}
	if !slices.Contains(names, name) {
		errs = append(errs, field.Invalid(at, name,
			"must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"))
	}
	return errs
}

func deviceToleration(t *resourcev1.DeviceToleration, at *field.Path) field.ErrorList {
	switch t.Operator {
	case resourcev1.DeviceTolerationOpExists:
		if t.Value != "" {
			return field.ErrorList{field.Invalid(at.Child("value"), t.Value, "must be empty for operator `Exists`")}
		}
	case resourcev1.DeviceTolerationOpEqual:
		return invalid(at.Child("value"), t.Value, utilvalidation.IsValidLabelValue(t.Value))
	}
	return nil
}

func poolName(name string, at *field.Path) field.ErrorList {
	if name == "" {
		return field.ErrorList{field.Required(at, "")}
	}
	var errs field.ErrorList
	if len(name) > utilvalidation.DNS1123SubdomainMaxLength {
		errs = append(errs, field.TooLong(at, "", utilvalidation.DNS1123SubdomainMaxLength))
	}
	for part := range strings.SplitSeq(name, "/") {
		errs = append(errs, invalid(at, part, utilvalidation.IsDNS1123Subdomain(part))...)
	}
	return errs
}

// rawObject checks that data are an object in JSON, and not too long.
func rawObject(data []byte, longest int, at *field.Path) field.ErrorList {
	switch {
	case len(data) == 0:
		return field.ErrorList{field.Required(at, "")}
	case len(data) > longest:
		return field.ErrorList{field.TooLong(at, "", longest)}
	}
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return field.ErrorList{field.Invalid(at, "<value omitted>", fmt.Sprintf("error parsing data as JSON: %v", err))}
	}
	if value == nil {
		return field.ErrorList{field.Required(at, "")}
	}
	if _, ok := value.(map[string]any); !ok {
		return field.ErrorList{field.Invalid(at, "<value omitted>", "must be a valid JSON object")}
	}
	return nil
}

// sliceNodes checks that one field determines from which nodes the devices of a slice can be used.
func sliceNodes(p place) field.ErrorList {
	s, at := pointerTo[resourcev1.ResourceSliceSpec](p.value), p.path
	const needed = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required"
	var errs field.ErrorList
	var set []string
	if s.NodeName != nil {
		if *s.NodeName == "" {
			errs = append(errs, field.Invalid(at.Child("nodeName"), "", "must be either unset or set to a non-empty string"))
		} else {
			set = append(set, "`nodeName`")
			errs = append(errs, invalid(at.Child("nodeName"), *s.NodeName, utilvalidation.IsDNS1123Subdomain(*s.NodeName))...)
		}
	}
	if s.NodeSelector != nil {
		set = append(set, "`nodeSelector`")
		errs = append(errs, p.visit(place{path: at.Child("nodeSelector"), value: reflect.ValueOf(s.NodeSelector)}, false)...)
		if n := len(s.NodeSelector.NodeSelectorTerms); n != 1 {
			errs = append(errs, field.Invalid(at.Child("nodeSelector", "nodeSelectorTerms"), internal{s.NodeSelector.NodeSelectorTerms}, "must have exactly one node selector term"))
		}
	}
	for _, f := range []struct {
		name  string
		value *bool
	}{{"allNodes", s.AllNodes}, {"perDeviceNodeSelection", s.PerDeviceNodeSelection}} {
		switch {
		case f.value == nil:
		case *f.value:
			set = append(set, "`"+f.name+"`")
		default:
			errs = append(errs, field.Invalid(at.Child(f.name), false, "must be either unset or set to true"))
		}
	}
	switch len(set) {
	case 0:
		errs = append(errs, field.Required(at, needed))
	case 1:
	default:
		errs = append(errs, field.Invalid(at, fmt.Sprintf("{%s}", strings.Join(set, ", ")), needed+", but multiple fields are set"))
	}
	if s.SharedCounters != nil && s.Devices != nil {
		errs = append(errs, field.Invalid(at, "", "only one of `sharedCounters` or `devices` is allowed"))
	}
	return errs
}
