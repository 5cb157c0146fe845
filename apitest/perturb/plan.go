package perturb

import (
	"cmp"
	"maps"
	"slices"
)

// plans returns the schedules with one disturbance for a program, given its undisturbed run: kinds alternate, so that a
// short budget has some of each. Schedules that cannot matter are left out; pruned is how many.
func plans(o *outcome) (all []schedule, pruned int) {
	p := &planner{o: o, program: o.changing(programActor), users: o.changing(userActor), dropped: map[disturbance]bool{}, effects: map[effect]bool{}}
	all = alternate([][]disturbance{
		p.crashes(), p.stops(), p.holds(hold, p.program), p.staleStarts(1), p.rejections(timeout), p.holds(miss, p.users), p.reviews(delay),
		p.rejections(conflict), p.rejections(failure), p.holds(hold, p.users), p.reviews(silence), p.holds(miss, p.program),
		p.absences(), p.leases(), p.rejections(throttle), p.staleStarts(len(o.writes)),
	})
	for _, s := range all {
		delete(p.dropped, s.first)
	}
	return all, len(p.dropped)
}

// alternate takes one of each list in turn, and each disturbance once.
func alternate(lists [][]disturbance) (all []schedule) {
	taken := map[disturbance]bool{}
	for i := 0; ; i++ {
		more := false
		for _, list := range lists {
			if i < len(list) {
				more = true
				if !taken[list[i]] {
					taken[list[i]] = true
					all = append(all, schedule{first: list[i]})
				}
			}
		}
		if !more {
			return all
		}
	}
}

// planner makes disturbances from the writes of the undisturbed run that have changed something.
type planner struct {
	o              *outcome
	program, users []*write
	dropped        map[disturbance]bool // come to the same as another disturbance, or as none
	effects        map[effect]bool      // of holds
}

// effect is what the program does not receive because of a hold or a miss.
type effect struct {
	kind  kind
	of    string
	long  bool
	first int // delivery
}

func (p *planner) crashes() (all []disturbance) {
	for _, w := range p.program {
		all = append(all, disturbance{kind: crash, at: w.point})
	}
	return all
}

// absences are crashes after which the program is away until users have done everything, if they have still to write.
func (p *planner) absences() (all []disturbance) {
	for _, w := range p.program {
		if d := (disturbance{kind: crash, at: w.point, long: true}); p.usersAfter(w) {
			all = append(all, d)
		} else if len(p.users) > 0 {
			p.dropped[d] = true
		}
	}
	return all
}

// usersAfter reports whether users write after a write.
func (p *planner) usersAfter(w *write) bool {
	return slices.ContainsFunc(p.users, func(other *write) bool { return other.step > w.step })
}

// stops are the absences of the program while users write once, and while they write all the rest.
func (p *planner) stops() (all []disturbance) {
	for i, w := range p.users {
		all = append(all, disturbance{kind: stop, at: w.point})
		if i+1 < len(p.users) {
			all = append(all, disturbance{kind: stop, at: w.point, long: true})
		}
	}
	return all
}

// staleStarts are crashes after which the next process sees a state before at most the last n relevant writes: those of
// resources that it lists whatever the version.
func (p *planner) staleStarts(n int) (all []disturbance) {
	for i, w := range p.o.writes {
		if w.actor != programActor || !w.changed {
			continue
		}
		for j, left := i, n; j >= 0 && left > 0; j-- {
			before := p.o.writes[j]
			if !before.changed || !p.o.listed[before.resource] {
				continue
			}
			left--
			if d := (disturbance{kind: crash, at: w.point, stale: before.point}); p.o.lenient[before.resource] {
				all = append(all, d)
			} else {
				p.dropped[d] = true
			}
		}
	}
	return all
}

