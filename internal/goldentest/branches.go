package goldentest

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/template"
	"text/template/parse"

	"github.com/listwatch/listwatch/generators"
)

// A branch is a list of actions of a template that are executed together: a template, a body of if,
// with, range or else, or the missing else of an if or with. It is known by its position.

// coverage describes which branches files execute.
type coverage struct {
	// all are the branches of the templates.
	all places
	// files contains what each file executes, by its name.
	files map[string]places
}

// places is a set of branches.
type places map[string]bool

// cover executes the templates of trees, marked, for all of their files. name returns the name of a
// file.
func cover(trees []generators.Tree, runtime generators.Runtime, name func(generators.Tree, generators.File) string) (*coverage, error) {
	c := &coverage{all: places{}, files: map[string]places{}}
	for _, tree := range trees {
		templates, err := tree.Parse(runtime)
		if err != nil {
			return nil, err
		}
		executed := places{}
		if err := c.mark(templates, func(place string) { executed[place] = true }); err != nil {
			return nil, err
		}
		for _, file := range tree.Files {
			if file.Template == "" {
				continue
			}
			clear(executed)
			if err := templates.ExecuteTemplate(io.Discard, file.Template, file.Data); err != nil {
				return nil, err
			}
			c.files[name(tree, file)] = maps.Clone(executed)
		}
	}
	return c, nil
}

// without returns the branches that are not in others, sorted.
func (p places) without(others places) []string {
	var rest []string
	for _, place := range slices.Sorted(maps.Keys(p)) {
		if !others[place] {
			rest = append(rest, place)
		}
	}
	return rest
}

// Executed fails for the branches of the templates of trees that none of their files executes.
func Executed(t *testing.T, trees []generators.Tree) {
	t.Helper()
	c, err := cover(trees, generators.Listwatch, func(tree generators.Tree, file generators.File) string { return tree.Place.Pkg + "/" + file.Path })
	if err != nil {
		t.Fatal(err)
	}
	executed := places{}
	for _, file := range c.files {
		maps.Copy(executed, file)
	}
	reportMissed(t, c.all.without(executed))
}

// reportMissed fails for branches that no case executes.
func reportMissed(t *testing.T, missed []string) {
	t.Helper()
	for _, place := range missed {
		t.Errorf("no case executes %s; add one that does", place)
	}
}

// reached is the function with which marked templates report that a branch is executed.
const reached = "reached"

// mark adds the branches of templates to c, and makes each report that it is executed.
func (c *coverage) mark(templates *template.Template, report func(place string)) error {
	templates.Funcs(template.FuncMap{reached: func(place string) string {
		report(place)
		return ""
	}})
	for _, t := range templates.Templates() {
		if parse.IsEmptyTree(t.Root) {
			continue // a file that only defines others
		}
		m := marker{all: c.all, tree: t.Tree}
		m.list(m.tree.Root, m.tree.Root, "")
		if m.err != nil {
			return m.err
		}
	}
	return nil
}

// marker marks the branches of a template.
type marker struct {
	all  places
	tree *parse.Tree
	err  error
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
	m.all[place] = true
	trees, err := parse.Parse("", "{{"+reached+" "+strconv.Quote(place)+"}}", "", "", map[string]any{reached: fmt.Sprint})
	if err != nil {
		m.err = err
		return &parse.TextNode{NodeType: parse.NodeText}
	}
	return trees[""].Root.Nodes[0]
}
