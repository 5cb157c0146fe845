package debug

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/listwatch/listwatch/runtime/cache"
)

// page is what is shown, in HTML and in JSON.
type page struct {
	Time      time.Time  `json:"time"`
	Informers []informer `json:"informers"`
	Refresh   int        `json:"-"` // seconds, 0 for never
}

type informer struct {
	Name                string       `json:"name,omitzero"`
	Type                string       `json:"type"`
	Started             bool         `json:"started"`
	Phase               cache.Phase  `json:"phase"`
	Err                 string       `json:"error,omitzero"`
	ResourceVersion     string       `json:"resourceVersion,omitzero"`
	Objects             int          `json:"objects"`
	QueueDepth          int          `json:"queueDepth"`
	LastEvent           time.Time    `json:"lastEvent,omitzero"`
	LastEventAgeSeconds float64      `json:"lastEventAgeSeconds,omitzero"`
	Sources             []source     `json:"sources,omitzero"`
	Handlers            []handler    `json:"handlers,omitzero"`
	IndexErrors         []indexError `json:"indexErrors,omitzero"`
}

type source struct {
	Namespace           string        `json:"namespace,omitzero"`
	Phase               cache.Phase   `json:"phase"`
	Since               time.Time     `json:"since,omitzero"`
	Doing               string        `json:"doing,omitzero"`
	Err                 string        `json:"error,omitzero"`
	LastErr             time.Time     `json:"errorTime,omitzero"`
	Failures            int           `json:"failures"`
	ResourceVersion     string        `json:"resourceVersion,omitzero"`
	LastEvent           time.Time     `json:"lastEvent,omitzero"`
	LastEventAgeSeconds float64       `json:"lastEventAgeSeconds,omitzero"`
	Lists               int64         `json:"lists"`
	Watches             int64         `json:"watches"`
	Events              int64         `json:"events"`
	Quarantined         []quarantined `json:"quarantined,omitzero"`
}

type quarantined struct {
	Namespace string    `json:"namespace,omitzero"`
	Name      string    `json:"name"`
	Since     time.Time `json:"since,omitzero"`
	Err       string    `json:"error"`
}

type handler struct {
	Name           string  `json:"name"`
	Synced         bool    `json:"synced"`
	Lag            int     `json:"lag"`
	LagTimeSeconds float64 `json:"lagTimeSeconds"`
	Handled        int64   `json:"handled"`
	Merged         int64   `json:"merged"`
	Panics         int64   `json:"panics"`
}

type indexError struct {
	Index     string `json:"index"`
	Namespace string `json:"namespace,omitzero"`
	Name      string `json:"name"`
	Err       string `json:"error"`
}

// fromWorst is in which order informers are shown, by their phases.
var fromWorst = []cache.Phase{
	cache.PhaseFailed, cache.PhaseStale, cache.PhaseStarting, cache.PhaseListing,
	cache.PhaseSyncing, cache.PhaseLive, cache.PhaseStopped,
}

// newPage shows states as of now.
func newPage(states []cache.State, now time.Time) page {
	p := page{Time: now, Informers: []informer{}}
	for _, state := range states {
		p.Informers = append(p.Informers, newInformer(state, now))
	}
	slices.SortStableFunc(p.Informers, func(a, b informer) int {
		return cmp.Or(
			cmp.Compare(slices.Index(fromWorst, a.Phase), slices.Index(fromWorst, b.Phase)),
			cmp.Compare(a.Name, b.Name),
			cmp.Compare(a.Type, b.Type),
		)
	})
	return p
}

func newInformer(s cache.State, now time.Time) informer {
	i := informer{
		Name:                s.Name,
		Type:                s.Type,
		Started:             s.Started,
		Phase:               s.Phase,
		Err:                 text(s.Err),
		ResourceVersion:     s.ResourceVersion,
		Objects:             s.Objects,
		QueueDepth:          s.QueueDepth,
		LastEvent:           s.LastEvent,
		LastEventAgeSeconds: age(s.LastEvent, now),
	}
	for _, from := range s.Sources {
		i.Sources = append(i.Sources, newSource(from, now))
	}
	for _, h := range s.Handlers {
		i.Handlers = append(i.Handlers, handler{
			Name: h.Name, Synced: h.Synced, Lag: h.Lag, LagTimeSeconds: h.LagTime.Seconds(),
			Handled: h.Handled, Merged: h.Merged, Panics: h.Panics,
		})
	}
	for _, e := range s.IndexErrors {
		i.IndexErrors = append(i.IndexErrors, indexError{
			Index: e.Index, Namespace: e.Name.Namespace, Name: e.Name.Name, Err: text(e.Err),
		})
	}
	return i
}

func newSource(s cache.SourceState, now time.Time) source {
	from := source{
		Namespace:           s.Namespace,
		Phase:               s.Phase,
		Since:               s.Since,
		Doing:               s.Doing,
		Err:                 text(s.Err),
		LastErr:             s.LastErr,
		Failures:            s.Failures,
		ResourceVersion:     s.ResourceVersion,
		LastEvent:           s.LastEvent,
		LastEventAgeSeconds: age(s.LastEvent, now),
		Lists:               s.Lists,
		Watches:             s.Watches,
		Events:              s.Events,
	}
	for _, q := range s.Quarantined {
		from.Quarantined = append(from.Quarantined, quarantined{
			Namespace: q.Name.Namespace, Name: q.Name.Name, Since: q.Since, Err: text(q.Err),
		})
	}
	return from
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// age returns for how many seconds something is past, 0 if it is not known when it was.
func age(at, now time.Time) float64 {
	if at.IsZero() {
		return 0
	}
	return now.Sub(at).Seconds()
}

// Troubles returns what is wrong, in words.
func (i informer) Troubles() []string {
	var all []string
	if i.Err != "" {
		all = append(all, i.Err)
	}
	var panics int64
	for _, h := range i.Handlers {
		panics += h.Panics
	}
	for _, count := range []struct {
		n          int64
		noun, what string
	}{
		{int64(len(i.Quarantined())), "object", "undecodable, kept in the last good state"},
		{int64(len(i.IndexErrors)), "object", "missing from an index"},
		{panics, "panic", "in handlers"},
	} {
		if count.n == 1 {
			all = append(all, "1 "+count.noun+" "+count.what)
		} else if count.n > 1 {
			all = append(all, fmt.Sprintf("%d %ss %s", count.n, count.noun, count.what))
		}
	}
	return all
}

// Quarantined returns the undecodable objects of all sources.
func (i informer) Quarantined() []quarantined {
	var all []quarantined
	for _, s := range i.Sources {
		all = append(all, s.Quarantined...)
	}
	return all
}

// Lag returns how many changes the handler that is furthest behind has yet to be told of.
func (i informer) Lag() int {
	most := 0
	for _, h := range i.Handlers {
		most = max(most, h.Lag)
	}
	return most
}

// Label returns what an informer's phase is called on the page.
func (i informer) Label() string {
	if i.Phase == cache.PhaseStarting && !i.Started {
		return "not started"
	}
	return string(i.Phase)
}

// phaseCount is how many informers are in a phase.
type phaseCount struct {
	Phase cache.Phase
	Label string
	N     int
}

// Counts returns the phases that there are, the worst first.
func (p page) Counts() []phaseCount {
	var all []phaseCount
	for _, i := range p.Informers {
		at := slices.IndexFunc(all, func(c phaseCount) bool { return c.Label == i.Label() })
		if at < 0 {
			at = len(all)
			all = append(all, phaseCount{Phase: i.Phase, Label: i.Label()})
		}
		all[at].N++
	}
	return all
}
