package validation

import (
	"cmp"
	"fmt"
	"net/netip"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/intstr"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A check returns what is wrong with a value.
type check func(place) field.ErrorList

// makeCheck returns a general check with arguments, or the function of that name.
func makeCheck(name string, args []string) (check, error) {
	if f, ok := general[name]; ok {
		return f(args)
	}
	if c, ok := functions[name]; ok && args == nil {
		return c, nil
	}
	return nil, fmt.Errorf("unknown check %s", name)
}

// of makes a check of a function for values of one type.
func of[T any](f func(*T, *field.Path) field.ErrorList) check {
	return func(p place) field.ErrorList {
		p, ok := p.follow()
		if !ok {
			return nil
		}
		return f(pointerTo[T](p.value), p.path)
	}
}

// changed makes a check of a function for the changes of an update.
func changed[T any](f func(now, was *T, path *field.Path) field.ErrorList) check {
	return func(p place) field.ErrorList {
		p, ok := p.follow()
		if !ok || !p.old.IsValid() {
			return nil
		}
		return f(pointerTo[T](p.value), pointerTo[T](p.old), p.path)
	}
}

func pointerTo[T any](v reflect.Value) *T {
	if v.CanAddr() {
		if t, ok := v.Addr().Interface().(*T); ok {
			return t
		}
	}
	t, _ := v.Interface().(T)
	return &t
}

// present makes a check that skips missing values.
func present(f func(place) field.ErrorList) check {
	return func(p place) field.ErrorList {
		pointer := p.value.Kind() == reflect.Pointer
		p, ok := p.follow()
		if !ok || !pointer && !p.item && p.value.IsZero() {
			return nil
		}
		return f(p)
	}
}

// text makes a check of a function that returns what is wrong with a string.
func text(f func(string) []string) func([]string) (check, error) {
	return func([]string) (check, error) {
		return present(func(p place) field.ErrorList {
			return invalid(p.path, p.value.Interface(), f(p.value.String()))
		}), nil
	}
}

// invalid returns an error for each text.
func invalid(at *field.Path, value any, texts []string) field.ErrorList {
	var errs field.ErrorList
	for _, text := range texts {
		errs = append(errs, field.Invalid(at, value, text))
	}
	return errs
}

// number makes a check of a function that returns what is wrong with a number, including zero.
func number(f func(n int64, args []int64) string) func([]string) (check, error) {
	return func(args []string) (check, error) {
		var bounds []int64
		for _, arg := range args {
			n, err := strconv.ParseInt(arg, 10, 64)
			if err != nil {
				return nil, err
			}
			bounds = append(bounds, n)
		}
		return func(p place) field.ErrorList {
			p, ok := p.follow()
			if !ok {
				return nil
			}
			if text := f(p.value.Int(), bounds); text != "" {
				return field.ErrorList{field.Invalid(p.path, p.value.Interface(), text)}
			}
			return nil
		}, nil
	}
}

// plain makes a check without arguments.
func plain(c check) func([]string) (check, error) {
	return func([]string) (check, error) { return c, nil }
}

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	}
	return v.IsZero()
}

