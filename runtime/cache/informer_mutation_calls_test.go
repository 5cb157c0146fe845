package cache

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestMutationOfCalls checks which handlers are named for a mutation in one moment of calls that overlap.
func TestMutationOfCalls(t *testing.T) {
	for _, test := range []struct {
		name  string
		calls func(d *mutationDetector, e *event, mutate func())
		want  string // the handlers, empty if it was not during a call
	}{
		{"alone", func(d *mutationDetector, e *event, mutate func()) {
			c := d.begin("painter", e)
			mutate()
			d.end(c)
		}, "painter"},
		{"both run", func(d *mutationDetector, e *event, mutate func()) {
			one, two := d.begin("painter", e), d.begin("watchman", e)
			mutate()
			d.end(two)
			d.end(one)
		}, "painter watchman"},
		{"other returned before", func(d *mutationDetector, e *event, mutate func()) {
			one, two := d.begin("painter", e), d.begin("watchman", e)
			d.end(two)
			mutate()
			d.end(one)
		}, "painter"},
		{"other with another object returned after", func(d *mutationDetector, e *event, mutate func()) {
			one, two := d.begin("painter", e), d.begin("watchman", &event{object: &metav1.PartialObjectMetadata{}})
			mutate()
			d.end(two)
			d.end(one)
		}, "painter watchman"},
		{"two of one name, one returned", func(d *mutationDetector, e *event, mutate func()) {
			one, two := d.begin("painter", e), d.begin("painter", e)
			d.end(two)
			mutate()
			d.end(one)
		}, "painter"},
		{"found by a check during the call", func(d *mutationDetector, e *event, mutate func()) {
			c := d.begin("painter", e)
			mutate()
			d.checkSome(time.Second)
			d.end(c)
		}, "painter"},
		{"after the call", func(d *mutationDetector, e *event, mutate func()) {
			d.end(d.begin("painter", e))
			mutate()
		}, ""},
		{"before the call", func(d *mutationDetector, e *event, mutate func()) {
			mutate()
			d.end(d.begin("painter", e))
		}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var found []Mutation
			d := newMutationDetector("harbour", func(m Mutation) { found = append(found, m) })
			obj := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
			d.AddObject(obj)
			test.calls(d, &event{object: obj}, func() { obj.Generation++ })
			d.checkAll(time.Second)
			if len(found) != 1 || strings.Join(found[0].Handlers, " ") != test.want || found[0].DuringCall != (test.want != "") {
				t.Errorf("found %v, want one of %q", found, test.want)
			}
		})
	}
}
