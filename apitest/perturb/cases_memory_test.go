package perturb_test

import (
	"fmt"
	"strconv"

	"github.com/listwatch/listwatch/apitest/perturb"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// memoryBugs show if the memory of the process is lost, or outlives what it is about.
var memoryBugs = []bug{
	{
		name:   "numbers are counted in memory",
		users:  []step{ask("a"), ask("b")},
		always: []perturb.Invariant{unique("configmaps", "number")},
		wrong: process(func(o *operator, name string) error {
			cm := o.request(name)
			if cm == nil || cm.Annotations["number"] != "" {
				return nil
			}
			n, _ := strconv.Atoi(o.memory["n"])
			o.memory["n"] = fmt.Sprint(n + 1)
			return o.mark(cm, "number", fmt.Sprint(n+1))
		}),
		mended: process(func(o *operator, name string) error {
			cm := o.request(name)
			if cm == nil || cm.Annotations["number"] != "" {
				return nil
			}
			all, err := o.kube.CoreV1().ConfigMaps("default").List(o.ctx, metav1.ListOptions{LabelSelector: "request"})
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
		name:  "events are counted",
		users: []step{ask("a"), ask("b")},
		wrong: process(func(o *operator, name string) error {
			if o.request(name) == nil || o.memory[name] != "" {
				return nil
			}
			total, err := o.kube.CoreV1().Secrets("default").Get(o.ctx, "total", metav1.GetOptions{})
			if missing(err) != nil {
				return err
			}
			if err := o.total(text(total, "n") + "I"); err != nil {
				return err
			}
			o.memory[name] = "counted"
			return nil
		}),
		mended: process(func(o *operator, _ string) error {
			all, err := o.kube.CoreV1().ConfigMaps("default").List(o.ctx, metav1.ListOptions{LabelSelector: "request"})
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
		name:  "what is done is remembered by name",
		users: []step{ask("a"), withdraw(), ask("a")},
		wrong: process(func(o *operator, name string) error {
			cm := o.request(name)
			if _, done := o.names.Load(name); cm == nil || done {
				return nil
			}
			if err := o.all(cm); err != nil {
				return err
			}
			o.names.Store(name, true)
			return nil
		}, func(o *operator) {
			o.onRequest = func(o *operator, old, now *corev1.ConfigMap) {
				if now == nil {
					o.names.Delete(old.Name)
				} else {
					o.queue.Add(now.Name)
				}
			}
		}),
		mended: process(createAll),
	},
	{
		name:  "an expectation is not lowered after an error",
		users: []step{ask("a")},
		wrong: process(func(o *operator, name string) error {
			cm := o.request(name)
			if cm == nil || len(o.made(name)) > 0 || o.memory[name] != "" {
				return nil
			}
			o.memory[name] = "expected"
			return o.create(cm, name+"-", owned(cm))
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
		name:  "the last state is remembered, not read",
		users: []step{ask("a"), modify("color", "red"), lose("a-c"), modify("color", "blue")},
		wrong: process(func(o *operator, name string) error {
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
		mended: process(func(o *operator, name string) error {
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
}
