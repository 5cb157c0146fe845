package debug

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/listwatch/listwatch/runtime/cache"
)

// page is the content of both formats.
type page struct {
	Time      time.Time  `json:"time"`
	Informers []informer `json:"informers"`
	Refresh   int        `json:"-"` // seconds, 0 for never
}

type informer struct {
	Name                string       `json:"name,omitzero"`
	Type                string       `json:"type"`
	Resource            resource     `json:"resource,omitzero"`
	Owner               string       `json:"owner,omitzero"`
	LabelSelector       string       `json:"labelSelector,omitzero"`
	FieldSelector       string       `json:"fieldSelector,omitzero"`
	Started             bool         `json:"started"`
	Phase               cache.Phase  `json:"phase"`
	Err                 string       `json:"error,omitzero"`
	ResourceVersion     string       `json:"resourceVersion,omitzero"`
	Objects             int          `json:"objects"`
	Bytes               int64        `json:"bytes"`
	Largest             largest      `json:"largest,omitzero"`
	Packed              *packed      `json:"packed,omitempty"`
	QueueDepth          int          `json:"queueDepth"`
	LastEvent           time.Time    `json:"lastEvent,omitzero"`
	LastEventAgeSeconds float64      `json:"lastEventAgeSeconds,omitzero"`
	NoDataSeconds       float64      `json:"noDataSeconds,omitzero"`
	Sources             []source     `json:"sources,omitzero"`
	Handlers            []handler    `json:"handlers,omitzero"`
	IndexErrors         []indexError `json:"indexErrors,omitzero"`
	SlowFields          []slowField  `json:"slowFields,omitzero"`

	Twin int `json:"-"` // 2 for the second informer that would have the same heading, and so on
}

type resource struct {
	Group    string `json:"group,omitzero"`
	Version  string `json:"version"`
	Resource string `json:"resource"`
}

// largest is the object that takes most memory.
type largest struct {
	Namespace string `json:"namespace,omitzero"`
	Name      string `json:"name"`
	Bytes     int64  `json:"bytes"`
}

// packed describes packed objects.
type packed struct {
	Decoded      int   `json:"decoded"`
	Decodes      int64 `json:"decodes"`
	Whole        int64 `json:"whole"`
	Dictionaries int   `json:"dictionaries"`
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
	NoDataSeconds       float64       `json:"noDataSeconds,omitzero"`
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

// slowField is a field that takes long to decode.
type slowField struct {
	Path   string `json:"path,omitzero"` // empty for the whole object
	Type   string `json:"type"`
	Reason string `json:"reason"`
}

type indexError struct {
	Index     string `json:"index"`
	Namespace string `json:"namespace,omitzero"`
	Name      string `json:"name"`
	Err       string `json:"error"`
}

// fromWorst is the order in which informers are shown, by phase.
var fromWorst = []cache.Phase{
	cache.PhaseFailed, cache.PhaseStale, cache.PhaseStarting, cache.PhaseListing,
	cache.PhaseSyncing, cache.PhaseLive, cache.PhaseStopped,
}

// newPage returns the page of states as of now.
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
	twins := map[string]int{}
	for i := range p.Informers {
		heading := p.Informers[i].heading()
		twins[heading]++
		p.Informers[i].Twin = twins[heading]
	}
	return p
}

func newInformer(s cache.State, now time.Time) informer {
	i := informer{
		Name:                s.Name,
		Type:                s.Type,
		Resource:            resource(s.Resource),
		Owner:               s.Owner,
		LabelSelector:       s.LabelSelector,
		FieldSelector:       s.FieldSelector,
		Started:             s.Started,
		Phase:               s.Phase,
		Err:                 text(s.Err),
		ResourceVersion:     s.ResourceVersion,
		Objects:             s.Objects,
		Bytes:               s.Bytes,
		Largest:             largest{s.Largest.Namespace, s.Largest.Name, s.LargestBytes},
		QueueDepth:          s.QueueDepth,
		LastEvent:           s.LastEvent,
		LastEventAgeSeconds: age(s.LastEvent, now),
	}
	if s.Packed != nil {
		p := packed(*s.Packed)
		i.Packed = &p
	}
	for _, from := range s.Sources {
		i.Sources = append(i.Sources, newSource(from, now))
		if s.Started {
			i.NoDataSeconds = max(i.NoDataSeconds, noData(from, now))
		}
	}
	for _, h := range s.Handlers {
		i.Handlers = append(i.Handlers, handler{
			Name: h.Name, Synced: h.Synced, Lag: h.Lag, LagTimeSeconds: h.LagTime.Seconds(),
			Handled: h.Handled, Merged: h.Merged, Panics: h.Panics,
		})
	}
	for _, f := range s.SlowFields {
		i.SlowFields = append(i.SlowFields, slowField{Path: f.Path, Type: fmt.Sprint(f.Type), Reason: f.Reason})
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
		NoDataSeconds:       noData(s, now),
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

// age returns how many seconds at is before now, 0 if at is zero.
func age(at, now time.Time) float64 {
	if at.IsZero() {
		return 0
	}
	return now.Sub(at).Seconds()
}

// noData returns for how many seconds a source has had no data from the server: since its phase began, or 0 in
// phases in which it is up to date or has stopped.
func noData(s cache.SourceState, now time.Time) float64 {
	switch s.Phase {
	case cache.PhaseSyncing, cache.PhaseLive, cache.PhaseStopped:
		return 0
	default:
		return age(s.Since, now)
	}
}

// Troubles describes what is wrong.
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

// Lag returns how many events are yet to be delivered to the handler that is furthest behind.
func (i informer) Lag() int {
	most := 0
	for _, h := range i.Handlers {
		most = max(most, h.Lag)
	}
	return most
}

// Label returns the name of the informer's phase on the page.
func (i informer) Label() string {
	if i.Phase == cache.PhaseStarting && !i.Started {
		return "not started"
	}
	return string(i.Phase)
}

// phaseCount counts the informers in a phase.
type phaseCount struct {
	Phase cache.Phase
	Label string
	N     int
}

// Counts returns the phases that occur, the worst first.
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
