package perturb_test

import (
	"fmt"
	"testing"

	"github.com/listwatch/listwatch/apitest/perturb"
)

// bug is a controller with a bug, and one without it.
type bug struct {
	name          string
	wrong, mended perturb.Controller
}

func (o *operator) mustCount(cm int) int { return cm }

var bugs = []bug{
	{
		name: "created twice, because the cache lags",
		wrong: perturb.Controller{UsersClientGo: steps(ask("a")), StartClientGo: process(func(o *operator, name string) error {
			cm := o.request(name)
			if cm == nil || len(o.made(name)) >= size(cm) {
				return nil
			}
			if err := o.create(cm, name+"-", owned(cm)); err != nil {
				return err
			}
			return fmt.Errorf("another one is missing")
		})},
		mended: perturb.Controller{UsersClientGo: steps(ask("a")), StartClientGo: process(func(o *operator, name string) error {
			cm := o.request(name)
			if cm == nil {
				return nil
			}
			for i := range size(cm) {
				if err := exists(o.create(cm, fmt.Sprintf("%s-%d", name, i), owned(cm))); err != nil {
					return err
				}
			}
			return nil
		})},
	},
}

func TestCorpus(t *testing.T) {
	for _, b := range bugs {
		t.Run(b.name, func(t *testing.T) {
			t.Run("wrong", func(t *testing.T) {
				perturb.Run(t, b.wrong)
			})
			t.Run("mended", func(t *testing.T) {
				perturb.Run(t, b.mended)
			})
		})
	}
}
