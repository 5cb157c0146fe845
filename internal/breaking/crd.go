package breaking

import (
	"fmt"
	"slices"
)

// CRDs returns the differences between two states of a CustomResourceDefinition of
// apiextensions.k8s.io/v1, decoded from JSON. Either can be nil.
func CRDs(before, after map[string]any) []Change {
	c := definition{before: object(before, "spec"), after: object(after, "spec")}
	newest := c.after
	if newest == nil {
		newest = c.before
	}
	c.group, c.kind = text(newest, "group"), text(object(newest, "names"), "kind")
	switch {
	case before == nil:
		c.add("", 0, "kind is new")
	case after == nil:
		c.gone("", Clients|Objects, "definition is removed; with it, the server deletes all objects; keep it")
	default:
		c.names()
		c.versions()
	}
	return c.changes
}

// definition collects the changes of a definition.
type definition struct {
	before, after map[string]any // the specs
	group, kind   string
	changes       []Change
}

func (c *definition) add(version string, effect Effect, format string, args ...any) {
	c.take(version, Change{Effect: effect, Text: fmt.Sprintf(format, args...)})
}

// take adds a change of a version, or of all versions if it is empty.
func (c *definition) take(version string, change Change) {
	change.Group, change.Kind, change.Version = c.group, c.kind, version
	c.changes = append(c.changes, change)
}

// gone is add for what only the old state has.
func (c *definition) gone(version string, effect Effect, format string, args ...any) {
	c.add(version, effect, format, args...)
	c.changes[len(c.changes)-1].Removed = true
}

// names compares what concerns all versions.
func (c *definition) names() {
	if was, is := text(c.before, "scope"), text(c.after, "scope"); was != is {
		c.add("", Clients|Objects, "scope changed from %s to %s, which a server does not allow; objects have to be deleted with their definition, and other paths lead to them; use a new kind", was, is)
	}
	was, is := object(c.before, "names"), object(c.after, "names")
	for _, name := range []string{"plural", "kind", "listKind", "singular"} {
		if text(was, name) != text(is, name) {
			c.add("", Clients, "%s changed from %s to %s; requests and manifests with the old name fail; keep it", name, text(was, name), text(is, name))
		}
	}
	for _, names := range []string{"shortNames", "categories"} {
		if gone := without(list(was, names), list(is, names)); len(gone) > 0 {
			c.add("", Clients, "%s %s are removed; commands that use them fail; keep them", names, show(gone))
		}
		if added := without(list(is, names), list(was, names)); len(added) > 0 {
			c.add("", 0, "%s %s are new", names, show(added))
		}
	}
	if strategy(c.before) == "Webhook" && strategy(c.after) != "Webhook" {
		c.add("", Clients|Objects, "versions are no longer converted by a webhook; objects lose what the schema of the requested version does not have; keep the webhook")
	}
}

// strategy returns the conversion strategy.
func strategy(spec map[string]any) string {
	if s := text(object(spec, "conversion"), "strategy"); s != "" {
		return s
	}
	return "None"
}

// versions compares the versions.
func (c *definition) versions() {
	was, is := byName(c.before), byName(c.after)
	for _, name := range union(was, is) {
		before, had := was[name].(map[string]any)
		after, has := is[name].(map[string]any)
		switch {
		case !had:
			c.add(name, 0, "version is new")
		case !has && boolean(before, "storage"):
			c.gone(name, Clients|Objects, "version is removed, and objects are stored in it; the server rejects the definition while status.storedVersions contains it; first store all objects in another version")
		case !has:
			c.gone(name, served(before), "version is removed; requests for it fail, and objects that were once stored in it cannot be read; stop to serve it first, and see that status.storedVersions does not contain it")
		default:
			c.version(name, before, after)
		}
	}
	c.storage(was, is)
}

// served returns what the end of a version breaks.
func served(version map[string]any) Effect {
	if boolean(version, "served") {
		return Clients | Objects
	}
	return Objects
}

func byName(spec map[string]any) map[string]any {
	versions := map[string]any{}
	for _, v := range list(spec, "versions") {
		if m, ok := v.(map[string]any); ok {
			versions[text(m, "name")] = m
		}
	}
	return versions
}

// storage compares the schemas between which stored objects move if the storage version changes and
// nothing converts them.
func (c *definition) storage(was, is map[string]any) {
	from, to := stored(was), stored(is)
	if from == to || from == "" || to == "" {
		return
	}
	c.add(to, 0, "objects are stored in this version instead of %s now; those stored before stay as they are until they are written again", from)
	if strategy(c.after) != "None" {
		return
	}
	for _, change := range Schemas(schemaOf(was[from]), schemaOf(is[to])) {
		if change.Effect&Objects != 0 {
			change.Text = "stored objects move from " + from + " to this version without conversion: " + change.Text
			change.Effect, change.Removed = Objects, false
			c.take(to, change)
		}
	}
}

func stored(versions map[string]any) string {
	for name, v := range versions {
		if m, ok := v.(map[string]any); ok && boolean(m, "storage") {
			return name
		}
	}
	return ""
}

func schemaOf(version any) map[string]any {
	v, _ := version.(map[string]any)
	return object(object(v, "schema"), "openAPIV3Schema")
}

// version compares two states of a version.
func (c *definition) version(name string, before, after map[string]any) {
	switch was, is := boolean(before, "served"), boolean(after, "served"); {
	case was && !is:
		c.add(name, Clients, "version is not served any more; requests for it fail; deprecate it first, with +kubebuilder:deprecatedversion")
	case is && !was:
		c.add(name, 0, "version is served now")
	}
	if boolean(after, "deprecated") && !boolean(before, "deprecated") {
		c.add(name, 0, "version is deprecated now; the server warns clients")
	}
	c.subresources(name, object(before, "subresources"), object(after, "subresources"))
	for _, gone := range without(list(before, "selectableFields"), list(after, "selectableFields")) {
		c.add(name, Clients, "field %s is not selectable any more; lists with a field selector for it fail; keep it", show(gone))
	}
	for _, change := range Schemas(schemaOf(before), schemaOf(after)) {
		c.take(name, change)
	}
}

func (c *definition) subresources(name string, before, after map[string]any) {
	_, had := before["status"]
	_, has := after["status"]
	switch {
	case !had && has:
		c.add(name, Clients, "subresource status is new; writes of the object itself now ignore its status, so clients must write it with UpdateStatus; do it in a new version, or release the controller first")
	case had && !has:
		c.add(name, Clients, "subresource status is removed; requests for it fail, and writes of the object change its status; keep +kubebuilder:subresource:status")
	}
	was, scaled := before["scale"].(map[string]any)
	is, scales := after["scale"].(map[string]any)
	switch {
	case scales && !scaled:
		c.add(name, 0, "subresource scale is new")
	case scaled && !scales:
		c.add(name, Clients, "subresource scale is removed; kubectl scale and autoscalers fail; keep +kubebuilder:subresource:scale")
	case scaled && !equal(was, is):
		paths := func(scale map[string]any) string {
			var all []string
			for _, k := range slices.Sorted(slices.Values([]string{"specReplicasPath", "statusReplicasPath", "labelSelectorPath"})) {
				all = append(all, k+"="+text(scale, k))
			}
			return fmt.Sprint(all)
		}
		c.add(name, Clients, "subresource scale changed from %s to %s; autoscalers read and write other fields; keep the paths", paths(was), paths(is))
	}
}
