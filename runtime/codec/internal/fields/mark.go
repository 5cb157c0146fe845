package fields

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A mark is the content of metadata.selfLink of a cut object: markBegins with paths, several of them if several sets have
// cut it. API servers neither set the field nor store it.
const (
	markBegins    = "cut to "
	markSeparates = "," // the paths
	markJoins     = "; "
)

func markOf(paths []string) string { return markBegins + strings.Join(paths, markSeparates) }

// IsMark reports whether the content of a selfLink is the mark of a cut object.
func IsMark(selfLink string) bool { return strings.HasPrefix(selfLink, markBegins) }

// isMarkedBy reports whether an object with that selfLink was cut by the set of mark.
func isMarkedBy(selfLink, mark string) bool {
	return selfLink == mark || IsMark(selfLink) && slices.Contains(strings.Split(selfLink, markJoins), mark)
}

// markedAlso returns the mark of an object with that selfLink that was cut by the set of mark.
func markedAlso(selfLink, mark string) string {
	if IsMark(selfLink) {
		return selfLink + markJoins + mark
	}
	return mark
}

// setsOf returns the sets that have cut an object with that mark.
func setsOf(mark string) (sets []*Set, err error) {
	for one := range strings.SplitSeq(mark, markJoins) {
		var paths []string
		if list := strings.TrimPrefix(one, markBegins); list != "" {
			paths = strings.Split(list, markSeparates)
		}
		s, err := Parse(paths...)
		if err != nil {
			return nil, err
		}
		sets = append(sets, s)
	}
	return sets, nil
}

var errSendsMark = errors.New("it removes fields that were cut: compute it from a copy of the same object")

// CheckPatch returns an error if a merge patch that was computed from an object with that mark changes what was cut: if
// it has a list of which the object has not all, since the patch replaces the one of the server, or if it has the mark.
func CheckPatch(mark string, patch []byte) error {
	sets, err := setsOf(mark)
	if err != nil {
		return err
	}
	var content map[string]any
	if err := json.Unmarshal(patch, &content); err != nil {
		return err
	}
	if m, ok := content["metadata"].(map[string]any); ok {
		if _, has := m["selfLink"]; has {
			return errSendsMark
		}
	}
	for _, s := range sets {
		if path := s.root.cutList("", content); path != "" {
			return fmt.Errorf("it has the list %s, of which the object has not all", path)
		}
	}
	return nil
}

// cutList returns the path of a list in v of which n has not all, empty if there is none.
func (n *Node) cutList(path string, v any) string {
	switch v := v.(type) {
	case []any:
		return path
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			of := name
			if strings.HasPrefix(name, "$") {
				_, of, _ = strings.Cut(name, "/") // a directive of a strategic patch, such as the order of this list
			}
			child, kept := n.Child(of)
			if kept && child == nil {
				continue
			}
			if !kept {
				child = &Node{}
			}
			if found := child.cutList(strings.TrimPrefix(path+"."+name, "."), v[name]); found != "" {
				return found
			}
		}
	}
	return ""
}
