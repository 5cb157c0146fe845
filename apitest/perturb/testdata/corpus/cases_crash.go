package corpus

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// all creates the secrets of a config map, and tolerates those that exist.
func (o *Operator) all(cm *corev1.ConfigMap) error {
	for i := range size(cm) {
		if err := exists(o.create(cm, fmt.Sprintf("%s-%d", cm.Name, i), owned(cm))); err != nil {
			return err
		}
	}
	return nil
}

// create all, if there is a request: what many mended controllers do.
func createAll(o *Operator, name string) error {
	if cm := o.request(name); cm != nil {
		return o.all(cm)
	}
	return nil
}

// text returns a data value of a secret.
func text(s *corev1.Secret, key string) string { return string(s.Data[key]) }

func withData(key, value string) func(*corev1.Secret) {
	return func(s *corev1.Secret) { s.Data = map[string][]byte{key: []byte(value)} }
}

// put sets a data value of a secret that is read from the server, and creates it if it is missing.
func (o *Operator) put(cm *corev1.ConfigMap, name, key, value string) error {
	secret, err := o.Secrets.Get(o.ctx, name, metav1.GetOptions{})
	if missing(err) != nil {
		return err
	}
	if err != nil {
		return o.create(cm, name, owned(cm), withData(key, value))
	}
	if text(secret, key) == value {
		return nil
	}
	withData(key, value)(secret)
	_, err = o.Secrets.Update(o.ctx, secret, metav1.UpdateOptions{})
	return err
}

// crashBugs show if the process ends between two writes.
var crashBugs = []Case{
	{
		Name:  "status before the work",
		Users: []Step{ask("a")},
		Wrong: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil || cm.Annotations["ready"] != "" {
				return nil
			}
			if err := o.mark(cm, "ready", "yes"); err != nil {
				return err
			}
			return o.all(cm)
		}),
		Mended: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil || cm.Annotations["ready"] != "" {
				return nil
			}
			if err := o.all(cm); err != nil {
				return err
			}
			return o.mark(cm, "ready", "yes")
		}),
	},
	{
		Name:  "the first object stands for all",
		Users: []Step{ask("a")},
		Wrong: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil || len(o.made(name)) > 0 {
				return nil
			}
			return o.all(cm)
		}),
		Mended: process(createAll),
	},
	{
		Name:  "a completed name is recorded afterwards",
		Users: []Step{ask("a")},
		Wrong: process(func(o *Operator, name string) error {
			if o.request(name) == nil {
				return nil
			}
			// Not the cached one, which may lack the mark, so that the undisturbed program would do it twice as well.
			cm, err := o.ConfigMaps.Get(o.ctx, name, metav1.GetOptions{})
			if err != nil || cm.Annotations["made"] != "" {
				return missing(err)
			}
			if err := o.create(cm, name+"-", owned(cm)); err != nil {
				return err
			}
			return o.mark(cm, "made", "yes")
		}),
		Mended: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil || cm.Annotations["made"] != "" {
				return nil
			}
			if err := exists(o.create(cm, name+"-only", owned(cm))); err != nil {
				return err
			}
			return o.mark(cm, "made", "yes")
		}),
	},
	{
		Sieve: "rabbitmq/cluster-operator#782",
		Name:  "one resized object stands for both",
		Users: []Step{ask("a"), modify("space", "10"), modify("space", "20")},
		Wrong: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil {
				return nil
			}
			if first, err := o.Secrets.Get(o.ctx, name+"-0", metav1.GetOptions{}); err == nil && text(first, "space") == cm.Data["space"] {
				return nil
			} else if missing(err) != nil {
				return err
			}
			if err := o.put(cm, name+"-0", "space", cm.Data["space"]); err != nil {
				return err
			}
			return o.put(cm, name+"-1", "space", cm.Data["space"])
		}),
		Mended: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil {
				return nil
			}
			if err := o.put(cm, name+"-0", "space", cm.Data["space"]); err != nil {
				return err
			}
			return o.put(cm, name+"-1", "space", cm.Data["space"])
		}),
	},
	{
		Name:  "moved by deleting first",
		Users: []Step{ask("a"), modify("place", "x"), fill("a-x"), modify("place", "y")},
		Wrong: process(func(o *Operator, name string) error { return move(o, name, true) }),
		Mended: process(func(o *Operator, name string) error {
			return move(o, name, false)
		}),
	},
	{
		Name:  "a total is added to twice",
		Users: []Step{ask("a"), ask("b")},
		Wrong: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil || cm.Annotations["counted"] != "" {
				return nil
			}
			total, err := o.Secrets.Get(o.ctx, "total", metav1.GetOptions{})
			if missing(err) != nil {
				return err
			}
			if err := o.total(text(total, "n") + "I"); err != nil {
				return err
			}
			return o.mark(cm, "counted", "yes")
		}),
		Mended: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil || cm.Annotations["counted"] != "" {
				return nil
			}
			patch := fmt.Sprintf(`{"apiVersion":"v1","kind":"Secret","data":{%q:"eQ=="}}`, name) // each its own key
			force := true
			if _, err := o.Secrets.Patch(o.ctx, "total", "application/apply-patch+yaml", []byte(patch), metav1.PatchOptions{FieldManager: name, Force: &force}); err != nil {
				return err
			}
			return o.mark(cm, "counted", "yes")
		}),
	},
	{
		Name:  "a command is carried out again",
		Users: []Step{ask("a"), modify("command", "1"), modify("command", "2")},
		Wrong: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil || cm.Annotations["carried-out"] == cm.Data["command"] || o.memory[name] == cm.Data["command"] {
				return nil
			}
			if err := o.create(cm, "run-"); err != nil {
				return err
			}
			o.memory[name] = cm.Data["command"]
			return o.mark(cm, "carried-out", cm.Data["command"])
		}),
		Mended: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil || cm.Annotations["carried-out"] == cm.Data["command"] {
				return nil
			}
			if err := exists(o.create(cm, "run-"+name+"."+cm.Data["command"])); err != nil {
				return err
			}
			return o.mark(cm, "carried-out", cm.Data["command"])
		}),
	},
	{
		Name:  "an object is exchanged by deleting it first, and its absence means that nothing is wanted",
		Users: []Step{ask("a"), modify("color", "red"), modify("color", "blue")},
		Wrong: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil {
				return nil
			}
			now, err := o.Secrets.Get(o.ctx, name+"-c", metav1.GetOptions{})
			if missing(err) != nil || err != nil && cm.Annotations["made"] != "" || text(now, "color") == cm.Data["color"] {
				return missing(err)
			}
			if err == nil {
				if err := o.delete(now.Name); err != nil {
					return err
				}
			}
			if err := o.create(cm, name+"-c", owned(cm), withData("color", cm.Data["color"])); err != nil {
				return err
			}
			return o.mark(cm, "made", "yes")
		}),
		Mended: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil || cm.Data["color"] == "" {
				return nil
			}
			if err := o.put(cm, name+"-c", "color", cm.Data["color"]); err != nil {
				return err
			}
			return o.mark(cm, "made", "yes")
		}),
	},
	{
		Name:  "a completed name has no owner",
		Users: []Step{ask("a"), withdraw()},
		Wrong: process(func(o *Operator, name string) error {
			if o.request(name) == nil {
				if made := o.made(name); len(made) > 0 {
					return missing(o.delete(made[0].Name))
				}
				return nil
			}
			// Not the cached one, as above.
			cm, err := o.ConfigMaps.Get(o.ctx, name, metav1.GetOptions{})
			if err != nil || cm.Annotations["made"] != "" {
				return missing(err)
			}
			if err := o.create(cm, name+"-"); err != nil {
				return err
			}
			return o.mark(cm, "made", "yes")
		}, func(o *Operator) { o.deaf = true }),
		Mended: process(func(o *Operator, name string) error {
			cm := o.request(name)
			if cm == nil {
				return nil
			}
			return exists(o.create(cm, name+"-only", owned(cm)))
		}),
	},
	{
		Sieve: "K8SPXC-896",
		Name:  "two certificates are created if one is missing",
		Users: []Step{ask("a")},
		Wrong: process(func(o *Operator, name string) error {
			return certify(o, name, func() bool {
				_, err := o.Secrets.Get(o.ctx, name+"-ssl", metav1.GetOptions{})
				return err == nil
			})
		}),
		Mended: process(func(o *Operator, name string) error { return certify(o, name, func() bool { return false }) }),
	},
}

