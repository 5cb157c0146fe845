package corpus

import (
	"fmt"

	"github.com/listwatch/listwatch/apitest/perturb"
)

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
