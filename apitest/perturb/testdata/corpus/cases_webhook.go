package corpus

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/apitest/perturb"
)

// webhookBugs show if a write is made between a webhook's response and what it is about.
var webhookBugs = []Case{
	{
		Name:   "a webhook gives a number that nobody has yet",
		Server: []embedded.Option{mutating()},
		Users:  []Step{together(ask("a"), ask("b"))},
		Always: []perturb.Invariant{unique("configmaps", "number")},
		Wrong: process(createAll).admitting(func(o *Operator, _ *corev1.ConfigMap) (map[string]string, error) {
			return o.number(func(string) bool { return true })
		}),
		Mended: process(createAll).admitting(func(o *Operator, cm *corev1.ConfigMap) (map[string]string, error) {
			return o.number(func(n string) bool { return o.reserve("number "+n, cm.Name) })
		}),
	},
	{
		Name:   "a webhook refuses what it can see",
		Server: []embedded.Option{validating()},
		Users:  []Step{together(ask("a", colored("red")), ask("b", colored("red")))},
		Always: []perturb.Invariant{unique("configmaps", "color")},
		Wrong: process(createAll).admitting(func(o *Operator, cm *corev1.ConfigMap) (map[string]string, error) {
			return nil, o.unlessTaken(cm)
		}),
		Mended: process(createAll).admitting(func(o *Operator, cm *corev1.ConfigMap) (map[string]string, error) {
			if !o.reserve("color "+cm.Annotations["color"], cm.Name) {
				return nil, fmt.Errorf("%w: another one is about to have the color", errRefused)
			}
			return nil, o.unlessTaken(cm)
		}),
	},
}

// reserve reports whether a config map is the first to which something is promised.
func (o *Operator) reserve(what, name string) bool {
	holder, _ := o.names.LoadOrStore(what, name)
	return holder == name
}

// number returns the first number that no config map has, and that can be reserved.
func (o *Operator) number(reserve func(n string) bool) (map[string]string, error) {
	all, err := o.ConfigMaps.List(o.ctx, metav1.ListOptions{LabelSelector: "request"})
	if err != nil {
		return nil, err
	}
	taken := map[string]bool{}
	for _, cm := range all.Items {
		taken[cm.Annotations["number"]] = true
	}
	for i := 1; ; i++ {
		if n := fmt.Sprint(i); !taken[n] && reserve(n) {
			return map[string]string{"number": n}, nil
		}
	}
}

// unlessTaken refuses a config map if another one has its color.
func (o *Operator) unlessTaken(cm *corev1.ConfigMap) error {
	all, err := o.ConfigMaps.List(o.ctx, metav1.ListOptions{LabelSelector: "request"})
	if err != nil {
		return err
	}
	for _, other := range all.Items {
		if other.Annotations["color"] == cm.Annotations["color"] {
			return fmt.Errorf("%w: %s has the color", errRefused, other.Name)
		}
	}
	return nil
}