// holds withhold changes from a write on, of each resource that the program watches and of which it is about to receive
// something. Holds of which it receives the same first come to the same: of these, there is the last.
func (p *planner) holds(k kind, writes []*write) (all []disturbance) {
	last := map[effect]int{} // index in all
	add := func(d disturbance, first int) {
		e := effect{d.kind, d.of, d.long, first}
		i, again := last[e]
		switch {
		case again:
			p.dropped[all[i]] = true
			all[i] = d
		case p.effects[e]:
			p.dropped[d] = true
		default:
			p.effects[e] = true
			last[e] = len(all)
			all = append(all, d)
		}
	}
	resources := slices.Sorted(maps.Keys(p.o.watched))
	for _, w := range writes {
		for _, long := range []bool{false, true} {
			if long && len(p.users) == 0 {
				continue
			}
			first := map[string]int{}
			for i, d := range p.o.received {
				if _, known := first[d.resource]; !known && d.step >= w.step && (long || d.rests == w.rests) {
					first[d.resource] = i
				}
			}
			if len(first) > 1 {
				first[everything] = slices.Min(slices.Collect(maps.Values(first)))
			}
			for _, of := range append(slices.Clone(resources), everything) {
				d := disturbance{kind: k, at: w.point, of: of, long: long}
				switch i, received := first[of]; {
				case long && k == miss && p.createsAfter(of, w):
				case long && !p.usersAfter(w), !received:
					p.dropped[d] = true
				default:
					add(d, i)
				}
			}
		}
	}
	return all
}

// createsAfter reports whether the program creates objects of a resource after a write. If they were created and
// deleted unseen, nobody could know of them.
func (p *planner) createsAfter(resource string, w *write) bool {
	return slices.ContainsFunc(p.o.writes, func(other *write) bool {
		return other.step >= w.step && other.actor == programActor && other.verb == "create" && (resource == everything || resource == other.resource)
	})
}

// rejections are errors of the program's writes. Only updates with a version get conflicts.
func (p *planner) rejections(k kind) (all []disturbance) {
	for _, w := range p.program {
		if k != conflict || w.versioned {
			all = append(all, disturbance{kind: k, at: w.point})
		}
	}
	return all
}

// reviews are late and missing responses of webhooks. A user whose write is refused for that reason fails, so that
// nothing is learned.
func (p *planner) reviews(k kind) (all []disturbance) {
	for _, w := range p.o.writes {
		for _, r := range w.reviews {
			if w.changed && (k == delay || w.actor == programActor || r.ignored) {
				all = append(all, disturbance{kind: k, at: w.point, of: r.webhook})
			}
		}
	}
	return all
}

func (p *planner) leases() (all []disturbance) {
	if !p.o.leases {
		return nil
	}
	for _, w := range p.program {
		all = append(all, disturbance{kind: loseLease, at: w.point})
	}
	return all
}

// pair is a schedule with two disturbances, and where the second is in the run of the first.
type pair struct {
	schedule
	known bool // whether the program makes the second's write undisturbed, too
	after int  // how many of its writes are between them
}

// near is how many writes after the first disturbance the second is at most.
const near = 8

// pairs returns the schedules with a second disturbance, given a run with the first: crashes and errors of the writes
// that follow it. The program may make these writes only because of the first.
func pairs(undisturbed, o *outcome) (all []pair) {
	known := map[point]bool{}
	for _, w := range undisturbed.changing(programActor) {
		known[w.point] = true
	}
	after := 0
	for _, w := range o.changing(programActor) {
		if w.step <= o.disturbed {
			continue
		}
		for _, k := range []kind{crash, failure} {
			if w.point != o.schedule.first.at || k == crash {
				all = append(all, pair{schedule{o.schedule.first, disturbance{kind: k, at: w.point}}, known[w.point], after})
			}
		}
		if after++; after == near {
			break
		}
	}
	return all
}

// ordered sorts pairs: first those that disturb what the program does only because of the first disturbance, then by
// their distance.
func ordered(all []pair) []pair {
	rank := func(p pair) int {
		if p.known {
			return near + p.after
		}
		return p.after
	}
	slices.SortStableFunc(all, func(a, b pair) int { return cmp.Compare(rank(a), rank(b)) })
	return all
}
