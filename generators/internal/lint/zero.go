package lint

import (
	"slices"
	"strconv"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/resolve"
)

// requiredFields requires that the absence of a required field can be told from its zero value, if that is valid.
func requiredFields(c *checker, f *field) {
	if !f.has(required...) || f.inline() || f.json == "" {
		return
	}
	t := c.resolved(f)
	pointer := t.Kind() == resolve.Pointer
	if pointer {
		t = t.Elem()
	}
	all := append(c.all(f), declared(t)...)
	switch t.Kind() {
	case resolve.Slice, resolve.Map, resolve.Array:
		if pointer {
			c.errorf(f.pos, nil, "field %s is a pointer to a %s, which can be absent itself; remove the pointer", f.name, t.Kind())
		}
	case resolve.Basic, resolve.Struct:
		valid := zeroValid(t, all, 0)
		if valid && !pointer {
			c.errorf(f.pos, nil, "field %s is required, and its zero value is valid, so that it cannot be told from absent; make it a pointer, or add a validation that excludes the zero value", f.name)
		}
		if !valid && pointer {
			c.errorf(f.pos, nil, "field %s is required, and its zero value is invalid, so that it need not be a pointer; remove the pointer", f.name)
		}
	}
	omitted := strings.Contains(f.options, "omitempty") || strings.Contains(f.options, "omitzero")
	if t.Kind() == resolve.Struct && !pointer {
		omitted = strings.Contains(f.options, "omitzero") || zeroValid(t, all, 0)
	}
	if !omitted {
		c.errorf(f.pos, nil, "field %s is required, but clients in Go write it even if they do not set it; add omitempty to its tag, or omitzero if it is a struct", f.name)
	}
}

// zeroValid reports whether the zero value of a type is valid, as clients in Go write it.
func zeroValid(t *resolve.Type, all []mark, depth int) bool {
	const validation, deep = "kubebuilder:validation:", 20
	if depth > deep {
		return true
	}
	enum := find(all, validation+"Enum")
	switch {
	case t.Kind() == resolve.Struct:
		return structZeroValid(t, all, depth)
	case t.Kind() != resolve.Basic, t.Underlying().Name() == "bool":
		return true
	case t.Underlying().Name() == "string":
		if enum != nil {
			return slices.ContainsFunc(strings.Split(enum.value, ";"), func(v string) bool { return v == `""` || v == "" })
		}
		return least(all, validation+"MinLength") <= 0
	}
	if enum != nil {
		return slices.Contains(strings.Split(enum.value, ";"), "0")
	}
	return within(all, validation+"Minimum", 1) && within(all, validation+"Maximum", -1)
}

// structZeroValid reports whether an object with the zero values of a struct is valid.
func structZeroValid(t *resolve.Type, all []mark, depth int) bool {
	written := 0
	for _, f := range t.Fields() {
		tag := jsonTag(f.Tag)
		name, options, _ := strings.Cut(tag, ",")
		if tag == "-" || f.Embedded && name == "" {
			continue
		}
		own := marks(f.Doc())
		inner := f.Type
		pointer := inner.Kind() == resolve.Pointer
		omitted := strings.Contains(options, "omitzero") || strings.Contains(options, "omitempty") && (pointer || inner.Kind() != resolve.Struct)
		switch {
		case omitted && find(own, required...) != nil:
			return false
		case omitted:
		case !pointer && !zeroValid(inner, append(own, declared(inner)...), depth+1):
			return false
		default:
			written++
		}
	}
	if written == 0 && find(all, "kubebuilder:validation:ExactlyOneOf", "kubebuilder:validation:AtLeastOneOf") != nil {
		return false
	}
	return float64(written) >= least(all, "kubebuilder:validation:MinProperties")
}

// least returns the value of a marker for a lower bound of a size; 0 if there is none.
func least(all []mark, name string) float64 {
	m := find(all, name)
	if m == nil {
		return 0
	}
	n, err := strconv.ParseFloat(m.value, 64)
	if err != nil {
		return 0
	}
	return n
}

// within reports whether zero is on the right side of a bound: sign is 1 for a lower, and -1 for an upper one.
func within(all []mark, name string, sign float64) bool {
	m := find(all, name)
	if m == nil {
		return true
	}
	n, err := strconv.ParseFloat(m.value, 64)
	exclusive := find(all, strings.Replace(name, "validation:M", "validation:ExclusiveM", 1))
	if err != nil || n*sign < 0 {
		return true
	}
	return n == 0 && (exclusive == nil || exclusive.value == "false")
}
