package jsonpath

import "fmt"

// NodeType is the type of a node. Each node embeds its own.
type NodeType int

// Type returns t.
func (t NodeType) Type() NodeType { return t }

func (t NodeType) String() string { return NodeTypeName[t] }

// The types of nodes.
const (
	NodeText NodeType = iota
	NodeArray
	NodeList
	NodeField
	NodeIdentifier
	NodeFilter
	NodeInt
	NodeFloat
	NodeWildcard
	NodeRecursive
	NodeUnion
	NodeBool
)

// NodeTypeName are the names of the types.
var NodeTypeName = map[NodeType]string{
	NodeText:       "NodeText",
	NodeArray:      "NodeArray",
	NodeList:       "NodeList",
	NodeField:      "NodeField",
	NodeIdentifier: "NodeIdentifier",
	NodeFilter:     "NodeFilter",
	NodeInt:        "NodeInt",
	NodeFloat:      "NodeFloat",
	NodeWildcard:   "NodeWildcard",
	NodeRecursive:  "NodeRecursive",
	NodeUnion:      "NodeUnion",
	NodeBool:       "NodeBool",
}

// Node is a part of a template.
type Node interface {
	Type() NodeType
	String() string
}

// ListNode is an action: each node is applied to what the one before selected. The root of a template is the list of
// its texts and actions.
type ListNode struct {
	NodeType
	Nodes []Node
}

func newList(nodes ...Node) *ListNode { return &ListNode{NodeList, nodes} }

func (l *ListNode) append(nodes ...Node) { l.Nodes = append(l.Nodes, nodes...) }

func (l *ListNode) String() string { return l.Type().String() }

// TextNode is a text outside of actions, or a quoted one.
type TextNode struct {
	NodeType
	Text string
}

func newText(text string) *TextNode { return &TextNode{NodeText, text} }

func (t *TextNode) String() string { return fmt.Sprintf("%s: %s", t.Type(), t.Text) }

// FieldNode selects a field of a struct, or the value of a key.
type FieldNode struct {
	NodeType
	Value string
}

func newField(name string) *FieldNode { return &FieldNode{NodeField, name} }

func (f *FieldNode) String() string { return fmt.Sprintf("%s: %s", f.Type(), f.Value) }

// IdentifierNode is "range" or "end".
type IdentifierNode struct {
	NodeType
	Name string
}

func newIdentifier(name string) *IdentifierNode { return &IdentifierNode{NodeIdentifier, name} }

func (f *IdentifierNode) String() string { return fmt.Sprintf("%s: %s", f.Type(), f.Name) }

// ParamsEntry is a number in the brackets of an array.
type ParamsEntry struct {
	Value int
	// Known is set if the template has the number, or it follows from the one before.
	Known bool
	// Derived is set for the end of a single element, which follows from its index.
	Derived bool
}

// ArrayNode selects elements of a list: from a first one to before an end, with a step.
type ArrayNode struct {
	NodeType
	Params [3]ParamsEntry
}

func newArray(params [3]ParamsEntry) *ArrayNode { return &ArrayNode{NodeArray, params} }

func (a *ArrayNode) String() string { return fmt.Sprintf("%s: %v", a.Type(), a.Params) }

// FilterNode selects the elements of a list for which a comparison holds, or, with the operator "exists", something
// is found.
type FilterNode struct {
	NodeType
	Left     *ListNode
	Right    *ListNode
	Operator string
}

func newFilter(left, right *ListNode, operator string) *FilterNode {
	return &FilterNode{NodeFilter, left, right, operator}
}

func (f *FilterNode) String() string {
	return fmt.Sprintf("%s: %s %s %s", f.Type(), f.Left, f.Operator, f.Right)
}

// IntNode is an integer.
type IntNode struct {
	NodeType
	Value int
}

func newInt(i int) *IntNode { return &IntNode{NodeInt, i} }

func (i *IntNode) String() string { return fmt.Sprintf("%s: %d", i.Type(), i.Value) }

// FloatNode is a number that is not an integer.
type FloatNode struct {
	NodeType
	Value float64
}

func newFloat(f float64) *FloatNode { return &FloatNode{NodeFloat, f} }

func (i *FloatNode) String() string { return fmt.Sprintf("%s: %f", i.Type(), i.Value) }

// WildcardNode selects all fields, values and elements.
type WildcardNode struct {
	NodeType
}

func newWildcard() *WildcardNode { return &WildcardNode{NodeWildcard} }

func (i *WildcardNode) String() string { return i.Type().String() }

// RecursiveNode selects all structs, maps and lists, at any depth.
type RecursiveNode struct {
	NodeType
}

func newRecursive() *RecursiveNode { return &RecursiveNode{NodeRecursive} }

func (r *RecursiveNode) String() string { return r.Type().String() }

// UnionNode selects what its actions select, one after the other.
type UnionNode struct {
	NodeType
	Nodes []*ListNode
}

func newUnion(nodes []*ListNode) *UnionNode { return &UnionNode{NodeUnion, nodes} }

func (u *UnionNode) String() string { return u.Type().String() }

// BoolNode is true or false.
type BoolNode struct {
	NodeType
	Value bool
}

func newBool(b bool) *BoolNode { return &BoolNode{NodeBool, b} }

func (b *BoolNode) String() string { return fmt.Sprintf("%s: %t", b.Type(), b.Value) }
