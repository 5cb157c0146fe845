// Package document reads manifests in YAML and JSON, and finds the lines of the fields in them.
package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	yamlnode "go.yaml.in/yaml/v3"
	kubeyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// Document is one of the documents of a file.
type Document struct {
	// JSON is the document as JSON. That of a document in JSON is as it was written.
	JSON []byte

	offset int            // the number of lines of the file before the text of node
	node   *yamlnode.Node // nil if only kubectl's YAML parser understands the text
}

// Fault is an error in the text of a file.
type Fault struct {
	Line    int // the first line is 1
	Message string
}

// Read returns the documents of a file, except those that contain only comments, and what is wrong with its text.
// Documents are separated and converted as kubectl does. A key that is twice in one map is a fault, although kubectl
// takes the last.
func Read(content []byte) (documents []*Document, faults []Fault) {
	parts, faults := split(content)
	for _, p := range parts {
		found, wrong := p.read()
		documents, faults = append(documents, found...), append(faults, wrong...)
	}
	return documents, faults
}

// part is the text between two separators.
type part struct {
	offset int // lines before it
	text   []byte
}

// split separates a file at the lines that begin with three hyphens.
func split(content []byte) (parts []part, faults []Fault) {
	const separator = "---"
	var current part
	line := 0
	for text := range bytes.Lines(content) {
		line++
		after, separates := bytes.CutPrefix(text, []byte(separator))
		if !separates {
			current.text = append(current.text, text...)
			continue
		}
		if after = bytes.TrimSpace(after); len(after) > 0 && after[0] != '#' {
			faults = append(faults, Fault{line, fmt.Sprintf("invalid document separator: nothing except a comment may follow %s", separator)})
		}
		parts = append(parts, current)
		current = part{offset: line}
	}
	return append(parts, current), faults
}

// read returns the documents of a part: several only if it is JSON.
func (p part) read() (documents []*Document, faults []Fault) {
	var malformed *json.SyntaxError
	if kubeyaml.IsJSONBuffer(p.text) {
		if documents, malformed = p.values(); malformed == nil {
			return documents, nil
		}
	}
	converted, err := yaml.YAMLToJSON(p.text)
	switch {
	case err != nil && malformed != nil:
		line := p.offset + 1 + bytes.Count(p.text[:malformed.Offset], []byte("\n"))
		return nil, []Fault{{line, "invalid JSON: " + malformed.Error()}}
	case err != nil:
		return nil, p.faults(err)
	}
	if string(converted) == "null" {
		return nil, nil
	}
	if _, err = yaml.YAMLToJSONStrict(p.text); err != nil {
		faults = p.faults(err)
	}
	return []*Document{{JSON: converted, offset: p.offset, node: parse(p.text)}}, faults
}

// values returns the JSON values in a part, or an error if it is something else: perhaps YAML in braces.
func (p part) values() ([]*Document, *json.SyntaxError) {
	var documents []*Document
	decoder := json.NewDecoder(bytes.NewReader(p.text))
	for {
		var value json.RawMessage
		err := decoder.Decode(&value)
		var malformed *json.SyntaxError
		switch {
		case errors.Is(err, io.EOF):
			return documents, nil
		case errors.As(err, &malformed):
			return nil, malformed
		case err != nil: // it ends within a value
			return nil, &json.SyntaxError{Offset: int64(len(p.text))}
		}
		before := p.text[:decoder.InputOffset()-int64(len(value))]
		documents = append(documents, &Document{JSON: value, offset: p.offset + bytes.Count(before, []byte("\n")), node: parse(value)})
	}
}

// parse returns the first node of a text; nil if it is invalid.
func parse(text []byte) *yamlnode.Node {
	var node yamlnode.Node
	if yamlnode.Unmarshal(text, &node) != nil || len(node.Content) == 0 {
		return nil
	}
	return node.Content[0]
}

// located is a message of the YAML parser about a line.
var located = regexp.MustCompile(`line (\d+): (.*)`)

// faults returns the messages of an error of the YAML parser.
func (p part) faults(err error) []Fault {
	var faults []Fault
	for _, m := range located.FindAllStringSubmatch(err.Error(), -1) {
		line, _ := strconv.Atoi(m[1]) // it consists of digits
		faults = append(faults, Fault{p.offset + line, "invalid YAML: " + m[2]})
	}
	if len(faults) == 0 {
		faults = []Fault{{p.offset + 1, "invalid YAML: " + strings.TrimPrefix(err.Error(), "yaml: ")}}
	}
	return faults
}

// Items returns the objects in a list, as kubectl reads it, and false for other objects. See [Items].
func (d *Document) Items() (documents []*Document, isList bool, err error) {
	objects, isList, err := Items(d.JSON)
	items, _, _ := step(d.node, "items")
	for i, object := range objects {
		item := &Document{JSON: object, offset: d.offset}
		if items != nil && i < len(items.Content) {
			item.node = items.Content[i]
		}
		documents = append(documents, item)
	}
	return documents, isList, err
}

// Items returns the objects in the field items of a v1 List, or of another object with such a field whose kind ends in
// List, like RoleList. Objects in the latter may lack a kind: then they have that of the list. isList is false for other
// objects.
func Items(object []byte) (items []json.RawMessage, isList bool, err error) {
	var list struct {
		APIVersion, Kind string
		Items            json.RawMessage
	}
	if json.Unmarshal(object, &list) != nil {
		return nil, false, nil
	}
	kind, isList := strings.CutSuffix(list.Kind, "List")
	mixed := kind == "" && (list.APIVersion == "v1" || list.APIVersion == "")
	if !isList || list.Items == nil || kind == "" && !mixed {
		return nil, isList && mixed, nil
	}
	if err = json.Unmarshal(list.Items, &items); err != nil {
		return nil, mixed, err
	}
	for i, item := range items {
		var fields map[string]json.RawMessage
		if mixed || json.Unmarshal(item, &fields) != nil || fields == nil || fields["kind"] != nil {
			continue
		}
		for name, value := range map[string]string{"apiVersion": list.APIVersion, "kind": kind} {
			if fields[name], err = json.Marshal(value); err != nil {
				return nil, true, err
			}
		}
		if items[i], err = json.Marshal(fields); err != nil {
			return nil, true, err
		}
	}
	return items, true, nil
}
