package marker

import "strings"

// suggest returns "; did you mean X?" for the candidate nearest to a word, or
// "; want one of ..." where none is near.
func suggest(word string, candidates []string, prefix string) string {
	best, distance := "", len(word)/2+1
	for _, c := range candidates {
		if d := editDistance(strings.ToLower(word), strings.ToLower(c)); d < distance {
			best, distance = c, d
		}
	}
	if best != "" {
		return "; did you mean " + prefix + best + "?"
	}
	return "; want one of " + prefix + strings.Join(candidates, ", "+prefix)
}

// editDistance returns how many letters must be put in, left out or replaced to
// make b of a (Levenshtein).
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