// general are the checks that any field can have.
var general = map[string]func(args []string) (check, error){
	"required": func(args []string) (check, error) {
		return func(p place) field.ErrorList {
			at, ok := p.follow()
			if ok && (!isEmpty(at.value) || p.value.Kind() == reflect.Pointer && at.value.Kind() == reflect.Struct) {
				return nil
			}
			return field.ErrorList{field.Required(p.path, first(args))}
		}, nil
	},
	// A pointer is not nil.
	"set": func(args []string) (check, error) {
		return func(p place) field.ErrorList {
			if !p.value.IsNil() {
				return nil
			}
			return field.ErrorList{field.Required(p.path, first(args))}
		}, nil
	},
	"forbidden": func(args []string) (check, error) {
		return func(p place) field.ErrorList {
			if isEmpty(p.value) {
				return nil
			}
			return field.ErrorList{field.Forbidden(p.path, first(args))}
		}, nil
	},
	// The values that are supported, in the order in which the message names them.
	"enum": func(args []string) (check, error) {
		return present(func(p place) field.ErrorList {
			if slices.Contains(args, p.value.String()) {
				return nil
			}
			return field.ErrorList{field.NotSupported(p.path, p.value.String(), args)}
		}), nil
	},
	// Also the empty value is not supported.
	"one-of": func(args []string) (check, error) {
		return func(p place) field.ErrorList {
			p, ok := p.follow()
			if !ok || slices.Contains(args, p.value.String()) {
				return nil
			}
			return field.ErrorList{field.NotSupported(p.path, p.value.String(), args)}
		}, nil
	},
	// Each value of a field, or each item, is there once.
	"unique": func(args []string) (check, error) {
		return func(p place) field.ErrorList { return duplicates(p, first(args)) }, nil
	},
	// If "*" is among the values, it is the only one.
	"sole": func(args []string) (check, error) {
		return func(p place) field.ErrorList {
			list, _ := p.value.Interface().([]string)
			if len(list) < 2 || !slices.Contains(list, "*") {
				return nil
			}
			return field.ErrorList{field.Invalid(p.path, list, "if '*' is present, must not specify other "+first(args))}
		}, nil
	},
	// One of the fields is set: a handler type, say.
	"union": func(args []string) (check, error) {
		return func(p place) field.ErrorList { return union(p, args[0], args[1:]) }, nil
	},
	// One of the fields is set, that of the type of a metric.
	"metric": func(args []string) (check, error) {
		return func(p place) field.ErrorList { return metric(p, args) }, nil
	},
	// The selector of a kind of workloads, and its template.
	"workload": func(args []string) (check, error) {
		return func(p place) field.ErrorList { return workload(p, first(args)) }, nil
	},
	// A number is not greater than another field's, which messages call by the third argument.
	"no-more": func(args []string) (check, error) {
		if len(args) != 3 {
			return nil, fmt.Errorf("no-more has three arguments, not %q", args)
		}
		return noMore(args[0], args[1], args[2]), nil
	},
	"immutable": plain(func(p place) field.ErrorList {
		if !p.old.IsValid() || equality.Semantic.DeepEqual(p.value.Interface(), p.old.Interface()) {
			return nil
		}
		return field.ErrorList{field.Invalid(p.path, p.value.Interface(), validation.FieldImmutableErrorMsg)}
	}),

	// The same as the real server's types declare it.
	"fixed": plain(func(p place) field.ErrorList {
		if !p.old.IsValid() || equality.Semantic.DeepEqual(p.value.Interface(), p.old.Interface()) {
			return nil
		}
		return field.ErrorList{field.Invalid(p.path, nil, validation.FieldImmutableErrorMsg)}
	}),

	"dns-label":      text(utilvalidation.IsDNS1123Label),
	"dns-subdomain":  text(utilvalidation.IsDNS1123Subdomain),
	"dns1035-label":  text(utilvalidation.IsDNS1035Label),
	"qualified-name": text(utilvalidation.IsQualifiedName),
	"any-qualified-name": plain(func(p place) field.ErrorList {
		return invalid(p.path, p.value.Interface(), utilvalidation.IsQualifiedName(p.value.String()))
	}),
	"any-dns-subdomain": plain(func(p place) field.ErrorList {
		p, ok := p.follow()
		if !ok {
			return nil
		}
		return invalid(p.path, p.value.Interface(), utilvalidation.IsDNS1123Subdomain(p.value.String()))
	}),
	"label-value":   text(utilvalidation.IsValidLabelValue),
	"config-key":    text(utilvalidation.IsConfigMapKey),
	"port-name":     text(utilvalidation.IsValidPortName),
	"header-name":   text(utilvalidation.IsHTTPHeaderName),
	"variable-name": text(utilvalidation.IsRelaxedEnvVarName),
	"set-ip": plain(func(p place) field.ErrorList {
		return utilvalidation.IsValidIPForLegacyField(p.path, p.value.String(), true, nil)
	}),
	"ip": plain(present(func(p place) field.ErrorList {
		return utilvalidation.IsValidIPForLegacyField(p.path, p.value.String(), true, nil)
	})),
	"cidr": plain(present(func(p place) field.ErrorList {
		return utilvalidation.IsValidCIDRForLegacyField(p.path, p.value.String(), true, nil)
	})),
	"path-name":    text(content.IsPathSegmentName),
	"path-segment": text(func(s string) []string { return validation.NameIsDNSSubdomain(s, false) }),
	"not-local": text(func(s string) []string {
		addr, err := netip.ParseAddr(s)
		if err == nil && addr.IsLoopback() {
			return []string{"may not be in the loopback range (127.0.0.0/8, ::1/128)"}
		}
		return nil
	}),
	"no-backsteps": text(noBacksteps),
	"inside":       text(inside),
	"absolute": plain(func(p place) field.ErrorList {
		if path.IsAbs(p.value.String()) {
			return nil
		}
		return field.ErrorList{field.Invalid(p.path, p.value.String(), "must be an absolute path")}
	}),
	"max-length": func(args []string) (check, error) {
		n, err := strconv.Atoi(first(args))
		return present(func(p place) field.ErrorList {
			if p.value.Len() <= n {
				return nil
			}
			return field.ErrorList{field.TooLong(p.path, p.value.Interface(), n)}
		}), err
	},
	"max-items": func(args []string) (check, error) {
		n, err := strconv.Atoi(first(args))
		return present(func(p place) field.ErrorList {
			if p.value.Len() <= n {
				return nil
			}
			return field.ErrorList{field.TooMany(p.path, p.value.Len(), n)}
		}), err
	},

	// With the usual text, or another.
	"not-negative": func(args []string) (check, error) {
		text := cmp.Or(first(args), validation.IsNegativeErrorMsg)
		return number(func(n int64, _ []int64) string {
			if n < 0 {
				return text
			}
			return ""
		})(nil)
	},
	"positive": number(func(n int64, _ []int64) string {
		if n <= 0 {
			return "must be greater than zero"
		}
		return ""
	}),
	"at-least": number(func(n int64, bound []int64) string {
		if n < bound[0] {
			return fmt.Sprintf("must be greater than or equal to %d", bound[0])
		}
		return ""
	}),
	"more-than": number(func(n int64, bound []int64) string {
		if n <= bound[0] {
			return fmt.Sprintf("must be greater than %d", bound[0])
		}
		return ""
	}),
	"at-most": number(func(n int64, bound []int64) string {
		if n > bound[0] {
			return fmt.Sprintf("must be less than or equal to %d", bound[0])
		}
		return ""
	}),
	"between": number(func(n int64, bounds []int64) string {
		if n < bounds[0] || n > bounds[1] {
			return utilvalidation.InclusiveRangeError(int(bounds[0]), int(bounds[1]))
		}
		return ""
	}),
	"percent": number(func(n int64, _ []int64) string {
		if n < 0 || n > 100 {
			return "must be between 0 and 100, inclusive"
		}
		return ""
	}),
	"mode": plain(func(p place) field.ErrorList {
		p, ok := p.follow()
		if !ok {
			return nil
		}
		return fileMode(int32(p.value.Int()), p.path) //nolint:gosec // the fields have 32 bits
	}),
	"port": plain(func(p place) field.ErrorList {
		p, ok := p.follow()
		if !ok {
			return nil
		}
		return invalid(p.path, p.value.Interface(), utilvalidation.IsValidPortNum(int(p.value.Int())))
	}),
	"port-or-name": plain(of(portOrName)),
	"amount": plain(of(func(q *resource.Quantity, at *field.Path) field.ErrorList {
		if q.Sign() < 0 {
			return field.ErrorList{field.Invalid(at, q.String(), validation.IsNegativeErrorMsg)}
		}
		return nil
	})),

	"labels": plain(of(func(labels *map[string]string, at *field.Path) field.ErrorList {
		return metavalidation.ValidateLabels(*labels, at)
	})),
	"selector": plain(of(func(s *metav1.LabelSelector, at *field.Path) field.ErrorList {
		return metavalidation.ValidateLabelSelector(s, metavalidation.LabelSelectorValidationOptions{}, at)
	})),
	"template-metadata": plain(of(func(t *corev1.PodTemplateSpec, at *field.Path) field.ErrorList {
		errs := metavalidation.ValidateLabels(t.Labels, at.Child("labels")) // without the metadata, as in the real server
		return append(errs, validation.ValidateAnnotations(t.Annotations, at.Child("annotations"))...)
	})),
}

