package controllerruntime_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	theircache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// draw chooses what a script does.
type draw struct{ *rand.Rand }

// pick1 returns one of several values.
func pick1[T any](d draw, values []T) T { return values[d.IntN(len(values))] }

// oneIn reports true once in n times.
func (d draw) oneIn(n int) bool { return d.IntN(n) == 0 }

// homes are the namespaces of scripts. The last one is missing at first.
var homes = []string{"bay", "sea", "lake"}

// plan is the options of the caches of a script, with what they mean for it.
type plan struct {
	cache.Options
	byKind map[string]cache.ByObject // as in Options
	words  []string                  // describe the options
}

var labelSelectors = []string{"color=red", "color!=red", "color in (red,blue)", "!color", "color,tier=1", "tier notin (2)", "everything", "nothing"}

func labelSelector(text string) labels.Selector {
	switch text {
	case "everything":
		return labels.Everything()
	case "nothing":
		return labels.Nothing()
	}
	out, err := labels.Parse(text)
	if err != nil {
		panic(err)
	}
	return out
}

// nameFields are field selectors of all kinds, nameFieldsIn of those in namespaces.
var (
	nameFields   = []string{"metadata.name=a", "metadata.name!=a", "metadata.name!=a,metadata.name!=b", "everything"}
	nameFieldsIn = []string{"metadata.namespace=bay", "metadata.namespace!=bay", "metadata.name!=b,metadata.namespace=sea"}
)

func fieldSelector(text string) fields.Selector {
	if text == "everything" {
		return fields.Everything()
	}
	return fields.ParseSelectorOrDie(text)
}

// transforms are functions of programs, by name.
var transforms = map[string]theircache.TransformFunc{
	"none":    func(obj any) (any, error) { return obj, nil },
	"strip":   cache.TransformStripManagedFields(),
	"mark":    func(obj any) (any, error) { return marked(obj, "transformed"), nil },
	"relabel": func(obj any) (any, error) { return relabelled(obj), nil },
	"copy": func(obj any) (any, error) {
		if object, ok := obj.(client.Object); ok {
			return marked(object.DeepCopyObject(), "copied"), nil
		}
		return obj, nil
	},
}

// marked sets an annotation.
func marked(obj any, mark string) any {
	if m, err := meta.Accessor(obj); err == nil {
		annotations := maps.Clone(m.GetAnnotations())
		if annotations == nil {
			annotations = map[string]string{}
		}
		annotations[mark] = "yes"
		m.SetAnnotations(annotations)
	}
	return obj
}

// relabelled moves a label, by which programs select.
func relabelled(obj any) any {
	if m, err := meta.Accessor(obj); err == nil && m.GetLabels()["color"] == "red" {
		l := maps.Clone(m.GetLabels())
		l["color"] = "blue"
		m.SetLabels(l)
	}
	return obj
}

// config returns random settings. supported are selectors of fields.
func (p *plan) config(d draw, name string, supported []string) cache.Config {
	var out cache.Config
	var words []string
	say := func(format string, args ...any) { words = append(words, fmt.Sprintf(format, args...)) }
	if d.oneIn(4) {
		text := pick1(d, labelSelectors)
		out.LabelSelector = labelSelector(text)
		say("labels %s", text)
	}
	if d.oneIn(5) {
		text := pick1(d, supported)
		out.FieldSelector = fieldSelector(text)
		say("fields %s", text)
	}
	if d.oneIn(4) {
		text := pick1(d, slices.Sorted(maps.Keys(transforms)))
		out.Transform = transforms[text]
		say("transform %s", text)
	}
	if d.oneIn(4) {
		yes := d.oneIn(2)
		out.UnsafeDisableDeepCopy = &yes
		say("no copies %v", yes)
	}
	if d.oneIn(5) { // without bookmarks, controller-runtime's cache does not sync: see TestWithoutBookmarks
		yes := true
		out.EnableWatchBookmarks = &yes
		say("bookmarks")
	}
	if d.oneIn(5) {
		period := pick1(d, []time.Duration{0, time.Second, time.Hour})
		out.SyncPeriod = &period
		say("sync period %v", period)
	}
	if len(words) > 0 {
		p.words = append(p.words, name+": "+strings.Join(words, ", "))
	}
	return out
}

// namespaces returns random namespaces with settings.
func (p *plan) namespaces(d draw, name string, supported []string) map[string]cache.Config {
	out := map[string]cache.Config{}
	for _, namespace := range append(slices.Clone(homes), metav1.NamespaceAll) {
		if d.oneIn(2) {
			out[namespace] = p.config(d, fmt.Sprintf("%s %q", name, namespace), supported)
		}
	}
	p.words = append(p.words, fmt.Sprintf("%s %q", name, slices.Sorted(maps.Keys(out))))
	return out
}

