package document

import (
	"strconv"
	"strings"

	yamlnode "go.yaml.in/yaml/v3"
)

// Line returns the line of a field, by a path as API servers write it: spec.versions[0].schema, or with the key of a
// map in brackets. If the document has no such field, it is the line of the field that would contain it.
func (d *Document) Line(path string) int {
	if d.node == nil {
		return d.offset + 1
	}
	_, line := d.find(path)
	return d.offset + line
}

// TextLine returns the line of a file that has a line of a field's text, of which the first is 1: the field's own,
// unless the text is a literal block.
func (d *Document) TextLine(path string, line int) int {
	if d.node != nil {
		if node, _ := d.find(path); node != nil && node.Kind == yamlnode.ScalarNode && node.Style&yamlnode.LiteralStyle != 0 {
			return d.offset + node.Line + line
		}
	}
	return d.Line(path)
}

// find returns the node of a field, and the line of its key. The node is nil if there is no such field; the line is
// then that of the field that would contain it.
func (d *Document) find(path string) (node *yamlnode.Node, line int) {
	node, line = d.node, d.node.Line
	for path = strings.TrimPrefix(path, "."); path != ""; {
		child, at, rest := step(node, path)
		if child == nil {
			return nil, line
		}
		node, line, path = child, at, rest
	}
	return node, line
}

// Has reports whether a document has the field of a path.
func (d *Document) Has(path string) bool {
	node := d.node
	path = strings.TrimPrefix(path, ".")
	for node != nil && path != "" {
		node, _, path = step(node, path)
	}
	return node != nil
}

// step returns the child of a node with which a path begins, its line, and the rest of the path. The child is nil if
// there is none.
func step(node *yamlnode.Node, path string) (child *yamlnode.Node, line int, rest string) {
	if node == nil {
		return nil, 0, ""
	}
	switch node.Kind {
	case yamlnode.AliasNode:
		return step(node.Alias, path)
	case yamlnode.MappingNode:
		for i := 0; i+1 < len(node.Content); i += 2 {
			key := node.Content[i]
			// Keys may contain dots and brackets, so the longest one counts.
			if after, ok := cutKey(path, key.Value); ok && (child == nil || len(after) < len(rest)) {
				child, line, rest = node.Content[i+1], key.Line, after
			}
		}
	case yamlnode.SequenceNode:
		index, after, ok := strings.Cut(strings.TrimPrefix(path, "["), "]")
		n, err := strconv.Atoi(index)
		if ok && err == nil && n >= 0 && n < len(node.Content) {
			child, line, rest = node.Content[n], node.Content[n].Line, after
		}
	}
	return child, line, strings.TrimPrefix(rest, ".")
}

// cutKey returns a path without the key with which it begins, as a field or in brackets.
func cutKey(path, key string) (rest string, ok bool) {
	for _, form := range []string{key, "[" + key + "]"} {
		rest, ok = strings.CutPrefix(path, form)
		if ok && key != "" && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return rest, true
		}
	}
	return "", false
}
