package validation

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validate/content"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var deviceSliceChecks = map[string]check{
	"slice-devices": sliceDevices,
	"one-value": of(func(a *resourcev1.DeviceAttribute, at *field.Path) field.ErrorList {
		const members = "`int`, `bool`, `string`, `version`, `ints`, `bools`, `strings`, `versions`"
		var set []string
		for _, f := range fieldsOf(reflect.TypeOf(*a)) {
			if !reflect.ValueOf(*a).FieldByIndex(f.index).IsZero() {
				set = append(set, f.name)
			}
		}
		switch len(set) {
		case 0:
			return field.ErrorList{field.Invalid(at, "", "must specify one of: "+members)}
		case 1:
			return nil
		}
		return field.ErrorList{field.Invalid(at, "{"+strings.Join(set, ", ")+"}", "must specify exactly one of: "+members)}
	}),
	"counter-names": of(func(counters *map[string]resourcev1.Counter, at *field.Path) field.ErrorList {
		var errs field.ErrorList
		for _, name := range slices.Sorted(maps.Keys(*counters)) {
			errs = append(errs, invalid(at, name, utilvalidation.IsDNS1123Label(name))...)
		}
		return errs
	}),
	"unique-counter-sets": uniqueNames(func(s resourcev1.CounterSet) (string, any) { return s.Name, s }),
	"unique-consumed":     uniqueNames(func(c resourcev1.DeviceCounterConsumption) (string, any) { return c.CounterSet, c }),
	"device-taint": of(func(t *resourcev1.DeviceTaint, at *field.Path) field.ErrorList {
		return deviceTaint(t, at)
	}),
}

// sliceDevices checks the devices of a slice. What the real server's types declare, rows check later.
func sliceDevices(p place) field.ErrorList {
	s := pointerTo[resourcev1.ResourceSliceSpec](p.value)
	at := p.path.Child("devices")
	most := 128
	if slices.ContainsFunc(s.Devices, func(d resourcev1.Device) bool { return len(d.Taints) > 0 || len(d.ConsumesCounters) > 0 }) {
		most = 64
	}
	if len(s.Devices) > most {
		return field.ErrorList{field.TooMany(at, len(s.Devices), most)}
	}
	var errs field.ErrorList
	for i := range s.Devices {
		d := &s.Devices[i]
		var was *resourcev1.Device
		if p.old.IsValid() {
			before := pointerTo[resourcev1.ResourceSliceSpec](p.old).Devices
			if k := slices.IndexFunc(before, func(o resourcev1.Device) bool { return o.Name == d.Name }); k >= 0 {
				was = &before[k]
			}
		}
		errs = append(errs, device(d, was, at.Index(i))...)
		errs = append(errs, deviceNodes(d, s.PerDeviceNodeSelection != nil && *s.PerDeviceNodeSelection, at.Index(i), p.visit)...)
		errs = append(errs, bindingConditions(d.BindingConditions, d.BindingFailureConditions, at.Index(i))...)
	}
	return errs
}

// device checks a device, except where it is. Capacity and taints that it had before are not checked again.
func device(d, was *resourcev1.Device, at *field.Path) field.ErrorList {
	const most = 32
	errs := invalid(at.Child("name"), d.Name, utilvalidation.IsDNS1123Label(d.Name))
	if n := len(d.Attributes) + len(d.Capacity); n > most {
		errs = append(errs, field.Invalid(at, n, fmt.Sprintf("the total number of attributes and capacities must not exceed %d", most)))
	}
	for _, name := range slices.Sorted(maps.Keys(d.Attributes)) {
		errs = append(errs, qualifiedName(string(name), at.Child("attributes"))...)
		errs = append(errs, attributeValue(d.Attributes[name], at.Child("attributes").Key(shortened(string(name), 96)))...)
	}
	if was == nil || !equality.Semantic.DeepEqual(was.Capacity, d.Capacity) {
		for _, name := range slices.Sorted(maps.Keys(d.Capacity)) {
			errs = append(errs, qualifiedName(string(name), at.Child("capacity"))...)
			key := at.Child("capacity").Key(shortened(string(name), 96))
			errs = append(errs, capacity(d.Capacity[name], d.AllowMultipleAllocations != nil && *d.AllowMultipleAllocations, key)...)
		}
	}
	if was == nil || !equality.Semantic.DeepEqual(was.Taints, d.Taints) {
		const most = 16
		if len(d.Taints) > most {
			errs = append(errs, field.TooMany(at.Child("taints"), len(d.Taints), most))
		} else {
			for i := range d.Taints {
				errs = append(errs, deviceTaint(&d.Taints[i], at.Child("taints").Index(i))...)
			}
		}
	}
	return errs
}

// deviceTaint checks a taint, except its effect.
func deviceTaint(t *resourcev1.DeviceTaint, at *field.Path) field.ErrorList {
	errs := metavalidation.ValidateLabelName(t.Key, at.Child("key"))
	return append(errs, invalid(at.Child("value"), t.Value, utilvalidation.IsValidLabelValue(t.Value))...)
}

