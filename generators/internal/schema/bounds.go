package schema

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/listwatch/listwatch/generators/model"
)

// outside reports where and why a JSON value of the right type does not fit the validations of a schema; why is empty if it
// does, or if that is not known. Servers do not fill in the defaults of what a default contains.
func outside(value any, s *model.Schema, path string) (at, why string) {
	if value == nil {
		return "", ""
	}
	if len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, func(v any) bool { return equal(v, value) }) {
		return path, fmt.Sprintf("is %s, which is not in the enum", describe(value))
	}
	switch v := value.(type) {
	case int64:
		why = outsideNumber(float64(v), s)
	case float64:
		why = outsideNumber(v, s)
	case string:
		why = outsideText(v, s)
	case []any:
		if why = outsideCount(len(v), s.MinItems, s.MaxItems, "item"); why != "" || s.Items == nil {
			break
		}
		for i, item := range v {
			if at, why = outside(item, s.Items, path+"["+strconv.Itoa(i)+"]"); why != "" {
				return at, why
			}
		}
	case map[string]any:
		if at, why = outsideObject(v, s, path); why != "" {
			return at, why
		}
	}
	if why != "" {
		return path, why
	}
	for _, part := range s.AllOf {
		if at, why = outside(value, part, path); why != "" {
			return at, why
		}
	}
	return "", ""
}

func outsideNumber(n float64, s *model.Schema) string {
	text := strconv.FormatFloat(n, 'g', -1, 64)
	switch {
	case s.Minimum != nil && (n < *s.Minimum || s.ExclusiveMinimum && n == *s.Minimum):
		return fmt.Sprintf("is %s, but the minimum is %v%s", text, *s.Minimum, exclusive(s.ExclusiveMinimum))
	case s.Maximum != nil && (n > *s.Maximum || s.ExclusiveMaximum && n == *s.Maximum):
		return fmt.Sprintf("is %s, but the maximum is %v%s", text, *s.Maximum, exclusive(s.ExclusiveMaximum))
	case s.MultipleOf != nil && isWhole(*s.MultipleOf) && *s.MultipleOf != 0 && isWhole(n) && math.Mod(n, *s.MultipleOf) != 0:
		return fmt.Sprintf("is %s, which is not a multiple of %v", text, *s.MultipleOf)
	}
	return ""
}

// isWhole reports whether a number is an integer: the remainders of others are not exact.
func isWhole(n float64) bool { return n == math.Trunc(n) }

func exclusive(yes bool) string {
	if yes {
		return ", which is excluded"
	}
	return ""
}

func outsideText(text string, s *model.Schema) string {
	length := int64(utf8.RuneCountInString(text))
	switch {
	case s.MinLength != nil && length < *s.MinLength:
		return fmt.Sprintf("is %q, but the minimum length is %d", text, *s.MinLength)
	case s.MaxLength != nil && length > *s.MaxLength:
		return fmt.Sprintf("is %q, but the maximum length is %d", text, *s.MaxLength)
	case s.Format == "byte" && !isBase64(text):
		return fmt.Sprintf("is %q, which is not base64, the format of its bytes", text)
	case s.Format == "date-time" && !startsWithDate(text):
		return fmt.Sprintf("is %q, which is not a time; write it as 2006-01-02T15:04:05Z", text)
	case s.Pattern == "":
		return ""
	}
	if re, err := regexp.Compile(s.Pattern); err == nil && !re.MatchString(text) { // an invalid pattern is reported elsewhere
		return fmt.Sprintf("is %q, which does not match the pattern %s", text, s.Pattern)
	}
	return ""
}

// isBase64 reports whether servers take a text for base64: an empty one they do not.
func isBase64(text string) bool {
	_, err := base64.StdEncoding.DecodeString(text)
	return err == nil && text != "" && !strings.ContainsAny(text, "\r\n")
}

// startsWithDate reports whether a text starts with a date and a T, as a time does. Servers check more.
func startsWithDate(text string) bool {
	date, _, ok := strings.Cut(strings.ToLower(text), "t")
	_, err := time.Parse(time.DateOnly, date)
	return ok && err == nil
}

// outsideCount compares a number of things with its limits.
func outsideCount(n int, least, most *int64, thing string) string {
	switch {
	case least != nil && int64(n) < *least:
		return fmt.Sprintf("has %d %ss, but the minimum is %d", n, thing, *least)
	case most != nil && int64(n) > *most:
		return fmt.Sprintf("has %d %ss, but the maximum is %d", n, thing, *most)
	}
	return ""
}

// outsideObject is outside for an object.
func outsideObject(object map[string]any, s *model.Schema, path string) (at, why string) {
	for _, name := range s.Required {
		if _, set := object[name]; !set {
			return path, "lacks the required field " + name + "; set it there, or mark the field +optional"
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if property := cmp.Or(s.Properties[name], s.AdditionalProperties); property != nil {
			if at, why = outside(object[name], property, path+"."+name); why != "" {
				return at, why
			}
		}
	}
	return path, outsideCount(len(object), s.MinProperties, s.MaxProperties, "field")
}

// equal reports whether two JSON values are equal: 1 and 1.0 are.
func equal(a, b any) bool {
	x, isNumber := float(a)
	y, both := float(b)
	if isNumber && both {
		return x == y
	}
	return reflect.DeepEqual(a, b)
}

func float(value any) (float64, bool) {
	switch v := value.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}