// duplicates returns the items whose field of a name, or which themselves, are there before.
func duplicates(p place, name string) field.ErrorList {
	var errs field.ErrorList
	seen := map[string]bool{}
	for _, item := range p.each(items) {
		if name != "" {
			f, ok := fieldOf(item.value.Type(), name)
			if !ok {
				return field.ErrorList{field.InternalError(p.path, fmt.Errorf("unknown field %s", name))}
			}
			item.value = item.value.FieldByIndex(f.index)
			item.path = item.path.Child(name)
		}
		at, ok := item.follow()
		if !ok {
			continue
		}
		key := at.value.String()
		if seen[key] && key != "" {
			errs = append(errs, field.Duplicate(at.path, key))
		}
		seen[key] = true
	}
	return errs
}

// visitField returns what is wrong with a field of a struct.
func (p place) visitField(f named) field.ErrorList {
	member := place{path: p.path.Child(f.name), value: p.value.FieldByIndex(f.index)}
	if p.old.IsValid() {
		member.old = p.old.FieldByIndex(f.index)
	}
	return p.visit(member, false)
}

// union returns an error unless one of the fields is set, and what is wrong with the first that is.
func union(p place, what string, members []string) field.ErrorList {
	var errs field.ErrorList
	n := 0
	for _, name := range members {
		f, ok := fieldOf(p.value.Type(), name)
		if !ok {
			return field.ErrorList{field.InternalError(p.path, fmt.Errorf("unknown field %s", name))}
		}
		if p.value.FieldByIndex(f.index).IsZero() {
			continue
		}
		if n++; n > 1 {
			errs = append(errs, field.Forbidden(p.path.Child(name), "may not specify more than 1 "+what))
			continue
		}
		errs = append(errs, p.visitField(f)...)
	}
	if n == 0 {
		errs = append(errs, field.Required(p.path, "must specify a "+what))
	}
	return errs
}

func trimmed(s string) []string {
	if strings.TrimSpace(s) != s {
		return []string{"must not have leading or trailing whitespace"}
	}
	return nil
}

// fileMode checks the permissions of a file.
func fileMode(mode int32, at *field.Path) field.ErrorList {
	if mode < 0 || mode > 0o777 {
		return field.ErrorList{field.Invalid(at, mode, "must be a number between 0 and 0777 (octal), both inclusive")}
	}
	return nil
}

func noBacksteps(s string) []string {
	if slices.Contains(strings.Split(s, "/"), "..") {
		return []string{"must not contain '..'"}
	}
	return nil
}

// inside checks that a path is below a directory.
func inside(s string) []string {
	if path.IsAbs(s) {
		return []string{"must be a relative path"}
	}
	return noBacksteps(s)
}

func portOrName(p *intstr.IntOrString, at *field.Path) field.ErrorList {
	if p.Type == intstr.Int {
		return invalid(at, p.IntValue(), utilvalidation.IsValidPortNum(p.IntValue()))
	}
	return invalid(at, p.StrVal, utilvalidation.IsValidPortName(p.StrVal))
}
