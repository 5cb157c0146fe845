package debug_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/debug"
)

// parsed returns the page of states.
func parsed(t *testing.T, states []cache.State) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(body(t, get(debug.HandlerFor(func() []cache.State { return states }), "/"))))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// elements returns the elements of a name below a node.
func elements(node *html.Node, name string) []*html.Node {
	var all []*html.Node
	for n := range node.Descendants() {
		if n.Type == html.ElementNode && n.Data == name {
			all = append(all, n)
		}
	}
	return all
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// text returns the text of a node, with single spaces.
func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func within(n *html.Node, name string) bool {
	for p := range n.Ancestors() {
		if p.Data == name {
			return true
		}
	}
	return false
}

func TestStructure(t *testing.T) {
	root := parsed(t, fleet(time.Now()))
	if n := len(elements(root, "main")); n != 1 {
		t.Errorf("%d elements main", n)
	}
	for _, name := range []string{"table", "section"} {
		for _, n := range elements(root, name) {
			if !within(n, "main") {
				t.Errorf("a %s is outside of main: %.60s", name, text(n))
			}
		}
	}
	if n := len(elements(root, "h1")); n != 1 {
		t.Errorf("%d elements h1", n)
	}
	viewport := slices.ContainsFunc(elements(root, "meta"), func(n *html.Node) bool {
		return attribute(n, "name") == "viewport" && strings.Contains(attribute(n, "content"), "width=device-width")
	})
	if !viewport {
		t.Error("no viewport as wide as the device")
	}
	if style := text(elements(root, "style")[0]); !strings.Contains(style, "@media (max-width:") {
		t.Error("no style for narrow screens")
	}
}

// Each cell belongs to a row and a column, for screen readers and for narrow screens that show one
// column.
func TestTables(t *testing.T) {
	tables := elements(parsed(t, fleet(time.Now())), "table")
	if len(tables) < 10 {
		t.Fatalf("only %d tables", len(tables))
	}
	for _, table := range tables {
		var columns []string
		for _, th := range elements(elements(table, "thead")[0], "th") {
			if attribute(th, "scope") != "col" {
				t.Errorf("heading %q has scope %q", text(th), attribute(th, "scope"))
			}
			columns = append(columns, text(th))
		}
		for _, row := range elements(elements(table, "tbody")[0], "tr") {
			heads, cells := elements(row, "th"), elements(row, "td")
			if len(heads) != 1 || attribute(heads[0], "scope") != "row" || len(cells) != len(columns)-1 {
				t.Fatalf("under %q: row with %d headings and %d cells: %s", columns, len(heads), len(cells), text(row))
			}
			for i, cell := range cells {
				if got := attribute(cell, "data-label"); got != columns[i+1] {
					t.Errorf("a cell in column %q is labelled %q", columns[i+1], got)
				}
			}
		}
	}
}

func TestHeadingsDiffer(t *testing.T) {
	ships := schema.GroupVersionResource{Group: "fleet.example.com", Version: "v1", Resource: "ships"}
	base := cache.State{Type: "*v1.Ship", Resource: ships, Owner: "a/a.go:1", Started: true, Phase: cache.PhaseLive, Sources: []cache.SourceState{{Phase: cache.PhaseLive}}}
	change := func(f func(*cache.State)) cache.State {
		state := base
		f(&state)
		return state
	}
	states := []cache.State{
		base,
		base, // a twin
		base,
		change(func(s *cache.State) { s.Resource.Group = "other.example.com" }),
		change(func(s *cache.State) { s.Resource.Version = "v2" }),
		change(func(s *cache.State) { s.Resource.Resource = "boats" }),
		change(func(s *cache.State) { s.Resource = schema.GroupVersionResource{} }),
		change(func(s *cache.State) { s.LabelSelector = "a=b" }),
		change(func(s *cache.State) { s.FieldSelector = "a=b" }),
		change(func(s *cache.State) { s.Sources = []cache.SourceState{{Namespace: "north", Phase: cache.PhaseLive}} }),
		change(func(s *cache.State) { s.Owner = "b/b.go:2" }),
		change(func(s *cache.State) { s.Name = "controller" }),
	}
	seen, ids := map[string]bool{}, map[string]bool{}
	root := parsed(t, states)
	for _, h2 := range elements(root, "h2") {
		if heading := text(h2); seen[heading] {
			t.Errorf("two informers are called %q", heading)
		} else {
			seen[heading] = true
		}
		ids["#"+attribute(h2, "id")] = true
	}
	if len(seen) != len(states) || len(ids) != len(states) {
		t.Errorf("%d headings and %d ids for %d informers", len(seen), len(ids), len(states))
	}
	for _, link := range elements(elements(root, "table")[0], "a") {
		if !ids[attribute(link, "href")] {
			t.Errorf("a link leads to %q", attribute(link, "href"))
		}
	}
}

func TestManyNamespacesAreFolded(t *testing.T) {
	for _, test := range []struct {
		name          string
		sources       int
		shown, folded int
		summary       string
		scope         string
	}{
		{"three", 3, 3, 0, "", "namespaces port-00, port-01, port-02"},
		{"at the limit", 5, 5, 0, "", "namespaces port-00, port-01, port-02 and 2 more"},
		{"above the limit", 6, 1, 5, "5 more namespaces: 5 live", "namespaces port-00, port-01, port-02 and 3 more"},
		{"many", 100, 5, 95, "95 more namespaces: 5 stale, 90 live", "namespaces port-00, port-01, port-02 and 97 more"},
	} {
		t.Run(test.name, func(t *testing.T) {
			now := time.Now()
			root := parsed(t, []cache.State{{
				Type: "*v1.Cargo", Started: true, Phase: cache.PhaseStale,
				Sources: ports(test.sources, func(d time.Duration) time.Time { return now.Add(-d) }),
			}})
			shown, folded := 0, 0
			for _, row := range elements(elements(root, "section")[0], "tr") {
				switch {
				case within(row, "thead"):
				case within(row, "details"):
					folded++
				default:
					shown++
				}
			}
			if shown != test.shown || folded != test.folded {
				t.Errorf("%d namespaces are shown and %d folded, want %d and %d", shown, folded, test.shown, test.folded)
			}
			summary := ""
			for _, s := range elements(root, "summary") {
				summary += text(s)
			}
			if summary != test.summary {
				t.Errorf("the fold is called %q, want %q", summary, test.summary)
			}
			if got := text(elements(root, "h2")[0]); !strings.Contains(got, test.scope) {
				t.Errorf("%q does not contain %q", got, test.scope)
			}
		})
	}
}

// Each row has one time: the last event, or how long there has been no data.
func TestDataOfSources(t *testing.T) {
	now := time.Now()
	for _, test := range []struct {
		phase     cache.Phase
		lastEvent time.Time
		want      string
	}{
		{cache.PhaseLive, now.Add(-90 * time.Second), "event 1m30s ago"},
		{cache.PhaseLive, time.Time{}, "no event yet"},
		{cache.PhaseSyncing, time.Time{}, "no event yet"},
		{cache.PhaseStopped, now.Add(-90 * time.Second), "event 1m30s ago"},
		{cache.PhaseStale, now.Add(-90 * time.Second), "no data for 40s"},
		{cache.PhaseFailed, time.Time{}, "no data for 40s"},
		{cache.PhaseListing, time.Time{}, "no data for 40s"},
	} {
		t.Run(fmt.Sprint(test.phase, " ", test.want), func(t *testing.T) {
			since := now.Add(-40 * time.Second)
			root := parsed(t, []cache.State{{
				Type: "*v1.Ship", Started: true, Phase: test.phase, LastEvent: test.lastEvent,
				Sources: []cache.SourceState{{Phase: test.phase, Since: since, LastEvent: test.lastEvent}},
			}})
			cells := 0
			for _, cell := range elements(root, "td") {
				if attribute(cell, "data-label") != "Data" {
					continue
				}
				cells++
				if got := text(cell); got != test.want {
					t.Errorf("got %q, want %q", got, test.want)
				}
			}
			if cells != 2 {
				t.Errorf("%d cells with data, want that of the informer and that of the source", cells)
			}
		})
	}
}
