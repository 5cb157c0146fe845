package validation

import (
	"fmt"
	"math"
	"slices"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// capacity checks the policy of a device's capacity. Only if several allocations share it, requests can ask for a part.
func capacity(c resourcev1.DeviceCapacity, shared bool, at *field.Path) field.ErrorList {
	policy, at := c.RequestPolicy, at.Child("requestPolicy")
	if policy == nil {
		return nil
	}
	values, limits := len(policy.ValidValues) > 0, policy.ValidRange != nil
	switch {
	case !shared:
		return field.ErrorList{field.Forbidden(at, "allowMultipleAllocations must be true")}
	case values && limits:
		return field.ErrorList{field.Forbidden(at, `exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time`)}
	case values && policy.Default == nil:
		return field.ErrorList{field.Required(at.Child("default"), "required when validValues is defined")}
	case values:
		return requestValues(policy, c.Value, at.Child("validValues"))
	case limits && policy.Default == nil:
		return field.ErrorList{field.Required(at.Child("default"), "required when validRange is defined")}
	case limits:
		return requestRange(policy.ValidRange, *policy.Default, c.Value, at.Child("validRange"))
	}
	return nil
}

// requestValues checks the values that a request can have: the default is one of them.
func requestValues(policy *resourcev1.CapacityRequestPolicy, most resource.Quantity, at *field.Path) field.ErrorList {
	const longest = 10
	values, usual := policy.ValidValues, *policy.Default
	var errs field.ErrorList
	for i := 1; i < len(values); i++ {
		if values[i-1].Cmp(values[i]) > 0 {
			errs = append(errs, field.Invalid(at.Index(i), values[i].String(), "values must be sorted in ascending order"))
		}
	}
	found := false
	if len(values) > longest {
		errs = append(errs, field.TooMany(at, len(values), longest))
		values = nil
	}
	for i, v := range values {
		if v.Cmp(most) > 0 {
			errs = append(errs, field.Invalid(at.Index(i), v.String(), "option is larger than capacity value: "+most.String()))
		}
		found = found || v.Cmp(usual) == 0
	}
	for i, v := range values {
		// Fractions count as the next whole number.
		if slices.ContainsFunc(values[:i], func(before resource.Quantity) bool { return before.Value() == v.Value() }) {
			errs = append(errs, field.Duplicate(at.Index(i), fmt.Sprint(v.Value())))
		}
	}
	if !found {
		errs = append(errs, field.Invalid(at, usual.String(), "default value is not valid according to the requestPolicy"))
	}
	return errs
}

// requestRange checks the limits of a request, and the steps between them.
func requestRange(r *resourcev1.CapacityRequestPolicyRange, usual, most resource.Quantity, at *field.Path) field.ErrorList {
	least := r.Min
	if least == nil {
		return field.ErrorList{field.Required(at.Child("min"), "required when validRange is defined")}
	}
	var errs field.ErrorList
	wrong := func(when bool, name string, value resource.Quantity, text string, limit resource.Quantity) {
		if when {
			errs = append(errs, field.Invalid(at.Child(name), value.String(), text+limit.String()))
		}
	}
	wrong(least.Cmp(most) > 0, "min", *least, "min is larger than capacity value: ", most)
	wrong(usual.Cmp(*least) < 0, "default", usual, "default is less than min: ", *least)
	if r.Max != nil {
		wrong(least.Cmp(*r.Max) > 0, "max", *least, "min is larger than max: ", *r.Max)
		wrong(r.Max.Cmp(most) > 0, "max", *r.Max, "max is larger than capacity value: ", most)
		wrong(usual.Cmp(*r.Max) > 0, "default", usual, "default is more than max: ", *r.Max)
	}
	if r.Step == nil {
		return errs
	}
	step := at.Child("step")
	if r.Step.Sign() <= 0 {
		return append(errs, field.Invalid(step, r.Step.String(), "must be greater than zero"))
	}
	second := least.DeepCopy()
	second.Add(*r.Step)
	if second.Cmp(most) > 0 {
		errs = append(errs, field.Invalid(step, r.Step.String(), fmt.Sprintf("one step %s is larger than capacity value: %s", &second, &most)))
	}
	var unsafe field.ErrorList
	for _, f := range []struct {
		name  string
		value *resource.Quantity
	}{{"default", &usual}, {"min", least}, {"max", r.Max}, {"step", r.Step}} {
		unsafe = append(unsafe, countable(f.value, at.Child(f.name))...)
	}
	if len(unsafe) > 0 {
		return append(errs, unsafe...)
	}
	for _, value := range []*resource.Quantity{&usual, r.Max} {
		if value != nil && (value.Value()-least.Value())%r.Step.Value() != 0 {
			errs = append(errs, field.Invalid(step, value.String(), fmt.Sprintf("value is not a multiple of a given step (%s) from (%s)", r.Step, least)))
		}
	}
	return errs
}

// countable checks that a quantity fits into a number that is not negative.
func countable(q *resource.Quantity, at *field.Path) field.ErrorList {
	switch {
	case q == nil:
		return nil
	case q.Sign() < 0:
		return field.ErrorList{field.Invalid(at, q.String(), validation.IsNegativeErrorMsg)}
	case q.CmpInt64(math.MaxInt64) > 0:
		return field.ErrorList{field.Invalid(at, q.String(), "must not be larger than 9223372036854775807")}
	}
	return nil
}
