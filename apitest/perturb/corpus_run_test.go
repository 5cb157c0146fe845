package perturb_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"slices"
	"testing"

	clientgo "k8s.io/client-go/rest"

	"github.com/listwatch/listwatch/apitest/perturb"
)

var (
	repetitions = flag.Int("corpus.repetitions", 1, "how often TestMended runs each mended controller")
	schedules   = flag.Int("corpus.schedules", 20, "how many schedules TestMended runs each time")
)

type start = func(context.Context, *clientgo.Config) error

// bug is a controller with a bug, and the same without it.
type bug struct {
	name          string
	users         []step
	always        []perturb.Invariant
	wrong, mended start
}

func (b bug) controller(s start) perturb.Controller {
	return perturb.Controller{StartClientGo: s, UsersClientGo: steps(b.users...), Always: b.always}
}

// corpus is all bugs.
var corpus = slices.Concat(crashBugs, readBugs, memoryBugs, errorBugs, finalizerBugs, leaseBugs)

// Each bug is found.
func TestFound(t *testing.T) {
	for _, b := range corpus {
		t.Run(b.name, func(t *testing.T) {
			f, err := perturb.Search(t, b.controller(b.wrong), math.MaxInt)
			if err != nil {
				t.Fatal(err)
			}
			if f.Schedule == "" {
				t.Fatalf("nothing found with %d schedules", f.Tried)
			}
			t.Logf("%d | %s | %s", f.Tried, f.Schedule, f.Rule)
		})
	}
}

// Nothing is reported of the mended controllers.
func TestMended(t *testing.T) {
	for _, b := range corpus {
		t.Run(b.name, func(t *testing.T) {
			for range *repetitions {
				f, err := perturb.Search(t, b.controller(b.mended), *schedules)
				if err != nil {
					t.Fatal(err)
				}
				if f.Schedule != "" {
					t.Fatal(f.Report)
				}
				t.Logf("%d schedules", f.Tried)
			}
		})
	}
}

var errMore = errors.New("more is to do")

// readyHave is the invariant that config maps marked as ready have at least n secrets.
func readyHave(n int) perturb.Invariant {
	return perturb.Invariant{Name: "what is ready has its secrets", Holds: func(s perturb.State) error {
		for _, cm := range s.Objects("configmaps") {
			if cm.GetAnnotations()["ready"] == "" || cm.GetDeletionTimestamp() != nil {
				continue
			}
			have := 0
			for _, secret := range s.Objects("secrets") {
				if secret.GetLabels()["of"] == cm.GetName() {
					have++
				}
			}
			if have < n {
				return fmt.Errorf("%s has %d secrets, want %d", cm.GetName(), have, n)
			}
		}
		return nil
	}}
}

// unique is the invariant that no two objects have the same annotation.
func unique(resource, annotation string) perturb.Invariant {
	return perturb.Invariant{Name: "each has another " + annotation, Holds: func(s perturb.State) error {
		holders := map[string]string{}
		for _, object := range s.Objects(resource) {
			value := object.GetAnnotations()[annotation]
			if other := holders[value]; value != "" && other != "" {
				return fmt.Errorf("%s and %s both have %s", other, object.GetName(), value)
			}
			holders[value] = object.GetName()
		}
		return nil
	}}
}
