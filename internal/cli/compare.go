package cli

import (
	"errors"
	"fmt"

	"github.com/listwatch/listwatch/generators"
)

// checkBreaking is the flag that compares with a commit.
const checkBreaking = "check-breaking"

// CheckBreaking binds the flag that compares with a commit.
func (f *Flags) CheckBreaking() *string {
	return f.set.String(checkBreaking, "", "write nothing; list the changes of the API since a `commit` of git, and exit with code 1 if one of them breaks clients, stored objects or Go code")
}

// checks reports whether the flag is set.
func (f *Flags) checks() bool { return f.set.Changed(checkBreaking) }

// compared returns the result of a comparison.
func compared(r result, comparison *generators.Comparison, err error) result {
	r.quiet = false
	breaking := 0
	for _, c := range comparison.Changes {
		s := severityNote
		if c.Effect != 0 {
			s = severityError
			breaking++
		}
		r.diagnostics = append(r.diagnostics, diagnostic{pos: c.Pos, severity: s, message: c.String(), change: &c})
	}
	if len(comparison.Changes) == 0 {
		r.summary = "no changes since " + comparison.Ref
		return r
	}
	r.summary = fmt.Sprintf("%s since %s, %d of them breaking", changes(len(comparison.Changes)), comparison.Ref, breaking)
	if errors.Is(err, generators.ErrBreaking) {
		r.code = exitInput
	}
	return r
}

func changes(n int) string {
	if n == 1 {
		return "1 change"
	}
	return fmt.Sprintf("%d changes", n)
}
