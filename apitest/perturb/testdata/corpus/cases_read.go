package corpus

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/listwatch/listwatch/apitest/perturb"
)

// readBugs show if the process reads old states, or misses changes.
var readBugs = []Case{
	{
		Name:  "created twice because the cache lags",
		Users: []Step{ask("a")},
		Wrong: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil || len(o.made(name)) >= size(cm) {
				return nil
			}
			if err := o.create(cm, name+"-", owned(cm)); err != nil {
				return err
			}
			return errMore
		}),
		Mended: process(createAll),
	},
	{
		Name:  "deletion handled by its event only",
		Users: []Step{ask("a"), withdraw()},
		Wrong: process(func(o *Operator, name string) error {
			if cm := o.request(name); cm != nil {
				return exists(o.create(cm, name+"-s"))
			}
			return nil
		}, func(o *Operator) {
			o.onRequest = func(o *Operator, old, now *corev1.ConfigMap) bool {
				if now == nil {
					_ = o.delete(old.Name + "-s")
				}
				return now != nil
			}
		}),
		Mended: process(func(o *Operator, name string) error {
			if cm := o.request(name); cm != nil {
				return exists(o.create(cm, name+"-s", owned(cm)))
			}
			return nil
		}),
	},
	{
		Name:  "tombstone ignored",
		Users: []Step{ask("a", sized(1)), lose("a-0")},
		Wrong: process(createAll, func(o *Operator) {
			o.onSecretGone = func(known bool) bool { return known }
		}),
		Mended: process(createAll),
	},
	{
		Name:  "only changes of a field are handled",
		Users: []Step{ask("a"), modify("color", "red"), modify("color", "blue")},
		Wrong: process(putColor, func(o *Operator) {
			o.deaf = true
			o.onRequest = func(_ *Operator, old, now *corev1.ConfigMap) bool {
				return now != nil && old != nil && old.Data["color"] != now.Data["color"]
			}
		}),
		Mended: process(putColor),
	},
	{
		Sieve:      "instaclustr/cassandra-operator#402",
		Name:       "garbage collection by the cache",
		StaleStart: true,
		Users:      []Step{ask("a"), ask("b")},
		Always:     []perturb.Invariant{readyHave(2)},
		Wrong:      process(createReady, func(o *Operator) { o.begin = collect(false) }),
		Mended:     process(createReady, func(o *Operator) { o.begin = collect(true) }),
	},
	{
		Name:  "overwrites users' changes with the cached object",
		Users: []Step{ask("a"), modify("color", "red"), lose("a-0")},
		Wrong: process(func(o *Operator, name string) error { return record(o, name, true) }),
		Mended: process(func(o *Operator, name string) error {
			return record(o, name, false)
		}),
	},
	{
		Name:   "a number is allocated by the cache",
		Users:  []Step{ask("a"), ask("b")},
		Always: []perturb.Invariant{unique("secrets", "number")},
		Wrong: process(func(o *Operator, name string) error {
			return allocate(o, name, o.cachedNumbers)
		}),
		Mended: process(func(o *Operator, name string) error {
			return allocate(o, name, o.liveNumbers)
		}),
	},
	{
		Name:   "cleans up before the cache is full",
		Users:  []Step{ask("a")},
		Always: []perturb.Invariant{readyHave(2)},
		Wrong:  process(createReady, func(o *Operator) { o.begin = collectAtOnce }).unsynced(),
		Mended: process(createReady, func(o *Operator) { o.begin = collect(true) }),
	},
	{
		Name:       "what exists is created anew",
		StaleStart: true,
		Users:      []Step{ask("a"), fill("a-s"), modify("color", "red")},
		Wrong: process(func(o *Operator, name string) error {
			return remember(o, name, func(cm *corev1.ConfigMap) error {
				err := o.create(cm, name+"-s", owned(cm))
				if err != nil && exists(err) == nil {
					if err = missing(o.delete(name + "-s")); err == nil {
						err = o.create(cm, name+"-s", owned(cm))
					}
				}
				return err
			})
		}),
		Mended: process(func(o *Operator, name string) error {
			return remember(o, name, func(cm *corev1.ConfigMap) error { return exists(o.create(cm, name+"-s", owned(cm))) })
		}),
	},
	{
		Name:  "too many are deleted because the cache lags",
		Users: []Step{ask("a", sized(3)), modify("size", "2")},
		Wrong: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil {
				return nil
			}
			made := o.made(name)
			if len(made) <= size(cm) {
				return o.all(cm)
			}
			for _, s := range made {
				if o.memory[s.Name] == "" && s.Name != name+"-0" && s.Name != name+"-1" || len(o.memory) > 0 && o.memory[s.Name] == "" {
					o.memory[s.Name] = "deleted"
					if err := missing(o.delete(s.Name)); err != nil {
						return err
					}
					return errMore
				}
			}
			return nil
		}),
		Mended: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil {
				return nil
			}
			for i := size(cm); i < len(o.made(name)); i++ {
				if err := missing(o.delete(fmt.Sprintf("%s-%d", name, i))); err != nil {
					return err
				}
			}
			return o.all(cm)
		}),
	},
	{
		Name:  "the state is taken from the cache, the version from the server",
		Users: []Step{ask("a"), modify("color", "red"), lose("a-0")},
		Wrong: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil {
				return nil
			}
			if err := o.all(cm); err != nil {
				return err
			}
			now, err := o.ConfigMaps.Get(o.ctx, name, metav1.GetOptions{})
			if err != nil {
				return missing(err)
			}
			cm.ResourceVersion = now.ResourceVersion
			return o.markSecret(cm)
		}),
		Mended: process(func(o *Operator, name string) error { return record(o, name, false) }),
	},
	{
		Name:       "done is recorded of what was not done",
		StaleStart: true,
		Users:      []Step{ask("a"), modify("color", "red"), modify("color", "blue")},
		Wrong: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil || cm.Data["color"] == "" || cm.Annotations["done"] == cm.Data["color"] {
				return nil
			}
			if err := o.put(cm, name+"-c", "color", cm.Data["color"]); err != nil {
				return err
			}
			now, err := o.ConfigMaps.Get(o.ctx, name, metav1.GetOptions{})
			if err != nil {
				return missing(err)
			}
			return o.mark(now, "done", now.Data["color"])
		}),
		Mended: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil || cm.Data["color"] == "" {
				return nil
			}
			if err := o.put(cm, name+"-c", "color", cm.Data["color"]); err != nil {
				return err
			}
			return o.mark(cm, "done", cm.Data["color"])
		}),
	},
	{
		Sieve:      "pravega/zookeeper-operator#314",
		Name:       "what the cached size does not need is deleted",
		StaleStart: true,
		Users:      []Step{ask("a", sized(1)), modify("size", "2"), fill("a-1"), modify("note", "x")},
		Wrong:      process(func(o *Operator, name string) error { return fit(o, o.request(name)) }),
		Mended: process(func(o *Operator, name string) error {
			if o.request(name) == nil {
				return nil
			}
			now, err := o.ConfigMaps.Get(o.ctx, name, metav1.GetOptions{})
			if err != nil {
				return missing(err)
			}
			return fit(o, now)
		}),
	},
}

