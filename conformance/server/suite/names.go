package suite

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// names replaces the values of a case that differ in each run with the names in records.
type names struct {
	versions []version // ascending
	seen     map[string]string
	counts   map[string]int
}

// version is a resource version of an object.
type version struct {
	number uint64
	name   string
}

func newNames() *names { return &names{seen: map[string]string{}, counts: map[string]int{}} }

// name returns the name of a value: the prefix and a number by first appearance.
func (n *names) name(prefix, thing string) string {
	if name, ok := n.seen[thing]; ok {
		return name
	}
	n.counts[prefix]++
	name := prefix + strconv.Itoa(n.counts[prefix])
	n.seen[thing] = name
	return name
}

// object names the resource version of an object.
func (n *names) object(rv string) string {
	number, err := strconv.ParseUint(rv, 10, 64)
	if err != nil || rv == "0" {
		return rv
	}
	at, found := n.find(number)
	if found {
		return n.versions[at].name
	}
	var name string
	switch {
	case at == len(n.versions):
		n.counts["rv"]++
		name = "rv" + strconv.Itoa(n.counts["rv"])
	default:
		name = n.between(at)
	}
	n.versions = slices.Insert(n.versions, at, version{number, name})
	return name
}

// between invents a name for a version before versions[at].
func (n *names) between(at int) string {
	before := "rv0"
	if at > 0 {
		before = n.versions[at-1].name
	}
	taken := func(name string) bool {
		return slices.ContainsFunc(n.versions, func(v version) bool { return v.name == name })
	}
	if name := before + ".1"; !taken(name) && !strings.Contains(before, ".") {
		return name
	}
	if stem, last, ok := strings.Cut(before, "."); ok {
		if i, err := strconv.Atoi(last); err == nil && !taken(fmt.Sprintf("%s.%d", stem, i+1)) {
			return fmt.Sprintf("%s.%d", stem, i+1)
		}
	}
	return before + ".0." + strconv.Itoa(at)
}

func (n *names) find(number uint64) (at int, found bool) {
	return slices.BinarySearchFunc(n.versions, number, func(v version, number uint64) int {
		switch {
		case v.number < number:
			return -1
		case v.number > number:
			return 1
		}
		return 0
	})
}

// list names the resource version of a list or bookmark. It depends on other activity of the
// server, so only a lower bound is stable.
func (n *names) list(rv string) string {
	number, err := strconv.ParseUint(rv, 10, 64)
	if err != nil || rv == "0" {
		return rv
	}
	at, found := n.find(number)
	if !found {
		at--
	}
	if at < 0 {
		return "≥rv0"
	}
	return "≥" + n.versions[at].name
}

var (
	uid = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	// Numbers in messages that are resource versions.
	versionText = regexp.MustCompile(`(?i)(resource ?version[^0-9]{0,40}|\brevision=)(\d+)`)
	// And those that depend on other activity of the server.
	currentText = regexp.MustCompile(`(, current: |too old resource version: \d+ \()(\d+)`)
)

// mention names a resource version in a message: an object's, or any.
func (n *names) mention(rv string) string {
	number, err := strconv.ParseUint(rv, 10, 64)
	if err != nil || number == 0 {
		return rv
	}
	if at, found := n.find(number); found {
		return n.versions[at].name
	}
	return "<version>"
}
