package cache

import (
	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/cache/internal/packing"
)

// A source that follows [Shards] gains and loses objects. What it gains is listed alone, so that for a while the
// store has objects as of two resource versions. That matters if an object was deleted and another of its name has
// another UID and so another shard: the later one of the two stays.

// applyJoin adds the objects of a list to those of its source. a.mu is held.
func (a *applier) applyJoin(d *delta.Delta) {
	for _, item := range d.List.Items.All() {
		if !item.Keep && a.hasLater(item.Name, item.RV) {
			item.Keep, item.Object = true, nil
		}
	}
	diff := a.store.ApplyList(delta.Scope{Nothing: true}, d.List.Items, d.RV)
	a.advance([]delta.Delta{*d})
	for part := range diff {
		for i := range part {
			part[i].Source, part[i].Initial = d.Source, true
		}
		a.sink.publish(part)
	}
}

// isPast reports whether a delta, which is behind, must not be applied. A deletion is past if the store has no object of the
// name: it had a later one, and has lost it. a.mu is held.
func (a *applier) isPast(d *delta.Delta) bool {
	if d.Kind == delta.Delete {
		if _, ok := a.store.Held(d.Name); !ok {
			return true
		}
	}
	return a.hasLater(d.Name, d.RV)
}

// hasLater reports whether the store has an object of a name in a later version than rv. a.mu is held.
func (a *applier) hasLater(name delta.Name, rv string) bool {
	held, ok := a.store.Held(name)
	return ok && order(delta.VersionOf(packing.Open(held)), rv) > 0
}

// applyRelease drops the objects that a source has lost. a.mu is held.
func (a *applier) applyRelease(d *delta.Delta) {
	var lost []delta.Delta
	for _, obj := range a.store.AppendHeld(nil) {
		if name := nameOfObject(obj); d.List.Scope.Contains(name.String()) && d.List.Match(obj) {
			lost = append(lost, delta.Delta{Kind: delta.Delete, Lost: true, Source: d.Source, Name: name, Object: obj})
		}
	}
	a.store.Apply(lost)
	a.sink.publish(lost)
	d.List.Applied()
}
