package perturb_test

import (
	"regexp"

	"github.com/listwatch/listwatch/apitest/perturb"
)

// disturbed is what was found in a program of others.
type disturbed struct {
	Name           string
	Tried, Planned int // schedules
	Findings       []perturb.Finding
}

// judgement says of some reports whether a maintainer would accept them as bugs.
type judgement struct {
	report string // a regular expression for the report
	bug    bool
	why    string
}

// judgements are those of the reports of programs, by their names.
var judgements = map[string][]judgement{
	"lws": {{
		report: `(?s)the end state is that of the undisturbed run\n\s+undisturbed -, disturbed \+\n(\s+[-+] controllerrevisions\.apps \S+\n)+what happened`, bug: true,
		why: "the next process finds no StatefulSet, so that it creates a second revision with the same content; what looks up revisions logs that as an error",
	}},
}

// judge returns the judgement of a report, or nil.
func judge(program string, f perturb.Finding) *judgement {
	for i, j := range judgements[program] {
		if regexp.MustCompile(j.report).MatchString(f.Report) {
			return &judgements[program][i]
		}
	}
	return nil
}
