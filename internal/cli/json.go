package cli

import (
	"encoding/json"
	"io"

	"github.com/listwatch/listwatch/generators"
	"github.com/listwatch/listwatch/internal/fields"
)

// jsonResult is the object that --format=json prints. docs/output.md documents it; fields are added, never
// changed or removed.
type jsonResult struct {
	Tool        string           `json:"tool"`
	Mode        mode             `json:"mode,omitempty"`
	ExitCode    int              `json:"exitCode"`
	Diagnostics []jsonDiagnostic `json:"diagnostics"`
	Changes     []jsonChange     `json:"changes"`
	Kinds       []jsonKind       `json:"kinds,omitempty"`
	Diff        string           `json:"diff,omitempty"`
	Summary     *jsonSummary     `json:"summary,omitempty"`
	Next        []string         `json:"next,omitempty"`
	Timings     []jsonTiming     `json:"timings,omitempty"`
}

type jsonDiagnostic struct {
	File     string   `json:"file,omitempty"`
	Line     int      `json:"line,omitempty"`
	Column   int      `json:"column,omitempty"`
	Severity severity `json:"severity"`
	Message  string   `json:"message"`
	// Edits correct the file.
	Edits []jsonEdit `json:"edits,omitempty"`
	// Change is what the message of --check-breaking is about.
	Change *jsonAPIChange `json:"change,omitempty"`
}

// jsonAPIChange is a change since a commit.
type jsonAPIChange struct {
	Breaks      []string `json:"breaks"`
	Group       string   `json:"group,omitempty"`
	Version     string   `json:"version,omitempty"`
	Kind        string   `json:"kind,omitempty"`
	Path        string   `json:"path,omitempty"`
	Package     string   `json:"package,omitempty"`
	Declaration string   `json:"declaration,omitempty"`
	Removed     bool     `json:"removed,omitempty"`
	Ratcheted   bool     `json:"ratcheted,omitempty"`
}

// effects are the names of what a change breaks.
var effects = map[generators.Effect]string{
	generators.BreaksClients: "clients",
	generators.BreaksObjects: "objects",
	generators.BreaksGo:      "go",
}

func newJSONAPIChange(c *generators.APIChange) *jsonAPIChange {
	if c == nil {
		return nil
	}
	change := &jsonAPIChange{
		Breaks: []string{}, Group: c.Group, Version: c.Version, Kind: c.Kind,
		Package: c.Package, Declaration: c.Declaration, Removed: c.Removed, Ratcheted: c.Ratcheted,
	}
	for _, effect := range c.Effect.Each() {
		change.Breaks = append(change.Breaks, effects[effect])
	}
	if len(c.Path) > 0 {
		change.Path = c.Path.String()
	}
	return change
}

// jsonEdit replaces a part of a line, or removes the line.
type jsonEdit struct {
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Old    string `json:"old"`
	New    string `json:"new"`
	Cut    bool   `json:"cut,omitempty"`
}

type jsonChange struct {
	Op   generators.Op `json:"op"`
	File string        `json:"file"`
}

type jsonSummary struct {
	Text      string `json:"text"`
	Written   *int   `json:"written,omitempty"`
	Unchanged *int   `json:"unchanged,omitempty"`
	Removed   *int   `json:"removed,omitempty"`

	Kinds         int `json:"kinds,omitempty"`
	Copies        int `json:"copies,omitempty"`
	Registrations int `json:"registrations,omitempty"`
	CRDs          int `json:"crds,omitempty"`
	Permissions   int `json:"permissions,omitempty"`
	Webhooks      int `json:"webhooks,omitempty"`
}

// jsonKind is what a program reads of a kind.
type jsonKind struct {
	Type    string      `json:"type"`
	Keep    []string    `json:"keep"`
	Unread  []string    `json:"unread,omitempty"`
	Fields  []jsonField `json:"fields"`
	Escapes []jsonPlace `json:"escapes"`
}

type jsonField struct {
	Path     string      `json:"path"`
	Presence bool        `json:"presence,omitempty"`
	Places   []jsonPlace `json:"places"`
}

type jsonPlace struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Reason string `json:"reason,omitempty"`
}

func newJSONKind(k *fields.Kind) jsonKind {
	kind := jsonKind{Type: k.Type, Keep: append([]string{}, k.Paths()...), Unread: k.Unread(), Fields: []jsonField{}, Escapes: newJSONPlaces(k.Escapes)}
	for _, f := range k.Reads {
		kind.Fields = append(kind.Fields, jsonField{Path: f.Path, Presence: f.Presence, Places: newJSONPlaces(f.Places)})
	}
	return kind
}

func newJSONPlaces(places []fields.Place) []jsonPlace {
	list := []jsonPlace{}
	for _, p := range places {
		list = append(list, jsonPlace{shown(p.Filename), p.Line, p.Column, p.Reason})
	}
	return list
}

type jsonTiming struct {
	Step         string  `json:"step"`
	Milliseconds float64 `json:"milliseconds"`
}

// printJSON prints a result as one object.
func printJSON(r result, stdout io.Writer) {
	out := jsonResult{
		Tool: r.tool, Mode: r.mode, ExitCode: r.code, Diff: string(r.diff), Next: r.next,
		Diagnostics: []jsonDiagnostic{}, Changes: []jsonChange{}, Kinds: r.kinds,
	}
	for _, d := range r.diagnostics {
		found := jsonDiagnostic{File: d.pos.Filename, Line: d.pos.Line, Column: d.pos.Column, Severity: d.severity, Message: d.message, Change: newJSONAPIChange(d.change)}
		for _, e := range d.edits {
			found.Edits = append(found.Edits, jsonEdit{e.Line, e.Column, e.Old, e.New, e.Cut})
		}
		out.Diagnostics = append(out.Diagnostics, found)
	}
	if r.failure != nil {
		out.Diagnostics = append(out.Diagnostics, jsonDiagnostic{Severity: severityError, Message: r.failure.Error()})
	}
	for _, c := range r.changes {
		out.Changes = append(out.Changes, jsonChange{c.op, c.path})
	}
	if r.summary != "" {
		c := r.contents
		out.Summary = &jsonSummary{Text: r.summary, Kinds: c.kinds, Copies: c.copies, Registrations: c.registrations, CRDs: c.crds, Permissions: c.permissions, Webhooks: c.webhooks}
	}
	if n := r.counts; n != nil {
		out.Summary.Written, out.Summary.Unchanged, out.Summary.Removed = &n.written, &n.unchanged, &n.removed
	}
	for _, timing := range r.timings {
		out.Timings = append(out.Timings, jsonTiming{timing.Step, milliseconds(timing.Took)})
	}
	encoder := json.NewEncoder(stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(out) // to the terminal: there is nobody left to tell
}