// newPlan draws the options of a script on a server.
func newPlan(d draw, w *world) *plan {
	p := &plan{byKind: map[string]cache.ByObject{}}
	defaults := p.config(d, "defaults", nameFields)
	p.DefaultLabelSelector, p.DefaultFieldSelector, p.DefaultTransform = defaults.LabelSelector, defaults.FieldSelector, defaults.Transform
	p.DefaultUnsafeDisableDeepCopy, p.DefaultEnableWatchBookmarks = defaults.UnsafeDisableDeepCopy, defaults.EnableWatchBookmarks
	p.SyncPeriod = defaults.SyncPeriod
	p.DefaultWatchErrorHandler = func(context.Context, *theircache.Reflector, error) {} // no logs
	if d.oneIn(2) {
		p.DefaultNamespaces = p.namespaces(d, "namespaces", slices.Concat(nameFields, nameFieldsIn))
	}
	if d.oneIn(4) {
		p.ReaderFailOnMissingInformer = true
		p.words = append(p.words, "ReaderFailOnMissingInformer")
	}
	if d.oneIn(4) {
		p.HTTPClient = w.client
		p.words = append(p.words, "HTTPClient")
	}
	if d.oneIn(20) {
		p.NewInformer = theircache.NewSharedIndexInformer
		p.words = append(p.words, "NewInformer")
	}
	for _, k := range kinds {
		if !w.served[k.resource] || !d.oneIn(3) { // a mapper must know the kind
			continue
		}
		supported := slices.Concat(nameFields, k.fields)
		if k.namespaced {
			supported = append(supported, nameFieldsIn...)
		}
		c := p.config(d, k.Kind, supported)
		own := cache.ByObject{
			Label: c.LabelSelector, Field: c.FieldSelector, Transform: c.Transform,
			UnsafeDisableDeepCopy: c.UnsafeDisableDeepCopy, EnableWatchBookmarks: c.EnableWatchBookmarks, SyncPeriod: c.SyncPeriod,
		}
		switch {
		case !k.namespaced:
		case d.oneIn(3):
			own.Namespaces = p.namespaces(d, k.Kind, supported)
		case d.oneIn(4):
			own.Namespaces = map[string]cache.Config{}
		}
		if p.ByObject == nil {
			p.ByObject = map[client.Object]cache.ByObject{}
		}
		p.byKind[k.Kind] = own
		p.ByObject[k.example] = own
		p.words = append(p.words, k.Kind+" has its own")
	}
	return p
}

// selectors are those of a scope, as the documentation of cache.Options combines them.
type selectors struct {
	labels labels.Selector
	fields fields.Selector
}

func (s *selectors) add(l labels.Selector, f fields.Selector) {
	if s.labels == nil {
		s.labels = l
	}
	if s.fields == nil {
		s.fields = f
	}
}

// namespacesOf returns the namespaces of a kind, nil if it has all.
func (p *plan) namespacesOf(k *kind) map[string]cache.Config {
	own, has := p.byKind[k.Kind]
	switch {
	case !k.namespaced:
		return nil
	case has && own.Namespaces != nil:
		return own.Namespaces
	}
	return p.DefaultNamespaces
}

// limits reports whether there are namespaces for a kind, if it has any.
func (p *plan) limits(k *kind) bool {
	if own, has := p.byKind[k.Kind]; has && (own.Namespaces != nil || !k.namespaced) {
		return len(own.Namespaces) > 0
	}
	return len(p.DefaultNamespaces) > 0
}

// scopesOf returns the scopes of a kind: namespaces, or the empty one for all others.
func (p *plan) scopesOf(k *kind) []string {
	if namespaces := p.namespacesOf(k); len(namespaces) > 0 {
		return slices.Sorted(maps.Keys(namespaces))
	}
	return []string{""}
}

// scopeOf returns the scope of a namespace, and false if there is none.
func (p *plan) scopeOf(k *kind, namespace string) (string, bool) {
	scopes := p.scopesOf(k)
	if slices.Contains(scopes, namespace) {
		return namespace, true
	}
	return "", slices.Contains(scopes, "")
}

// selectorsOf returns what a scope selects.
func (p *plan) selectorsOf(k *kind, scope string) selectors {
	var out selectors
	namespaces := p.namespacesOf(k)
	if one, ok := namespaces[scope]; ok {
		out.add(one.LabelSelector, one.FieldSelector)
	}
	own := p.byKind[k.Kind]
	out.add(own.Label, own.Field)
	if one, ok := p.DefaultNamespaces[scope]; ok && len(namespaces) > 0 {
		out.add(one.LabelSelector, one.FieldSelector)
	}
	out.add(p.DefaultLabelSelector, p.DefaultFieldSelector)
	return out
}

// requested returns the namespace in the path of a scope's requests, empty for all namespaces.
func (p *plan) requested(k *kind, scope string) string {
	if scope != "" || !k.namespaced {
		return scope
	}
	if f := p.selectorsOf(k, scope).fields; f != nil {
		if namespace, ok := f.RequiresExactMatch("metadata.namespace"); ok {
			return namespace
		}
	}
	return ""
}
