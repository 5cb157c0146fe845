package cache_test

// shardSeeds are bugs of informers that follow shards, for [TestModelShards].
var shardSeeds = []seed{
	{"lost objects stay", "reflector_shards.go", `	m := delta.MetadataOf(obj)
	return m != nil && selector.Matches(m)
}

// reshard`, `	m := delta.MetadataOf(obj)
	return m != nil && !selector.Matches(m)
}

// reshard`},
	{"a loss is acknowledged at once", "reflector_shards.go", `	selector, err := s.parse(slots)
	if err != nil {
		return err
	}
	r.record`, `	done()
	done = func() {}
	selector, err := s.parse(slots)
	if err != nil {
		return err
	}
	r.record`},
	{"lost objects are deleted for handlers", "handler_log.go", `event{kind: eventRelease, `, `event{kind: eventDelete, `},
	{"a merged release is forgotten", "handler_merge.go", `|| b.kind == eventRelease`, ``},
	{"gained slots are not listed", "reflector_shards.go", `	if len(missing) > 0 && s.gaining == nil`, `	if len(missing) > 7 && s.gaining == nil`},
	{"gained slots are listed after they are lost", "reflector_shards.go",
		`slices.ContainsFunc(c.Lost, func(slot int) bool { return has(g.slots, slot) }) {`, `len(c.Lost) == 0 {`},
	{"a watch continues ahead of the list", "reflector_shards.go", `		r.record.rewind(from)
`, ``},
	{"events before a list of gained slots are applied", "reflector_shards.go",
		`	case ahead > 0:
		s.floors = append(s.floors, floor{g.slots, g.list.selection, g.list.version})`, `	case ahead > 0:`},
	{"a watch repeats what the store has", "reflector_shards.go",
		`		s.floors = append(s.floors, floor{s.stored, stored, from})
`, `		_ = stored
`},
	{"an earlier object of a name replaces a later one", "queue_shards.go",
		`	return ok && order(delta.VersionOf(packing.Open(held)), rv) > 0`, `	return ok && order(delta.VersionOf(packing.Open(held)), rv) > 1`},
	{"a deletion of an earlier object deletes a later one", "queue_apply.go", `if d.Behind && a.isPast(d) {`, `if d.Behind && d.Kind == delta.Set && a.isPast(d) {`},
	{"a list takes the objects of others", "reflector_list.go", `	if l.selection != nil && !l.selects(obj) {`, `	if l.selection != nil && obj == nil {`},
	{"a watch takes the objects of others", "reflector_shards.go", `	if !isSelected(r.selection, m) {
		return true
	}`, ``},
	{"a watch is not restarted for gained slots", "reflector_shards.go", `	s.stored = union(s.stored, g.slots)
	s.source`, `	s.stored = union(s.stored, nil)
	s.source`},
	{"slots that come back are not listed anew", "reflector_shards.go", `		s.owned, s.stored = without(s.owned, c.Lost), without(s.stored, c.Lost)`, `		s.owned, s.stored = without(s.owned, c.Lost), without(s.stored, without(c.Lost, c.Gained))`},
}
