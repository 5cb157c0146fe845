package corpus

import (
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// errorBugs show if a write fails, or seems to.
var errorBugs = []Case{
	{
		Name:  "a conflict is taken for success",
		Users: []Step{ask("a")},
		Wrong: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil {
				return nil
			}
			err := o.mark(cm, "size", cm.Data["size"])
			if apierrors.IsConflict(err) {
				return nil
			}
			return err
		}),
		Mended: process(func(o *Operator, name string) error {
			if cm := o.request(name); cm != nil {
				return o.mark(cm, "size", cm.Data["size"])
			}
			return nil
		}),
	},
	{
		Name:  "repeated after a time-out",
		Users: []Step{ask("a")},
		Wrong: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil || len(o.made(name)) > 0 || o.memory[name] != "" {
				return nil
			}
			if err := o.create(cm, name+"-", owned(cm)); err != nil {
				if err = o.create(cm, name+"-", owned(cm)); err != nil {
					return err
				}
			}
			o.memory[name] = "created"
			return nil
		}),
		Mended: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil || len(o.made(name)) > 0 {
				return nil
			}
			return exists(o.create(cm, name+"-s", owned(cm)))
		}),
	},
	{
		Name:  "what exists is a failure",
		Users: []Step{ask("a")},
		Wrong: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil || cm.Annotations["state"] != "" {
				return nil
			}
			if err := o.create(cm, name+"-s", owned(cm)); err != nil {
				return o.mark(cm, "state", "failed")
			}
			return o.mark(cm, "state", "ready")
		}),
		Mended: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil || cm.Annotations["state"] != "" {
				return nil
			}
			if err := exists(o.create(cm, name+"-s", owned(cm))); err != nil {
				return err
			}
			return o.mark(cm, "state", "ready")
		}),
	},
	{
		Name:  "an error is dropped",
		Users: []Step{ask("a")},
		Wrong: process(func(o *Operator, name string) error {
			if cm := o.request(name); cm != nil {
				_ = o.all(cm)
			}
			return nil
		}),
		Mended: process(createAll),
	},
	{
		Name:  "gives up after a failure",
		Users: []Step{ask("a")},
		Wrong: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil || cm.Annotations["state"] != "" {
				return nil
			}
			if err := o.all(cm); err != nil {
				return o.mark(cm, "state", "failed")
			}
			return o.mark(cm, "state", "ready")
		}),
		Mended: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil || cm.Annotations["state"] != "" {
				return nil
			}
			if err := o.all(cm); err != nil {
				return err
			}
			return o.mark(cm, "state", "ready")
		}),
	},
	{
		Name:  "a failed part hides the rest",
		Users: []Step{ask("a"), modify("color", "red")},
		Wrong: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil || cm.Annotations["tried"] == cm.Data["color"]+"." {
				return nil
			}
			err := putColor(o, name)
			if markErr := o.mark(cm, "tried", cm.Data["color"]+"."); markErr != nil {
				return markErr
			}
			return err
		}),
		Mended: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil || cm.Annotations["tried"] == cm.Data["color"]+"." {
				return nil
			}
			if err := putColor(o, name); err != nil {
				return err
			}
			return o.mark(cm, "tried", cm.Data["color"]+".")
		}),
	},
	{
		Name:  "the cache's object is modified",
		Users: []Step{ask("a", annotated)},
		Wrong: process(func(o *Operator, name string) error {
			cm, err := o.CachedConfigMaps.Get(name)
			if err != nil || cm.Labels["request"] == "" {
				return nil
			}
			return o.mark(cm, "state", "ready")
		}),
		Mended: process(func(o *Operator, name string) error {
			if cm := o.request(name); cm != nil {
				return o.mark(cm, "state", "ready")
			}
			return nil
		}),
	},
}

// annotated lets a config map have annotations.
func annotated(cm *corev1.ConfigMap) { cm.Annotations = map[string]string{"by": "a user"} }
