package corpus

import (
	"fmt"
	"strconv"

	"github.com/listwatch/listwatch/apitest/perturb"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// memoryBugs show if the memory of the process is lost, or outlives what it is about.
var memoryBugs = []Case{
	{
		Name:   "numbers are counted in memory",
		Users:  []Step{ask("a"), ask("b")},
		Always: []perturb.Invariant{unique("configmaps", "number")},
		Wrong: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil || cm.Annotations["number"] != "" {
				return nil
			}
			n, _ := strconv.Atoi(o.memory["n"])
			o.memory["n"] = fmt.Sprint(n + 1)
			return o.mark(cm, "number", fmt.Sprint(n+1))
		}),
		Mended: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil || cm.Annotations["number"] != "" {
				return nil
			}
			all, err := o.ConfigMaps.List(o.ctx, metav1.ListOptions{LabelSelector: "request"})
			if err != nil {
				return err
			}
			used := 0
			for _, other := range all.Items {
				n, _ := strconv.Atoi(other.Annotations["number"])
				used = max(used, n)
			}
			return o.mark(cm, "number", fmt.Sprint(used+1))
		}),
	},
	{
		Name:  "events are counted",
		Users: []Step{ask("a"), ask("b")},
		Wrong: process(func(o *Operator, name string) error {
			if o.request(name) == nil || o.memory[name] != "" {
				return nil
			}
			total, err := o.Secrets.Get(o.ctx, "total", metav1.GetOptions{})
			if missing(err) != nil {
				return err
			}
			if err := o.total(text(total, "n") + "I"); err != nil {
				return err
			}
			o.memory[name] = "counted"
			return nil
		}),
		Mended: process(func(o *Operator, _ string) error {
			all, err := o.ConfigMaps.List(o.ctx, metav1.ListOptions{LabelSelector: "request"})
			if err != nil {
				return err
			}
			n := ""
			for range all.Items {
				n += "I"
			}
			if n == "" {
				return nil
			}
			return o.total(n)
		}),
	},
	{
		Name:  "what is done is remembered by name",
		Users: []Step{ask("a"), withdraw(), ask("a")},
		Wrong: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if _, done := o.names.Load(name); cm == nil || done {
				return nil
			}
			if err := o.all(cm); err != nil {
				return err
			}
			o.names.Store(name, true)
			return nil
		}, func(o *Operator) {
			o.onRequest = func(o *Operator, old, now *corev1.ConfigMap) bool {
				if now == nil {
					o.names.Delete(old.Name)
				}
				return now != nil
			}
		}),
		Mended: process(createAll),
	},
	{
		Name:  "an expectation is not lowered after an error",
		Users: []Step{ask("a")},
		Wrong: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil || len(o.made(name)) > 0 || o.memory[name] != "" {
				return nil
			}
			o.memory[name] = "expected"
			return o.create(cm, name+"-", owned(cm))
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
		Name:  "the last state is remembered, not read",
		Users: []Step{ask("a"), modify("color", "red"), lose("a-c"), modify("color", "blue")},
		Wrong: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil || cm.Data["color"] == "" {
				return nil
			}
			if o.memory[name] == cm.Data["color"] && len(o.made(name)) > 0 {
				return nil
			}
			if cm.Annotations["colored"] != "" && o.memory[name] == "" { // by an earlier process
				o.memory[name] = cm.Data["color"]
				return nil
			}
			if err := o.put(cm, name+"-c", "color", cm.Data["color"]); err != nil {
				return err
			}
			o.memory[name] = cm.Data["color"]
			return o.mark(cm, "colored", "yes")
		}),
		Mended: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil || cm.Data["color"] == "" {
				return nil
			}
			if err := o.put(cm, name+"-c", "color", cm.Data["color"]); err != nil {
				return err
			}
			return o.mark(cm, "colored", "yes")
		}),
	},
	{
		Name:       "an expectation is lost with the process",
		StaleStart: true,
		Users:      []Step{ask("a")},
		Wrong: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil {
				return nil
			}
			if len(o.made(name)) > 0 {
				delete(o.memory, name)
				return nil
			}
			if o.memory[name] != "" {
				return nil
			}
			o.memory[name] = "expected"
			if err := o.create(cm, name+"-", owned(cm)); err != nil {
				delete(o.memory, name)
				return err
			}
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
}
