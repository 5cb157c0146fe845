package marker

import (
	"slices"
	"strings"
)

// suggest returns "; did you mean X?" for the candidate nearest to word, and X without its
// prefix, or "; want one of ..." if none is near. It compares only the parts after the last
// colon.
func suggest(word string, candidates []string, prefix string) (hint, meant string) {
	if best := Nearest(word, candidates); best != "" {
		return "; did you mean " + prefix + best + "?", best
	}
	return "; want one of " + prefix + strings.Join(candidates, ", "+prefix), ""
}

// suggestMarker is suggest for a genclient marker.
func suggestMarker(name string) (hint, meant string) {
	near, ok := nearName(name)
	switch {
	case ok && folded(near) == folded(name) && !strings.Contains(name, ","):
		return "; did you mean +" + near + "?", near
	case strings.ContainsAny(name, " ,;"):
		return "; put each marker on its own line, with nothing after it", ""
	}
	return suggest(name, typeMarkers, "+")
}

// suggestVerb is suggest for a verb in a list.
func suggestVerb(verb string) (hint, meant string) {
	const separators = " ;|+"
	if !strings.ContainsAny(strings.TrimSpace(verb), separators) {
		return suggest(verb, Verbs, "")
	}
	verbs := strings.FieldsFunc(verb, func(r rune) bool { return strings.ContainsRune(separators, r) })
	if !slices.ContainsFunc(verbs, func(v string) bool { return !slices.Contains(Verbs, v) }) {
		meant = strings.Join(verbs, ",")
	}
	return "; separate verbs with commas, as in get,list", meant
}

// Nearest returns the candidate nearest to word, or "" if none is near. It compares only the
// parts after the last colon.
func Nearest(word string, candidates []string) string {
	last := lastPart(word)
	best, distance := "", len(last)/3+1
	for _, c := range candidates {
		if d := editDistance(last, lastPart(c)); d < distance {
			best, distance = c, d
		}
	}
	return best
}

func lastPart(word string) string {
	return strings.ToLower(word[strings.LastIndexByte(word, ':')+1:])
}

// editDistance returns the number of insertions, deletions and replacements that turn a into
// b (Levenshtein distance).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