// certify creates the certificates for clients and for members, unless they are done.
func certify(o *Operator, name string, done func() bool) error {
	cm := o.request(name)
	if cm == nil || done() {
		return nil
	}
	for _, certificate := range []string{name + "-ssl", name + "-ssl-internal"} {
		if err := exists(o.create(cm, certificate, owned(cm))); err != nil {
			return err
		}
	}
	return nil
}

// move brings a secret to the place that its config map names, with its content.
func move(o *Operator, name string, deleteFirst bool) error {
	cm := o.request(name)
	if cm == nil || cm.Data["place"] == "" {
		return nil
	}
	content, want := "", name+"-"+cm.Data["place"]
	made, err := o.Secrets.List(o.ctx, metav1.ListOptions{LabelSelector: "of=" + name})
	if err != nil {
		return err
	}
	var old []string
	for _, s := range made.Items {
		if s.Name == want {
			content = text(&s, "content")
		}
	}
	for _, s := range made.Items {
		if s.Name != want {
			old = append(old, s.Name)
			content = text(&s, "content")
		}
	}
	if deleteFirst {
		for _, s := range old {
			if err := missing(o.delete(s)); err != nil {
				return err
			}
		}
	}
	if err := exists(o.create(cm, want, owned(cm), withData("content", content))); err != nil {
		return err
	}
	for _, s := range old {
		if err := missing(o.delete(s)); err != nil {
			return err
		}
	}
	return nil
}

// total writes the secret total.
func (o *Operator) total(n string) error {
	cm := &corev1.ConfigMap{}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "total"}}
	withData("n", n)(secret)
	_, err := o.Secrets.Update(o.ctx, secret, metav1.UpdateOptions{})
	if missing(err) == nil && err != nil {
		return o.create(cm, "total", withData("n", n))
	}
	return err
}