// deviceNodes checks the nodes from which a device can be used, which it says if the slice does not.
func deviceNodes(d *resourcev1.Device, here bool, at *field.Path, visit func(place, bool) field.ErrorList) field.ErrorList {
	const needed = "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec"
	if !here {
		if d.NodeName == nil && d.NodeSelector == nil && d.AllNodes == nil {
			return nil
		}
		return field.ErrorList{field.Invalid(at, nil, "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec")}
	}
	var errs field.ErrorList
	var set []string
	switch {
	case d.NodeName == nil:
	case *d.NodeName == "":
		errs = append(errs, field.Invalid(at.Child("nodeName"), "", "must not be empty"))
	default:
		set = append(set, "`nodeName`")
		errs = append(errs, invalid(at.Child("nodeName"), *d.NodeName, utilvalidation.IsDNS1123Subdomain(*d.NodeName))...)
	}
	if d.NodeSelector != nil {
		set = append(set, "`nodeSelector`")
		errs = append(errs, visit(place{path: at.Child("nodeSelector"), value: reflect.ValueOf(d.NodeSelector)}, false)...)
	}
	switch {
	case d.AllNodes == nil:
	case *d.AllNodes:
		set = append(set, "`allNodes`")
	default:
		errs = append(errs, field.Invalid(at.Child("allNodes"), false, "must be either unset or set to true"))
	}
	switch len(set) {
	case 0:
		errs = append(errs, field.Required(at, needed))
	case 1:
	default:
		errs = append(errs, field.Invalid(at, "{"+strings.Join(set, ", ")+"}", needed))
	}
	return errs
}

// bindingConditions checks the conditions that the scheduler waits for: those of success need those of failure.
func bindingConditions(conditions, failures []string, at *field.Path) field.ErrorList {
	ready, failed := at.Child("bindingConditions"), at.Child("bindingFailureConditions")
	var errs field.ErrorList
	for _, list := range []struct {
		at    *field.Path
		names []string
	}{{ready, conditions}, {failed, failures}} {
		for i, name := range atMost(list.names, 4) {
			errs = append(errs, metavalidation.ValidateLabelName(name, list.at.Index(i))...)
		}
	}
	for i, name := range conditions {
		if slices.Contains(conditions[:i], name) {
			errs = append(errs, field.Duplicate(ready.Index(i), name))
		}
	}
	for i, name := range failures {
		if slices.Contains(failures[:i], name) {
			errs = append(errs, field.Duplicate(failed.Index(i), name))
		}
		if slices.Contains(conditions, name) {
			errs = append(errs, field.Invalid(failed.Index(i), name, "bindingFailureConditions must not overlap with bindingConditions"))
		}
	}
	switch {
	case len(conditions) == 0 && len(failures) > 0:
		errs = append(errs, field.Invalid(ready, conditions, "bindingConditions are required to use bindingFailureConditions"))
	case len(failures) == 0 && len(conditions) > 0:
		errs = append(errs, field.Invalid(failed, failures, "bindingFailureConditions are required to use bindingConditions"))
	}
	return errs
}

// qualifiedName checks the name of an attribute or capacity: an identifier, after the name of a driver and a slash or
// without. Like the real server, it accepts anything with two slashes.
func qualifiedName(name string, at *field.Path) field.ErrorList {
	identifier := func(id string) field.ErrorList {
		var errs field.ErrorList
		if len(id) > resourcev1.DeviceMaxIDLength {
			errs = append(errs, field.TooLong(at, "", resourcev1.DeviceMaxIDLength))
		}
		return append(errs, invalid(at, id, content.IsCIdentifier(id))...)
	}
	domain, id, found := strings.Cut(name, "/")
	switch {
	case !found:
		return identifier(name)
	case strings.Contains(id, "/"):
		return nil
	}
	var errs field.ErrorList
	if domain == "" {
		errs = append(errs, field.Invalid(at, "", "the domain must not be empty"))
	} else {
		errs = append(errs, driverName(domain, at)...)
	}
	if id == "" {
		return append(errs, field.Invalid(at, "", "the name must not be empty"))
	}
	return append(errs, identifier(id)...)
}

// driverName checks the name of a driver, which is not empty.
func driverName(name string, at *field.Path) field.ErrorList {
	switch {
	case name == "":
		return field.ErrorList{field.Required(at, "")}
	case len(name) > 63:
		return field.ErrorList{field.TooLong(at, "", 63)}
	}
	return invalid(at, name, utilvalidation.IsDNS1123Subdomain(strings.ToLower(name)))
}

// semanticVersion matches what semver.org describes.
var semanticVersion = func() *regexp.Regexp {
	const number, part = `(0|[1-9]\d*)`, `[0-9A-Za-z-]+`
	const before = `(0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)`
	return regexp.MustCompile(`^` + number + `\.` + number + `\.` + number +
		`(-` + before + `(\.` + before + `)*)?(\+` + part + `(\.` + part + `)*)?$`)
}()

// attributeValue checks the texts of an attribute.
func attributeValue(a resourcev1.DeviceAttribute, at *field.Path) field.ErrorList {
	const longest = resourcev1.DeviceAttributeMaxValueLength
	var errs field.ErrorList
	if a.StringValue != nil && len(*a.StringValue) > longest {
		errs = append(errs, field.TooLong(at.Child("string"), "", longest))
	}
	if a.VersionValue != nil {
		if !semanticVersion.MatchString(*a.VersionValue) {
			errs = append(errs, field.Invalid(at.Child("version"), *a.VersionValue, "must be a string compatible with semver.org spec 2.0.0"))
		}
		if len(*a.VersionValue) > longest {
			errs = append(errs, field.TooLong(at.Child("version"), "", longest))
		}
	}
	return errs
}

// shortened returns a key as messages have it: without its middle if it is long.
func shortened(key string, longest int) string {
	if len(key) <= longest {
		return key
	}
	rest := longest - len("...")
	return key[:(rest+1)/2] + "..." + key[len(key)-rest/2:]
}
