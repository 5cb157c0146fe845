package faults_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/listwatch/listwatch/runtime/rest"
)

// TestDeepNesting checks that a deeply nested response does not exhaust the stack: it is an error
// with a short text.
func TestDeepNesting(t *testing.T) {
	const depth = 2_000_000
	for name, value := range map[string]string{
		"arrays":             strings.Repeat("[", depth) + strings.Repeat("]", depth),
		"objects":            strings.Repeat(`{"a":`, depth) + "0" + strings.Repeat("}", depth),
		"arrays without end": strings.Repeat("[", depth),
	} {
		a := changed(func(good string) string {
			return strings.ReplaceAll(good, `"metadata":{`, `"unknown":`+value+`,"metadata":{`)
		})
		for _, c := range calls {
			if slices.Contains([]string{"delete", "groups", "version"}, c.name) {
				continue // their responses contain nothing of an unknown type
			}
			t.Run(name+"/"+c.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := serve(t, a.handler)
					o := c.do(t.Context(), clients(t, s.config()))
					if o.err == nil || len(o.got) > 0 {
						t.Fatalf("got %v, error is %v", o.got, o.err)
					}
					if text := o.err.Error(); len(text) > 4<<10 {
						t.Errorf("error is %d bytes long: %.200s", len(text), text)
					}
				})
			})
		}
	}
}

// TestLongDocument checks that reading a discovery document stops at a size that no document has.
func TestLongDocument(t *testing.T) {
	long := `{"x":"` + strings.Repeat("x", 65*mib) + `"}`
	for _, c := range append(slices.Clone(calls), resourcesCall()) {
		if !slices.Contains([]string{"groups", "version", "resources"}, c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := serve(t, status(http.StatusOK, "application/json", long).handler)
				o := c.do(t.Context(), clients(t, s.config()))
				var tooLarge *rest.BodyTooLargeError
				if !errors.As(o.err, &tooLarge) || tooLarge.Limit > 64*mib {
					t.Fatalf("error is %v", o.err)
				}
				named(t, c, o.err)
			})
		})
	}
}
