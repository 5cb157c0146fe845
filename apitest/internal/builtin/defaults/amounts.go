package defaults

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
)

// roundAmounts rounds the amounts of resources in an object up to thousandths.
func roundAmounts(obj runtime.Object) {
	v := reflect.ValueOf(obj)
	if v.Kind() == reflect.Pointer && hasAmounts(v.Type()) {
		roundIn(v)
	}
}

func roundIn(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			roundIn(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			roundIn(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if hasAmounts(v.Type().Field(i).Type) {
				roundIn(v.Field(i))
			}
		}
	case reflect.Map:
		list, _ := v.Interface().(corev1.ResourceList)
		for name, amount := range list {
			if !amount.RoundUp(resource.Milli) {
				list[name] = amount
			}
		}
	}
}

// withAmounts contains whether the real server rounds amounts in a type.
var withAmounts sync.Map

func hasAmounts(t reflect.Type) bool {
	if known, ok := withAmounts.Load(t); ok {
		return known.(bool)
	}
	has := containsAmounts(t, nil)
	withAmounts.Store(t, has)
	return has
}

func containsAmounts(t reflect.Type, inside []reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		return containsAmounts(t.Elem(), inside)
	case reflect.Map:
		return t == reflect.TypeFor[corev1.ResourceList]()
	case reflect.Struct:
	default:
		return false
	}
	if !rounded[strings.TrimPrefix(t.PkgPath(), "k8s.io/api/")] || slices.Contains(inside, t) {
		return false
	}
	for i := range t.NumField() {
		if containsAmounts(t.Field(i).Type, append(inside, t)) {
			return true
		}
	}
	return false
}

// rounded are the groups whose amounts the real server rounds. It does not round the overhead of runtime classes.
var rounded = map[string]bool{"core/v1": true, "apps/v1": true, "batch/v1": true}
