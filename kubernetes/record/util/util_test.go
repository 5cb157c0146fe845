package util_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/listwatch/listwatch/kubernetes/record/util"
)

func TestGenerateEventName(t *testing.T) {
	for name, want := range map[string]string{
		"desk":                   "desk.1f",
		"a-b.c9":                 "a-b.c9.1f",
		strings.Repeat("x", 250): strings.Repeat("x", 250) + ".1f",
		strings.Repeat("x", 251): "",
		"2001:db8::1":            "",
		"Desk":                   "",
		"desk-":                  "",
		"-desk":                  "",
		"a..b":                   "",
		"":                       "",
	} {
		got := util.GenerateEventName(name, 31)
		if want != "" && got != want {
			t.Errorf("event about %q is named %q, want %q", name, got, want)
		}
		if want == "" && (len(got) != 32 || got == util.GenerateEventName(name, 31)) {
			t.Errorf("event about %q is named %q, want a random name", name, got)
		}
	}
}

func FuzzGenerateEventName(f *testing.F) {
	for _, name := range []string{"desk", "a.b-c", "-", "a..b", "ä", "x_y", ""} {
		f.Add(name, int64(31))
		f.Add(name, int64(-1))
	}
	f.Fuzz(func(t *testing.T, name string, nano int64) {
		got := util.GenerateEventName(name, nano)
		if errs := validation.IsDNS1123Subdomain(got); len(errs) > 0 {
			t.Errorf("event about %q has an invalid name %q: %q", name, got, errs)
		}
		if usual := fmt.Sprintf("%s.%x", name, nano); len(validation.IsDNS1123Subdomain(usual)) == 0 && got != usual {
			t.Errorf("event about %q is named %q, want %q", name, got, usual)
		}
	})
}

func TestValidateEventType(t *testing.T) {
	for eventtype, want := range map[string]bool{"Normal": true, "Warning": true, "normal": false, "Error": false, "": false} {
		if got := util.ValidateEventType(eventtype); got != want {
			t.Errorf("type %q: got %t", eventtype, got)
		}
	}
}

func TestIsKeyNotFoundError(t *testing.T) {
	missing := apierrors.NewNotFound(schema.GroupResource{Resource: "events"}, "e")
	for _, c := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{errors.New("not found"), false},
		{missing, true},
		{fmt.Errorf("create: %w", missing), true},
		{apierrors.NewResourceExpired("events"), false},
	} {
		if got := util.IsKeyNotFoundError(c.err); got != c.want {
			t.Errorf("%v: got %t", c.err, got)
		}
	}
}
