package perturb_test

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// errorBugs show if a write fails, or seems to.
var errorBugs = []bug{
	{
		name:  "a conflict is taken for success",
		users: []step{ask("a")},
		wrong: process(func(o *operator, name string) error {
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
		mended: process(func(o *operator, name string) error {
			if cm := o.request(name); cm != nil {
				return o.mark(cm, "size", cm.Data["size"])
			}
			return nil
		}),
	},
	{
		name:  "repeated after a time-out",
		users: []step{ask("a")},
		wrong: process(func(o *operator, name string) error {
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
		mended: process(func(o *operator, name string) error {
			cm := o.request(name)
			if cm == nil || len(o.made(name)) > 0 {
				return nil
			}
			return exists(o.create(cm, name+"-s", owned(cm)))
		}),
	},
	{
		name:  "what exists is a failure",
		users: []step{ask("a")},
		wrong: process(func(o *operator, name string) error {
			cm := o.request(name)
			if cm == nil || cm.Annotations["state"] != "" {
				return nil
			}
			if err := o.create(cm, name+"-s", owned(cm)); err != nil {
				return o.mark(cm, "state", "failed")
			}
			return o.mark(cm, "state", "ready")
		}),
		mended: process(func(o *operator, name string) error {
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
		name:  "an error is dropped",
		users: []step{ask("a")},
		wrong: process(func(o *operator, name string) error {
			if cm := o.request(name); cm != nil {
				_ = o.all(cm)
			}
			return nil
		}),
		mended: process(createAll),
	},
	{
		name:  "gives up after a failure",
		users: []step{ask("a")},
		wrong: process(func(o *operator, name string) error {
			cm := o.request(name)
			if cm == nil || cm.Annotations["state"] != "" {
				return nil
			}
			if err := o.all(cm); err != nil {
				return o.mark(cm, "state", "failed")
			}
			return o.mark(cm, "state", "ready")
		}),
		mended: process(func(o *operator, name string) error {
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
		name:  "a failed part hides the rest",
		users: []step{ask("a"), modify("color", "red")},
		wrong: process(func(o *operator, name string) error {
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
		mended: process(func(o *operator, name string) error {
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
}
