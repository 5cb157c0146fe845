package shards

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"text/tabwriter"
	"time"
)

// String returns the state as a text of some lines: what the member does, why it waits, the members with their slots, and
// the slots that are handed over.
func (s State) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "ring %s/%s, %d slots by %s, epoch %d, ", s.Namespace, s.Name, s.Slots, s.Key, s.Epoch)
	if s.Coordinator == "" {
		b.WriteString("no coordinator\n")
	} else {
		fmt.Fprintf(&b, "coordinator %s\n", s.Coordinator)
	}
	fmt.Fprintf(&b, "member %s, ", s.Identity)
	if s.InTerm {
		fmt.Fprintf(&b, "may work for another %s\n", s.Left.Round(100*time.Millisecond))
	} else {
		b.WriteString("may not work\n")
	}
	fmt.Fprintf(&b, "  owns %s\n", some(s.Owned))
	if len(s.Releasing) > 0 {
		fmt.Fprintf(&b, "  releases %s\n", some(s.Releasing))
	}
	for _, reason := range s.Waits {
		fmt.Fprintf(&b, "  waits: %s\n", reason)
	}
	if s.Err != nil {
		fmt.Fprintf(&b, "  error: %v\n", s.Err)
	}
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	if len(s.Members) > 0 {
		_, _ = fmt.Fprint(table, "\nMEMBER\tOWNS\n")
	}
	for _, m := range s.Members {
		_, _ = fmt.Fprintf(table, "%s\t%s\n", m.Identity, some(m.Slots))
	}
	if len(s.Moves) > 0 {
		_, _ = fmt.Fprint(table, "\nSLOT\tFROM\tTO\tSINCE EPOCH\n")
	}
	for _, m := range s.Moves {
		_, _ = fmt.Fprintf(table, "%d\t%s\t%s\t%d\n", m.Slot, m.From, m.To, m.Epoch)
	}
	_ = table.Flush() // into a builder, which does not fail
	return b.String()
}

func some(slots []int) string {
	switch len(slots) {
	case 0:
		return "no slots"
	case 1:
		return "1 slot: " + text(slots)
	default:
		return fmt.Sprintf("%d slots: %s", len(slots), text(slots))
	}
}

// ServeHTTP serves the state as a page of plain text, or with ?format=json as JSON: a debug page, which requires no
// credentials and changes nothing. Mount it where only those can reach it who may see the names of replicas.
func (r *Ring) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	s, header := r.State(), w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	if request.URL.Query().Get("format") != "json" {
		header.Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte(s.String())) // an error means that the client has disconnected
		return
	}
	header.Set("Content-Type", "application/json")
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	_ = e.Encode(s)
}

// MarshalJSON implements [json.Marshaler]: the field names are in lower camel case, and slots are texts like "0-3,7".
func (s State) MarshalJSON() ([]byte, error) {
	type member struct {
		Identity string  `json:"identity"`
		Term     string  `json:"term"`
		Slots    slotSet `json:"slots"`
	}
	type move struct {
		Slot  int    `json:"slot"`
		From  string `json:"from"`
		To    string `json:"to"`
		Epoch int    `json:"epoch"`
	}
	out := struct {
		Name        string   `json:"name"`
		Namespace   string   `json:"namespace"`
		Identity    string   `json:"identity"`
		Term        string   `json:"term"`
		InTerm      bool     `json:"inTerm"`
		LeftSeconds float64  `json:"leftSeconds"`
		Epoch       int      `json:"epoch"`
		Slots       int      `json:"slots"`
		Key         Key      `json:"key"`
		Coordinator string   `json:"coordinator,omitzero"`
		Owned       slotSet  `json:"owned"`
		Releasing   slotSet  `json:"releasing"`
		Members     []member `json:"members,omitzero"`
		Moves       []move   `json:"moves,omitzero"`
		Waits       []string `json:"waits,omitzero"`
		Err         string   `json:"error,omitzero"`
	}{
		Name: s.Name, Namespace: s.Namespace, Identity: s.Identity, Term: s.Term, InTerm: s.InTerm, LeftSeconds: s.Left.Seconds(),
		Epoch: s.Epoch, Slots: s.Slots, Key: s.Key, Coordinator: s.Coordinator, Owned: s.Owned, Releasing: s.Releasing, Waits: s.Waits,
	}
	for _, m := range s.Members {
		out.Members = append(out.Members, member{m.Identity, m.Term, m.Slots})
	}
	for _, m := range s.Moves {
		out.Moves = append(out.Moves, move(m))
	}
	if s.Err != nil {
		out.Err = s.Err.Error()
	}
	return json.Marshal(out)
}
