// Package copytest checks deepcopy functions with random objects.
package copytest

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"time"
)

// Filler fills values with random content. The zero value is not valid; see New.
type Filler struct {
	random *rand.Rand
	// implementations are types that implement an interface, by the interface.
	implementations map[reflect.Type][]reflect.Type
}

// New returns a Filler for a seed.
func New(seed uint64, implementations map[reflect.Type][]reflect.Type) *Filler {
	return &Filler{random: rand.New(rand.NewPCG(seed, seed)), implementations: implementations}
}

// maxDepth limits how deep values are filled, and maxLen the length of maps and slices.
const maxDepth, maxLen = 9, 3

// Fill fills the value that object points to: its exported fields, and what they refer to.
func (f *Filler) Fill(object any) { f.fill(reflect.ValueOf(object).Elem(), 0) }

// fill fills a value. Some pointers, maps and slices remain nil, and some are empty.
func (f *Filler) fill(v reflect.Value, depth int) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(time.Unix(f.random.Int64N(1<<32), 0).UTC()))
		return
	}
	some := depth < maxDepth && f.random.IntN(5) > 0
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(f.random.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(f.random.Int64())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(f.random.Uint64())
	case reflect.Float32, reflect.Float64:
		v.SetFloat(f.random.Float64())
	case reflect.String:
		v.SetString(fmt.Sprintf("%x", f.random.Uint32()))
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i), depth)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				f.fill(v.Field(i), depth+1)
			}
		}
	case reflect.Pointer:
		if some {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem(), depth+1)
		}
	case reflect.Slice:
		if some {
			n := f.random.IntN(maxLen + 1)
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				f.fill(v.Index(i), depth+1)
			}
		}
	case reflect.Map:
		if some {
			v.Set(reflect.MakeMap(v.Type()))
			for range f.random.IntN(maxLen + 1) {
				key, val := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				f.fill(key, depth+1)
				f.fill(val, depth+1)
				v.SetMapIndex(key, val)
			}
		}
	case reflect.Interface:
		if list := f.implementations[v.Type()]; some && len(list) > 0 {
			t := list[f.random.IntN(len(list))]
			val := reflect.New(t)
			if t.Kind() == reflect.Pointer {
				val.Elem().Set(reflect.New(t.Elem()))
				f.fill(val.Elem().Elem(), depth+1)
			} else {
				f.fill(val.Elem(), depth+1)
			}
			v.Set(val.Elem())
		}
	}
}

// Check returns an error unless copied equals original and shares no memory with it. Both are
// pointers.
func Check(original, copied any) error {
	if !reflect.DeepEqual(original, copied) {
		return fmt.Errorf("the copy differs:\n%+v\n%+v", original, copied)
	}
	return separate(reflect.ValueOf(original), reflect.ValueOf(copied), fmt.Sprintf("%T", original))
}

// separate returns an error if two equal values share memory that can be modified.
func separate(a, b reflect.Value, path string) error {
	if a.Type() == reflect.TypeFor[time.Time]() {
		return nil // its location is shared, and cannot be modified
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice:
		if a.IsNil() {
			return nil
		}
		// Pointers to nothing and slices of nothing can be equal.
		if sized := a.Kind() == reflect.Map || a.Type().Elem().Size() > 0; sized && a.Pointer() == b.Pointer() && (a.Kind() != reflect.Slice || a.Cap() > 0) {
			return fmt.Errorf("%s is shared", path)
		}
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() {
			return nil
		}
		return separate(a.Elem(), b.Elem(), path)
	case reflect.Array, reflect.Slice:
		for i := range a.Len() {
			if err := separate(a.Index(i), b.Index(i), fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	case reflect.Map:
		for _, key := range a.MapKeys() {
			if err := separate(a.MapIndex(key), b.MapIndex(key), fmt.Sprintf("%s[%v]", path, key)); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for i := range a.NumField() {
			if err := separate(a.Field(i), b.Field(i), path+"."+a.Type().Field(i).Name); err != nil {
				return err
			}
		}
	}
	return nil
}
