package marker

import (
	"slices"
	"testing"
)

func TestSuggest(t *testing.T) {
	for _, c := range []struct {
		name, word string
		candidates []string
		prefix     string
		want       string
	}{
		{"letter missing", "lst", Verbs, "", "; did you mean list?"},
		{"letter too many", "gett", Verbs, "", "; did you mean get?"},
		{"all but the first letter alike", "sed", []string{"bed", "sad", "set", "see", "sed"}, "", "; did you mean sed?"},
		{"another letter", "wotch", Verbs, "", "; did you mean watch?"},
		{"two letters changed places", "udpate", Verbs, "", "; did you mean update?"},
		{"case", "UPDATESTATUS", Verbs, "", "; did you mean updateStatus?"},
		{"the nearest of several", "applystatu", Verbs, "", "; did you mean applyStatus?"},
		{"too far", "frobnicate", []string{"get", "list"}, "", "; want one of get, list"},
		{"too short for a guess", "x", []string{"a", "b"}, "", "; want one of a, b"},
		{"nothing", "", []string{"a", "b"}, "", "; want one of a, b"},
		{"with a prefix", "genclient:noVerb", typeMarkers, "+", "; did you mean +genclient:noVerbs?"},
		{"a prefix on each", "z:zzzzzz", []string{"a:b", "a:c"}, "+", "; want one of +a:b, +a:c"},
		{"the part before the colon is ignored", "genclient:foo", []string{"genclient:bar", "genclient:baz"}, "", "; want one of genclient:bar, genclient:baz"},
		{"another family", "genclint:noVerbs", typeMarkers, "+", "; did you mean +genclient:noVerbs?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, _ := suggest(c.word, c.candidates, c.prefix); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"same", "same", 0},
		{"kitten", "sitting", 3},
		{"flaw", "lawn", 2},
		{"abc", "cba", 2},
		{"ab", "ba", 2},
	} {
		t.Run(c.a+" "+c.b, func(t *testing.T) {
			if got := editDistance(c.a, c.b); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
			if got := editDistance(c.b, c.a); got != c.want {
				t.Errorf("the other way round: got %d, want %d", got, c.want)
			}
		})
	}
}

// TestSuggestSelf checks that every word is suggested for itself, in any case.
func TestSuggestSelf(t *testing.T) {
	for _, words := range [][]string{Verbs, typeMarkers, methodKeys, methodVerbs, generators} {
		for _, w := range words {
			if got, meant := suggest(w, words, "+"); got != "; did you mean +"+w+"?" || meant != w {
				t.Errorf("%s: got %q", w, got)
			}
		}
		if !slices.Equal(words, slices.Compact(slices.Clone(words))) {
			t.Errorf("%v contains a word twice", words)
		}
	}
}