// fit deletes the secrets of a config map above its size, creates those below it, and marks the config map.
func fit(o *Operator, cm *corev1.ConfigMap) error {
	if cm == nil {
		return nil
	}
	made, err := o.Secrets.List(o.ctx, metav1.ListOptions{LabelSelector: "of=" + cm.Name})
	if err != nil {
		return err
	}
	for i := size(cm); i < len(made.Items); i++ {
		if err := missing(o.delete(fmt.Sprintf("%s-%d", cm.Name, i))); err != nil {
			return err
		}
	}
	if err := o.all(cm); err != nil {
		return err
	}
	return o.mark(cm, "note", cm.Data["note"])
}

func putColor(o *Operator, name string) error {
	cm := o.request(name)
	if cm == nil || cm.Data["color"] == "" {
		return nil
	}
	return o.put(cm, name+"-c", "color", cm.Data["color"])
}

// createReady creates the secrets, and marks the config map as ready.
func createReady(o *Operator, name string) error {
	cm := o.request(name)
	if cm == nil {
		return nil
	}
	if err := o.all(cm); err != nil {
		return err
	}
	return o.mark(cm, "ready", "yes")
}

// collect deletes secrets without a config map.
func collect(live bool) func(o *Operator) error {
	return func(o *Operator) error {
		all, err := o.Secrets.List(o.ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for _, s := range all.Items {
			_, err := o.CachedConfigMaps.Get(s.Labels["of"])
			if err != nil && live {
				_, err = o.ConfigMaps.Get(o.ctx, s.Labels["of"], metav1.GetOptions{})
			}
			if err != nil && missing(err) == nil {
				if err := missing(o.delete(s.Name)); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// collectAtOnce deletes secrets without a config map in the cache, which it does not wait for.
func collectAtOnce(o *Operator) error {
	known, err := o.CachedConfigMaps.List(labels.Everything())
	if err != nil {
		return err
	}
	all, err := o.Secrets.List(o.ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, s := range all.Items {
		if !slices.ContainsFunc(known, func(cm *corev1.ConfigMap) bool { return cm.Name == s.Labels["of"] }) {
			if err := missing(o.delete(s.Name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// record creates the secrets, and notes the UID of one in the config map.
func record(o *Operator, name string, force bool) error {
	cm := o.request(name)
	if cm == nil {
		return nil
	}
	if err := o.all(cm); err != nil {
		return err
	}
	if force {
		cm.ResourceVersion = ""
	}
	return o.markSecret(cm)
}

// markSecret notes the UID of the first secret.
func (o *Operator) markSecret(cm *corev1.ConfigMap) error {
	s, err := o.Secrets.Get(o.ctx, cm.Name+"-0", metav1.GetOptions{})
	if err != nil {
		return missing(err)
	}
	return o.mark(cm, "secret", string(s.UID))
}

// allocate gives a config map a number that no other one has, in a secret.
func allocate(o *Operator, name string, taken func() (map[string]string, error)) error {
	cm := o.request(name)
	if cm == nil {
		return nil
	}
	numbers, err := taken()
	if err != nil || numbers[name] != "" {
		return err
	}
	n, used := 0, map[string]bool{}
	for _, number := range numbers {
		used[number] = true
	}
	for used[fmt.Sprint(n)] {
		n++
	}
	return exists(o.create(cm, "number-of-"+name, owned(cm), func(s *corev1.Secret) { s.Annotations = map[string]string{"number": fmt.Sprint(n)} }))
}

func (o *Operator) cachedNumbers() (map[string]string, error) {
	numbers := map[string]string{}
	for _, name := range []string{"a", "b"} {
		for _, s := range o.made(name) {
			numbers[name] = s.Annotations["number"]
		}
	}
	return numbers, nil
}

func (o *Operator) liveNumbers() (map[string]string, error) {
	all, err := o.Secrets.List(o.ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	numbers := map[string]string{}
	for _, s := range all.Items {
		numbers[s.Labels["of"]] = s.Annotations["number"]
	}
	return numbers, nil
}

// remember calls create if the cache has no secret, and copies the color to an annotation.
func remember(o *Operator, name string, create func(*corev1.ConfigMap) error) error {
	cm := o.request(name)
	if cm == nil {
		return nil
	}
	if len(o.made(name)) == 0 {
		if err := create(cm); err != nil {
			return err
		}
	}
	return o.mark(cm, "color", cm.Data["color"])
}
