package corpus

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// twoBugs show if the process ends while it does what it does after an error only.
var twoBugs = []Case{
	{
		Name:  "a repetition is recorded before it is made",
		Users: []Step{ask("a")},
		Wrong: process(func(o *Operator, name string) error {
			return stated(o, name, func() error {
				if err := o.state(name, "repeated"); err != nil {
					return err
				}
				return o.attempt(name)
			})
		}),
		Mended: process(func(o *Operator, name string) error {
			return stated(o, name, func() error { return o.attempt(name) })
		}),
	},
}

// stated creates the secret of a config map. If that fails, it records it, and calls repeat.
func stated(o *Operator, name string, repeat func() error) error {
	if o.request(name) == nil {
		return nil
	}
	cm, err := o.ConfigMaps.Get(o.ctx, name, metav1.GetOptions{})
	if err != nil {
		return missing(err)
	}
	switch cm.Annotations["state"] {
	case "":
		return o.attempt(name)
	case "failed":
		return repeat()
	}
	return nil // done, or about to be
}

// attempt creates the secret of a config map, and records whether it has succeeded.
func (o *Operator) attempt(name string) error {
	cm := o.request(name)
	if cm == nil {
		return nil
	}
	if err := exists(o.create(cm, name+"-s", owned(cm))); err != nil {
		return o.state(name, "failed")
	}
	return o.state(name, "done")
}

// state records how far a config map has come.
func (o *Operator) state(name, value string) error {
	cm, err := o.ConfigMaps.Get(o.ctx, name, metav1.GetOptions{})
	if err != nil {
		return missing(err)
	}
	return o.mark(cm, "state", value)
}
