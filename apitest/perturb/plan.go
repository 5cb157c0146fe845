package perturb

import (
	"maps"
	"slices"
)

// plans returns the schedules for a program, given its undisturbed run: kinds alternate, so that a short budget has
// some of each. Schedules that cannot matter are left out.
func plans(o *outcome) []schedule {
	p := planner{o: o, program: o.changing(programActor), users: o.changing(userActor)}
	return alternate([][]schedule{
		p.crashes(), p.stops(), p.holds(hold, p.program), p.staleStarts(1), p.rejections(timeout), p.holds(miss, p.users),
		p.rejections(conflict), p.rejections(failure), p.holds(hold, p.users), p.holds(miss, p.program), p.absences(), p.leases(), p.rejections(throttle), p.staleStarts(len(o.writes)),
	})
}

// alternate takes one of each list in turn, and each schedule once.
func alternate(lists [][]schedule) (all []schedule) {
	taken := map[schedule]bool{}
	for i := 0; ; i++ {
		more := false
		for _, list := range lists {
			if i < len(list) {
				more = true
				if !taken[list[i]] {
					taken[list[i]] = true
					all = append(all, list[i])
				}
			}
		}
		if !more {
			return all
		}
	}
}

// planner makes schedules from the writes of the undisturbed run that have changed something.
type planner struct {
	o              *outcome
	program, users []*write
}

func (p *planner) crashes() (all []schedule) {
	for _, w := range p.program {
		all = append(all, schedule{kind: crash, at: w.point})
	}
	return all
}

// absences are crashes after which the program is away until users have done everything.
func (p *planner) absences() (all []schedule) {
	if len(p.users) == 0 {
		return nil
	}
	for _, w := range p.program {
		all = append(all, schedule{kind: crash, at: w.point, long: true})
	}
	return all
}

// stops are the absences of the program while users write once, and while they write all the rest.
func (p *planner) stops() (all []schedule) {
	for i, w := range p.users {
		all = append(all, schedule{kind: stop, at: w.point})
		if i+1 < len(p.users) {
			all = append(all, schedule{kind: stop, at: w.point, long: true})
		}
	}
	return all
}

// staleStarts are crashes after which the next process sees a state before at most the last n relevant writes.
func (p *planner) staleStarts(n int) (all []schedule) {
	for i, w := range p.o.writes {
		if w.actor != programActor || !w.changed {
			continue
		}
		for j, left := i, n; j >= 0 && left > 0; j-- {
			if before := p.o.writes[j]; before.changed && p.o.listed[before.resource] {
				all = append(all, schedule{kind: crash, at: w.point, stale: before.point})
				left--
			}
		}
	}
	return all
}

// holds withhold changes from a write on, of each resource that the program watches and that changes after it.
func (p *planner) holds(k kind, writes []*write) (all []schedule) {
	resources := slices.Sorted(maps.Keys(p.o.watched))
	for _, w := range writes {
		var changing []string
		for _, r := range resources {
			if p.changesAfter(r, w) {
				changing = append(changing, r)
			}
		}
		if len(changing) > 1 {
			changing = append(changing, everything)
		}
		for _, r := range changing {
			all = append(all, schedule{kind: k, at: w.point, resource: r})
			if len(p.users) > 0 && w != p.users[len(p.users)-1] {
				if k == miss && p.createsAfter(r, w) {
					continue
				}
				all = append(all, schedule{kind: k, at: w.point, resource: r, long: true})
			}
		}
	}
	return all
}

// changesAfter reports whether an object of a resource changes with a write or after it.
func (p *planner) changesAfter(resource string, w *write) bool {
	since := uint64(0)
	for _, other := range p.o.writes { // deletions have no version
		if other.version > 0 {
			since = other.version
		}
		if other == w {
			break
		}
	}
	return slices.ContainsFunc(p.o.versions, func(v version) bool { return v.resource == resource && v.number >= since })
}

// createsAfter reports whether the program creates objects of a resource after a write. If they were created and
// deleted unseen, nobody could know of them.
func (p *planner) createsAfter(resource string, w *write) bool {
	after := p.o.writes[slices.Index(p.o.writes, w):]
	return slices.ContainsFunc(after, func(other *write) bool {
		return other.actor == programActor && other.verb == "create" && (resource == everything || resource == other.resource)
	})
}

// rejections are errors of the program's writes. Only updates with a version get conflicts.
func (p *planner) rejections(k kind) (all []schedule) {
	for _, w := range p.program {
		if k != conflict || w.versioned {
			all = append(all, schedule{kind: k, at: w.point})
		}
	}
	return all
}

func (p *planner) leases() (all []schedule) {
	if !p.o.leases {
		return nil
	}
	for _, w := range p.program {
		all = append(all, schedule{kind: loseLease, at: w.point})
	}
	return all
}
