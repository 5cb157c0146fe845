package validation

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// limitTypes are the kinds of limits that need no domain.
var limitTypes = []corev1.LimitType{corev1.LimitTypePod, corev1.LimitTypeContainer, corev1.LimitTypePersistentVolumeClaim}

func limitKinds(list *[]corev1.LimitRangeItem, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	seen := map[corev1.LimitType]bool{}
	for i := range *list {
		item, of := &(*list)[i], at.Index(i)
		found := invalid(of.Child("type"), item.Type, utilvalidation.IsQualifiedName(string(item.Type)))
		if len(found) == 0 && !strings.Contains(string(item.Type), "/") && !slices.Contains(limitTypes, item.Type) {
			found = field.ErrorList{field.Invalid(of.Child("type"), item.Type, "must be a standard limit type or fully qualified")}
		}
		errs = append(errs, found...)
		if seen[item.Type] {
			errs = append(errs, field.Duplicate(of.Child("type"), item.Type))
		}
		seen[item.Type] = true
		errs = append(errs, limits(item, of)...)
	}
	return errs
}

// limits checks the names of resources in the limits of one kind, and that the limits fit each other.
func limits(l *corev1.LimitRangeItem, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	all := corev1.ResourceList{}
	add := func(name string, list corev1.ResourceList) {
		valid := resourceName
		if l.Type == corev1.LimitTypePod || l.Type == corev1.LimitTypeContainer {
			valid = containerResource
		}
		for _, key := range names(list) {
			errs = append(errs, valid(key, at.Child(name).Key(string(key)))...)
			all[key] = list[key]
		}
	}
	add("max", l.Max)
	add("min", l.Min)
	defaults, requests := l.Default, l.DefaultRequest
	if l.Type == corev1.LimitTypePod {
		if len(defaults) > 0 {
			errs = append(errs, field.Forbidden(at.Child("default"), "may not be specified when `type` is 'Pod'"))
		}
		if len(requests) > 0 {
			errs = append(errs, field.Forbidden(at.Child("defaultRequest"), "may not be specified when `type` is 'Pod'"))
		}
		defaults, requests = nil, nil
	}
	add("default", defaults)
	add("defaultRequest", requests)
	if l.Type == corev1.LimitTypePersistentVolumeClaim {
		_, low := l.Min[corev1.ResourceStorage]
		_, high := l.Max[corev1.ResourceStorage]
		if !low && !high {
			errs = append(errs, field.Required(at.Child("limits"), "either minimum or maximum storage value is required, but neither was provided"))
		}
	}
	add("maxLimitRequestRatio", l.MaxLimitRequestRatio)
	for _, key := range names(all) {
		// above reports that an amount is greater than another: it is the field's, unless other is true.
		above := func(low, high corev1.ResourceList, lowName, highName, name string, other bool) {
			a, ok := low[key]
			b, both := high[key]
			if !ok || !both || a.Cmp(b) <= 0 {
				return
			}
			value := a
			if other {
				value = b
			}
			errs = append(errs, field.Invalid(at.Child(name).Key(string(key)), value.String(),
				fmt.Sprintf("%s value %s is greater than %s value %s", lowName, a.String(), highName, b.String())))
		}
		above(l.Min, l.Max, "min", "max", "min", false)
		above(l.Min, requests, "min", "default request", "defaultRequest", true)
		above(requests, l.Max, "default request", "max", "defaultRequest", false)
		above(requests, defaults, "default request", "default limit", "defaultRequest", false)
		above(l.Min, defaults, "min", "default", "default", false)
		above(defaults, l.Max, "default", "max", "default", true)
		errs = append(errs, ratio(l, key, at.Child("maxLimitRequestRatio").Key(string(key)))...)
		limit, limited := defaults[key]
		request, requested := requests[key]
		if limited && requested && !overcommitted(key) && limit.Cmp(request) != 0 {
			errs = append(errs, field.Invalid(at.Child("defaultRequest").Key(string(key)), request.String(),
				fmt.Sprintf("default value %s must equal to defaultRequest value %s in %s", limit.String(), request.String(), key)))
		}
	}
	return errs
}

// ratio checks how much greater a limit may be than a request.
func ratio(l *corev1.LimitRangeItem, name corev1.ResourceName, at *field.Path) field.ErrorList {
	r, ok := l.MaxLimitRequestRatio[name]
	if !ok {
		return nil
	}
	var errs field.ErrorList
	if r.Cmp(*resource.NewQuantity(1, resource.DecimalSI)) < 0 {
		errs = append(errs, field.Invalid(at, r.String(), fmt.Sprintf("ratio %s is less than 1", r.String())))
	}
	low, hasLow := l.Min[name]
	high, hasHigh := l.Max[name]
	if !hasLow || !hasHigh {
		return errs
	}
	wanted, least, most := float64(r.Value()), low.Value(), high.Value()
	if r.Value() < resource.MaxMilliValue && least < resource.MaxMilliValue && most < resource.MaxMilliValue {
		wanted, least, most = float64(r.MilliValue())/1000, low.MilliValue(), high.MilliValue()
	}
	if limit := float64(most) / float64(least); wanted > limit {
		errs = append(errs, field.Invalid(at, r.String(), fmt.Sprintf("ratio %s is greater than max/min = %f", r.String(), limit)))
	}
	return errs
}
