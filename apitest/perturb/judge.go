package perturb

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// rule is what a run has broken.
type rule string

const (
	ruleRun       rule = "the program runs"
	ruleUsers     rule = "users succeed"
	ruleRest      rule = "the program comes to rest"
	ruleLease     rule = "only the holder of the lease writes"
	ruleInvariant rule = "invariants hold"
	ruleEnd       rule = "the end state is that of the undisturbed run"
	ruleOrphan    rule = "no object outlives its owner"
	ruleChurn     rule = "nothing is created and deleted again and again"
	ruleWrites    rule = "the number of writes is bounded"
)

// verdict is a rule that is broken, and how.
type verdict struct {
	rule rule
	text string
}

// outcome is what a run has come to.
type outcome struct {
	schedule schedule
	hit      bool // the schedule's write was reached, and users could do their work
	writes   []*write
	versions []version
	end      map[string]string
	watched  map[string]bool
	listed   map[string]bool
	lenient  map[string]bool
	received []delivery
	leases   bool
	lax      bool // a write was not modified by a webhook, as the failure policy demands
	// disturbed is the step at which the first disturbance has begun.
	disturbed int
	verdicts  []verdict // that need no comparison
	story     []entry
	// late reports, for an undisturbed run, that a program which starts when users have done everything comes to the
	// same end: the end does not depend on what it has seen meanwhile.
	late bool
}

// outcome ends a trial.
func (t *trial) outcome() (*outcome, error) {
	versions, err := t.history.ordered()
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	o := &outcome{
		schedule: t.schedule, hit: t.begun == len(t.schedule.disturbances()) && !t.void, writes: t.writes, versions: versions,
		watched: t.watched, listed: t.listed, lenient: t.lenient, received: t.received, leases: len(t.holders) > 0,
		lax: t.lax, disturbed: t.disturbedAt, verdicts: t.failed, story: t.story,
	}
	state := State{map[string]*unstructured.Unstructured{}}
	broken := map[string]bool{}
	for _, v := range versions {
		state.apply(v)
		for _, invariant := range t.controller.Always {
			if err := invariant.Holds(state); err != nil && !broken[invariant.Name] {
				broken[invariant.Name] = true
				o.verdicts = append(o.verdicts, verdict{ruleInvariant, fmt.Sprintf("%s: after version %d, a write of %s: %v", invariant.Name, v.number, strings.TrimPrefix(objectKey(v), " "), err)})
			}
		}
	}
	c := canonical{t.controller.Ignore, names(versions)}
	o.end = c.end(state)
	o.verdicts = append(o.verdicts, orphans(state, versions)...)
	return o, nil
}

// orphans finds objects whose owner was deleted.
func orphans(end State, versions []version) (found []verdict) {
	deleted := map[string]string{}
	for _, v := range versions {
		if v.deleted {
			deleted[string(v.object.GetUID())] = objectKey(v)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(end.objects)) {
		for _, owner := range end.objects[key].GetOwnerReferences() {
			if gone, ok := deleted[string(owner.UID)]; ok {
				found = append(found, verdict{ruleOrphan, key + " is left, its owner " + gone + " is deleted"})
			}
		}
	}
	return found
}

// changing returns the writes of an actor that had an effect.
func (o *outcome) changing(actor string) (all []*write) {
	for _, w := range o.writes {
		if w.actor == actor && w.changed {
			all = append(all, w)
		}
	}
	return all
}

// changes counts the writes of the program that had an effect, and those of each family of objects with a verb.
func (o *outcome) changes() (n int, created map[string]int) {
	created = map[string]int{}
	all := o.changing(programActor)
	for _, w := range all {
		if w.verb == "create" {
			created[w.family]++
		}
	}
	return len(all), created
}

// judge compares a run with the undisturbed one. The first verdict says most.
func (o *outcome) judge(undisturbed *outcome, c Controller) []verdict {
	verdicts := slices.Clone(o.verdicts)
	if diff := describeEnds(undisturbed.end, o.end); diff != "" && !o.lax && (!o.schedule.first.long || undisturbed.late) {
		verdicts = append(verdicts, verdict{ruleEnd, "undisturbed -, disturbed +\n" + diff})
	}
	n, created := undisturbed.changes()
	got, createdNow := o.changes()
	const often = heldWrites + 10
	for _, family := range slices.Sorted(maps.Keys(createdNow)) {
		if createdNow[family] > created[family]+often {
			verdicts = append(verdicts, verdict{ruleChurn, fmt.Sprintf("%s is created %d times, undisturbed %d times", family, createdNow[family], created[family])})
		}
	}
	if limit := c.factor()*n + 20; got > limit {
		verdicts = append(verdicts, verdict{ruleWrites, fmt.Sprintf("the program changes objects %d times, undisturbed %d times", got, n)})
	}
	return verdicts
}

// describeEnds lists what differs between two ends.
func describeEnds(want, got map[string]string) string {
	var b strings.Builder
	keys := maps.Clone(want)
	maps.Copy(keys, got)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		was, before := want[key]
		is, after := got[key]
		switch {
		case !after:
			fmt.Fprintf(&b, "- %s\n", key)
		case !before:
			fmt.Fprintf(&b, "+ %s\n", key)
		case was != is:
			fmt.Fprintf(&b, "  %s\n", key)
			for _, line := range lineDiff(strings.Split(was, "\n"), strings.Split(is, "\n")) {
				fmt.Fprintf(&b, "    %s\n", line)
			}
		}
	}
	return b.String()
}

// lineDiff returns the lines that only one text has, in order.
func lineDiff(was, is []string) (lines []string) {
	// longest[i][j] is the length of the longest common sequence of was[i:] and is[j:].
	longest := make([][]int, len(was)+1)
	for i := range longest {
		longest[i] = make([]int, len(is)+1)
	}
	for i := len(was) - 1; i >= 0; i-- {
		for j := len(is) - 1; j >= 0; j-- {
			if was[i] == is[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(was) || j < len(is) {
		switch {
		case i < len(was) && j < len(is) && was[i] == is[j]:
			i, j = i+1, j+1
		case j == len(is) || i < len(was) && longest[i+1][j] >= longest[i][j+1]:
			lines = append(lines, "- "+strings.TrimSpace(was[i]))
			i++
		default:
			lines = append(lines, "+ "+strings.TrimSpace(is[j]))
			j++
		}
	}
	return lines
}
