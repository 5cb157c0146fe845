package fields

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Set is a set of fields. It is safe for concurrent use.
type Set struct {
	paths []string
	root  *Node
	mark  string
	// withoutAnnotations has annotations be removed that InitialEvents has kept.
	withoutAnnotations bool

	checked sync.Map // reflect.Type to the result of Check, an error or nil
}

// Node says what is kept of a value.
type Node struct {
	whole bool // what is not in below is kept
	below map[string]*Node
}

// Child returns what is kept of the member of that name: nothing unless kept is true, and all of it if the node is nil.
func (n *Node) Child(name string) (child *Node, kept bool) {
	c, special := n.below[name]
	if !special || len(c.below) == 0 {
		return nil, n.whole && !special || special && c.whole
	}
	return c, true
}

// InitialEvents is what is kept of annotations that are left out: that of a bookmark of a watch, which is no object.
var InitialEvents = &Node{below: map[string]*Node{metav1.InitialEventsAnnotationKey: {whole: true}}}

// HasInitialEvents reports whether the text or message of annotations has the one that InitialEvents keeps.
func HasInitialEvents(text []byte) bool { return bytes.Contains(text, initialEventsKey) }

var initialEventsKey = []byte(metav1.InitialEventsAnnotationKey)

// always are the paths that each set has.
var always = []string{
	"kind", "apiVersion", "metadata.name", "metadata.namespace", "metadata.uid", "metadata.resourceVersion",
	"metadata.generation", "metadata.creationTimestamp", "metadata.deletionTimestamp",
}

// usually are the paths that each set has unless they are left out.
var usually = []string{"metadata.labels", annotations, "metadata.ownerReferences", "metadata.finalizers"}

const (
	annotations = "metadata.annotations"
	selfLink    = "metadata.selfLink"
)

// Parse returns the set of the fields with these paths. It has also the kind and, of the metadata, name, namespace, uid,
// resourceVersion, generation, creationTimestamp and deletionTimestamp, which cannot be left out, and labels,
// annotations, ownerReferences and finalizers, unless they are.
func Parse(paths ...string) (*Set, error) {
	s := &Set{paths: slices.Clone(paths), root: &Node{}, mark: markOf(paths)}
	all := slices.Concat([]string{"-" + selfLink}, always, usually)
	for _, path := range paths {
		if err := checkPath(path, paths); err != nil {
			return nil, err
		}
		if path == "-"+annotations {
			s.withoutAnnotations = true
			continue
		}
		all = append(all, path)
	}
	// What is above comes first, and what is given comes after the others, which it overrides.
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(strings.Count(a, "."), strings.Count(b, ".")) })
	for _, path := range all {
		s.root.add(path)
	}
	if s.withoutAnnotations {
		s.Metadata().below["annotations"] = InitialEvents
	}
	s.root.simplify()
	return s, nil
}

// checkPath returns an error if a path is invalid by itself, or contradicts another.
func checkPath(path string, all []string) error {
	name, left := strings.CutPrefix(path, "-")
	switch {
	case slices.Contains(strings.Split(name, "."), "") || strings.ContainsAny(name, ",; \t\n"):
		return fmt.Errorf("invalid path %q: want names with dots between them, such as spec.nodeName", path)
	case name == selfLink:
		return fmt.Errorf("invalid path %q: the field marks objects that were cut", path)
	case left && slices.Contains(all, name):
		return fmt.Errorf("path %q contradicts %q", path, name)
	case left && slices.ContainsFunc(always, func(a string) bool { return a == name || strings.HasPrefix(a, name+".") }):
		return fmt.Errorf("invalid path %q: %s cannot be left out", path, name)
	}
	return nil
}

// add adds a path. Those above it were added before.
func (n *Node) add(path string) {
	path, left := strings.CutPrefix(path, "-")
	for name := range strings.SplitSeq(path, ".") {
		next := n.below[name]
		if next == nil {
			if n.below == nil {
				n.below = map[string]*Node{}
			}
			next = &Node{whole: n.whole}
			n.below[name] = next
		}
		n = next
	}
	n.whole = !left
}

// simplify removes nodes that say the same as the one above.
func (n *Node) simplify() {
	for name, c := range n.below {
		if c.simplify(); len(c.below) == 0 && c.whole == n.whole {
			delete(n.below, name)
		}
	}
}

// Root returns what is kept of an object.
func (s *Set) Root() *Node { return s.root }

// Mark returns the mark of objects that were cut by the set.
func (s *Set) Mark() string { return s.mark }

// Metadata returns what is kept of the metadata of an object, which is never all.
func (s *Set) Metadata() *Node { return s.root.below["metadata"] }

// ManagedFields reports whether the set has managedFields.
func (s *Set) ManagedFields() bool {
	_, kept := s.Metadata().Child("managedFields")
	return kept
}
