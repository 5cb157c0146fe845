package validation

import (
	"path"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
)

// TestTables checks that the tables can be read, and that all types and fields in them exist.
func TestTables(t *testing.T) {
	tables, err := rows()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	seen := map[reflect.Type]bool{}
	var visit func(reflect.Type)
	visit = func(of reflect.Type) {
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			visit(of.Elem())
		case reflect.Struct:
			if seen[of] || !strings.HasPrefix(of.PkgPath(), "k8s.io/api/") {
				return
			}
			seen[of] = true
			found[nameOf(of)] = true
			if _, err := planOf(of); err != nil {
				t.Error(err)
			}
			for i := range of.NumField() {
				visit(of.Field(i).Type)
			}
		}
	}
	for _, of := range scheme.Scheme.AllKnownTypes() {
		visit(of)
	}
	for name := range tables {
		if isPart(name) {
			name = path.Dir(name)
		}
		if !found[name] {
			t.Errorf("no type %s", name)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"row without a type": {"    name  required\n", "x:1: a row without a type"},
		"unknown check":      {"core/v1.Pod\n    spec  perfect\n", "x:2: unknown check perfect"},
		"open parenthesis":   {"core/v1.Pod\n    spec  enum(A\n", "x:2: enum( is not closed"},
		"no number":          {"core/v1.Pod\n    spec  at-least(few)\n", `x:2: strconv.ParseInt: parsing "few": invalid syntax`},
		"field of a status":  {"batch/v1.Job/status\n    active  required\n", "x:2: batch/v1.Job/status has rows of *, not of active"},
		"two tables":         {"core/v1.Pod\n    spec\ncore/v1.Pod\n", "x:3: type core/v1.Pod has two tables"},
	} {
		t.Run(name, func(t *testing.T) {
			err := parse("x", test.text, map[string][]row{})
			if err == nil || err.Error() != test.want {
				t.Errorf("parse an invalid table: got error %v, want %s", err, test.want)
			}
		})
	}
}

func TestUnknownField(t *testing.T) {
	tables := map[string][]row{}
	if err := parse("x", "core/v1.Pod\n    nothing  required\n", tables); err != nil {
		t.Fatal(err)
	}
	if _, err := newPlan(reflect.TypeFor[corev1.Pod](), tables); err == nil || err.Error() != "x:2: core/v1.Pod has no field nothing" {
		t.Error(err)
	}
}

func FuzzSchedule(f *testing.F) {
	for _, text := range []string{
		"* * * * *", "*/15 0-6 1,15 jan-mar mon", "@hourly", "@every 5m", "@every", "TZ=UTC * * * * *", "CRON_TZ= ", "5-1 * * * *",
		"*/0 * * * *", "1-2-3 * * * *", "1/2/3 * * * *", "-1 * * * *", "", "? ? ? ? ?",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fields := strings.Fields(text)
		if err := parseSchedule(text); err == nil && len(fields) == 0 {
			t.Errorf("%q is a schedule", text)
		}
	})
}
