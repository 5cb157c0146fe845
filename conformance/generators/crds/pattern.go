package crds

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"
)

// matching returns a random text that a pattern probably matches: anchors within it and boundaries
// are ignored.
func matching(r *rand.Rand, pattern string) string {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return pattern
	}
	var b strings.Builder
	writeMatching(r, re.Simplify(), &b)
	return b.String()
}

func writeMatching(r *rand.Rand, re *syntax.Regexp, b *strings.Builder) {
	repeat := func(from, to int) {
		for range from + r.IntN(to-from+1) {
			for _, sub := range re.Sub {
				writeMatching(r, sub, b)
			}
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		if n := len(re.Rune) / 2; n > 0 {
			i := 2 * r.IntN(n)
			b.WriteRune(re.Rune[i] + rune(r.IntN(int(min(re.Rune[i+1]-re.Rune[i], 25))+1)))
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte(byte('a' + r.IntN(26)))
	case syntax.OpCapture, syntax.OpConcat:
		repeat(1, 1)
	case syntax.OpAlternate:
		writeMatching(r, re.Sub[r.IntN(len(re.Sub))], b)
	case syntax.OpStar:
		repeat(0, 2)
	case syntax.OpPlus:
		repeat(1, 3)
	case syntax.OpQuest:
		repeat(0, 1)
	}
}
