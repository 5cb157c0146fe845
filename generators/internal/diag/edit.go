package diag

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Edit replaces a part of a line. An Edit with neither Old nor New does nothing.
type Edit struct {
	// Line and Column are the start of Old, counted from 1 and in bytes.
	Line, Column int
	// Old is the text to replace; empty to insert New.
	Old string
	// New is the new text. After a newline in it, what precedes Column on the line is
	// repeated: "+a\n" before the marker +b in "// +b" inserts the line "// +a" above.
	New string
	// Cut removes the whole line instead, which must contain Old at Column.
	Cut bool
}

// Span is a part of a text, by the offsets of its start and end, and what replaces it.
type Span struct {
	Start, End int
	New        string
}

// Spans returns what the edits replace in src, sorted and without overlaps, or an error if src is
// not the text that the edits were made for.
func Spans(src []byte, edits []Edit) ([]Span, error) {
	var spans []Span
	lines := bytes.SplitAfter(src, []byte("\n"))
	starts := make([]int, len(lines))
	for i := 1; i < len(lines); i++ {
		starts[i] = starts[i-1] + len(lines[i-1])
	}
	for _, e := range edits {
		if e.Line < 1 || e.Line > len(lines) || e.Column < 1 || e.Column > len(lines[e.Line-1])+1 ||
			!bytes.HasPrefix(lines[e.Line-1][e.Column-1:], []byte(e.Old)) {
			return nil, fmt.Errorf("line %d does not contain %q at column %d", e.Line, e.Old, e.Column)
		}
		line, start := lines[e.Line-1], starts[e.Line-1]
		repeated := string(line[:e.Column-1])
		if (e.Cut || strings.Contains(e.New, "\n")) && strings.Trim(repeated, " \t/") != "" {
			return nil, fmt.Errorf("line %d has code before column %d", e.Line, e.Column)
		}
		if e.Cut {
			spans = append(spans, Span{Start: start, End: start + len(line)})
			continue
		}
		spans = append(spans, Span{
			Start: start + e.Column - 1,
			End:   start + e.Column - 1 + len(e.Old),
			New:   strings.ReplaceAll(e.New, "\n", "\n"+repeated),
		})
	}
	slices.SortStableFunc(spans, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) })
	spans = slices.Compact(spans)
	for i := 1; i < len(spans); i++ {
		if spans[i].Start < spans[i-1].End {
			return nil, fmt.Errorf("edits of line %d overlap", 1+bytes.Count(src[:spans[i].Start], []byte("\n")))
		}
	}
	return spans, nil
}

// Apply returns src with the edits, or the error of [Spans].
func Apply(src []byte, edits []Edit) ([]byte, error) {
	spans, err := Spans(src, edits)
	if err != nil {
		return nil, err
	}
	var out []byte
	end := 0
	for _, s := range spans {
		out = append(append(out, src[end:s.Start]...), s.New...)
		end = s.End
	}
	return append(out, src[end:]...), nil
}
