package validation

import (
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"
)

//go:embed tables/*.txt
var files embed.FS

// A row contains the checks of one field.
type row struct {
	at     string // file:line
	text   string // with single spaces
	field  string // the name in JSON, or "*"
	part   part
	last   bool
	skip   bool // nothing in the field is checked
	create bool // nothing is checked on update
	limit  int  // items beyond it are reported, and none is checked; 0 for any number
	checks []check
	// members are fields of which the checks visit one.
	members []string
}

// A part of a field's value is checked.
type part int

const (
	whole part = iota
	items      // of a list or map
	keys       // of a map
)

// rows returns all rows by the name of their type, such as core/v1.Pod.
var rows = sync.OnceValues(func() (map[string][]row, error) {
	out := map[string][]row{}
	names, err := fs.Glob(files, "tables/*.txt")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		data, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if err := parse(name, string(data), out); err != nil {
			return nil, err
		}
	}
	return out, nil
})

// parse adds the rows of a table.
func parse(file, text string, out map[string][]row) error {
	var of string
	n := 0
	for line := range strings.Lines(text) {
		n++
		at := fmt.Sprintf("%s:%d", file, n)
		indented := strings.TrimLeft(line, " \t") != line
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case !indented:
			if of = line; out[of] != nil {
				return fmt.Errorf("%s: type %s has two tables", at, of)
			}
			out[of] = []row{}
		case of == "":
			return fmt.Errorf("%s: a row without a type", at)
		default:
			r, err := parseRow(line)
			if err != nil {
				return fmt.Errorf("%s: %w", at, err)
			}
			if r.at = at; r.field != "*" && isPart(of) {
				return fmt.Errorf("%s: %s has rows of *, not of %s", at, of, r.field)
			}
			out[of] = append(out[of], r)
		}
	}
	return nil
}

// isPart reports whether rows are checked when a subresource is written: their type is followed by its name.
func isPart(name string) bool { return strings.Count(name, "/") > 1 }

func parseRow(line string) (row, error) {
	name, rest, _ := strings.Cut(line, " ")
	r := row{field: name, text: strings.Join(strings.Fields(line), " ")}
	if trimmed, ok := strings.CutSuffix(name, "[]"); ok {
		r.field, r.part = trimmed, items
	}
	if trimmed, ok := strings.CutSuffix(name, "{}"); ok {
		r.field, r.part = trimmed, keys
	}
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		end := strings.IndexAny(rest, " (")
		if end < 0 {
			end = len(rest)
		}
		word, args := rest[:end], []string(nil)
		rest = rest[end:]
		if strings.HasPrefix(rest, "(") {
			closing := strings.Index(rest, ")")
			if closing < 0 {
				return r, fmt.Errorf("%s( is not closed", word)
			}
			args = split(rest[1:closing])
			rest = rest[closing+1:]
		}
		switch word {
		case "last":
			r.last = true
			continue
		case "unchecked":
			r.skip = true
			continue
		case "created":
			r.create = true
			continue
		}
		c, err := makeCheck(word, args)
		if err != nil {
			return r, err
		}
		switch word {
		case "union":
			r.members = args[1:]
		case "metric":
			r.members = args
		case "workload":
			r.members = []string{"template"}
		case "max-items":
			r.limit, _ = strconv.Atoi(first(args)) // makeCheck would have failed
		}
		r.checks = append(r.checks, c)
	}
	return r, nil
}

// split returns arguments, which are separated by commas; a quoted text is one.
func split(text string) []string {
	if strings.HasPrefix(text, `"`) {
		return []string{strings.Trim(text, `"`)}
	}
	var out []string
	for arg := range strings.SplitSeq(text, ",") {
		out = append(out, strings.TrimSpace(arg))
	}
	return out
}
