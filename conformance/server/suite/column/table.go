package column

import (
	"cmp"
	"fmt"
	"strings"
)

// Table is a column: the verdicts by case.
type Table map[string]Verdict

// ParseTable parses the output of Format.
func ParseTable(text string) (Table, error) {
	table := Table{}
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.SplitN(line, "\t", 3)
		if len(fields) < 2 {
			return nil, fmt.Errorf("line %d: no case and verdict: %s", i+1, line)
		}
		v := Verdict{Case: fields[0], Word: Word(fields[1])}
		if len(fields) == 3 {
			v.Reason = fields[2]
		}
		if _, ok := table[v.Case]; ok {
			return nil, fmt.Errorf("line %d: %s is there twice", i+1, v.Case)
		}
		table[v.Case] = v
	}
	return table, nil
}

// Format formats verdicts, in order, with a heading and the number of each word.
func Format(heading string, verdicts []Verdict) string {
	counts := map[Word]int{}
	var lines strings.Builder
	for _, v := range verdicts {
		counts[v.Word]++
		fmt.Fprintf(&lines, "%s\t%s", v.Case, v.Word)
		if v.Reason != "" {
			fmt.Fprintf(&lines, "\t%s", v.Reason)
		}
		lines.WriteString("\n")
	}
	return fmt.Sprintf("# %s\n# %d cases: %d same, %d differ, %d not applicable.\n%s", heading, len(verdicts),
		counts[Same], counts[Differs], counts[NotApplicable], &lines)
}

// Explain sets the reasons of verdicts that differ, from the table, otherwise from proposals,
// otherwise "?".
func (t Table) Explain(verdicts []Verdict) {
	for i, v := range verdicts {
		if v.Word != Differs {
			continue
		}
		known := t[v.Case]
		verdicts[i].Reason = cmp.Or(known.Reason, v.Reason, "?")
		if known.Word != Differs || known.Reason == "?" {
			verdicts[i].Reason = cmp.Or(v.Reason, "?")
		}
	}
}

// Check returns the differences from the table: texts that begin with the case.
func (t Table) Check(verdicts []Verdict) []string {
	var complaints []string
	seen := map[string]bool{}
	for _, v := range verdicts {
		seen[v.Case] = true
		known, ok := t[v.Case]
		switch {
		case !ok:
			complaints = append(complaints, fmt.Sprintf("%s: %s, and not in the table\n%s", v.Case, v.Word, v.Details))
		case known.Word != v.Word:
			complaints = append(complaints, fmt.Sprintf("%s: %s, and in the table: %s\n%s", v.Case, v.Word, known.Word, v.Details))
		case v.Word == Differs && (known.Reason == "" || known.Reason == "?"):
			complaints = append(complaints, fmt.Sprintf("%s: differs, and the table has no reason\n%s", v.Case, v.Details))
		case v.Word != Differs && known.Reason != v.Reason:
			complaints = append(complaints, fmt.Sprintf("%s: %s (%s), and in the table: %s", v.Case, v.Word, v.Reason, known.Reason))
		}
	}
	for name := range t {
		if !seen[name] {
			complaints = append(complaints, name+": in the table, and no case")
		}
	}
	return complaints
}
