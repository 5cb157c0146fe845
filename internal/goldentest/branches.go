package goldentest

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"text/template"
	"text/template/parse"

	"github.com/listwatch/listwatch/internal/observe"
)

// branches records which branches of templates were executed. A branch is a list of actions that
// are executed together: a template, a body of if, with, range or else, or the missing else of an
// if or with. The zero value has recorded no template.
type branches struct {
	mu sync.Mutex
	// run contains each branch by its position, and whether it was executed; guarded by mu.
	run map[string]bool
}

// execute executes all templates of outputs again, marked.
func (b *branches) execute(outputs []observe.Output) error {
	for _, o := range outputs {
		marked, err := b.mark(o.Templates)
		if err != nil {
			return err
		}
		for _, p := range o.Prints {
			if err := marked.ExecuteTemplate(io.Discard, p.Template, p.Data); err != nil {
				return err
			}
		}
	}
	return nil
}

// missed returns the positions of the branches that were not executed.
func (b *branches) missed() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var places []string
	for _, place := range slices.Sorted(maps.Keys(b.run)) {
		if !b.run[place] {
			places = append(places, place)
		}
	}
	return places
}

// Executed fails for the branches of the templates of outputs that none of them executes.
func Executed(t *testing.T, outputs []observe.Output) {
	t.Helper()
	var run branches
	if err := run.execute(outputs); err != nil {
		t.Fatal(err)
	}
	for _, place := range run.missed() {
		t.Errorf("no case executes %s; add one that does", place)
	}
}

// reached is the function with which marked templates report that a branch is executed.
const reached = "reached"

// mark returns a copy of templates in which each branch reports that it is executed.
func (b *branches) mark(templates *template.Template) (*template.Template, error) {
	marked, err := templates.Clone()
	if err != nil {
		return nil, err
	}
	marked.Funcs(template.FuncMap{reached: func(place string) string {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.run[place] = true
		return ""
	}})
	for _, t := range marked.Templates() {
		if parse.IsEmptyTree(t.Root) {
			continue // a file that only defines others
		}
		m := marker{branches: b, tree: t.Copy()}
		m.list(m.tree.Root, m.tree.Root, "")
		if m.err != nil {
			return nil, m.err
		}
		if _, err := marked.AddParseTree(t.Name(), m.tree); err != nil {
			return nil, err
		}
	}
	return marked, nil
}

// marker marks the branches of a template.
type marker struct {
	branches *branches
	tree     *parse.Tree
	err      error
}

// list marks a list, which belongs to a node, and the lists below it.
func (m *marker) list(list *parse.ListNode, of parse.Node, suffix string) {
	for _, node := range list.Nodes {
		switch n := node.(type) {
		case *parse.IfNode:
			m.branch(&n.BranchNode, n, true)
		case *parse.WithNode:
			m.branch(&n.BranchNode, n, true)
		case *parse.RangeNode:
			m.branch(&n.BranchNode, n, false)
		}
	}
	list.Nodes = append([]parse.Node{m.call(of, suffix)}, list.Nodes...)
}

// branch marks the bodies of a node. A missing else counts if bare.
func (m *marker) branch(n *parse.BranchNode, of parse.Node, bare bool) {
	m.list(n.List, of, "")
	switch {
	case n.ElseList != nil:
		m.list(n.ElseList, of, ", else")
	case bare:
		n.ElseList = &parse.ListNode{NodeType: parse.NodeList}
		m.list(n.ElseList, of, ", not so")
	}
}

// call returns the action with which a branch reports that it is executed.
func (m *marker) call(of parse.Node, suffix string) parse.Node {
	at, context := m.tree.ErrorContext(of)
	place := fmt.Sprintf("template %q, %s%s", m.tree.Name, at, suffix)
	if of != m.tree.Root {
		condition, _, _ := strings.Cut(context, "}}")
		place += ": " + condition + "}}"
	}
	m.branches.mu.Lock()
	defer m.branches.mu.Unlock()
	if m.branches.run == nil {
		m.branches.run = map[string]bool{}
	}
	if _, known := m.branches.run[place]; !known {
		m.branches.run[place] = false
	}
	trees, err := parse.Parse("", "{{"+reached+" "+strconv.Quote(place)+"}}", "", "", map[string]any{reached: fmt.Sprint})
	if err != nil {
		m.err = err
		return &parse.TextNode{NodeType: parse.NodeText}
	}
	return trees[""].Root.Nodes[0]
}
