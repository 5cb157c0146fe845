package perturb_test

import "github.com/listwatch/listwatch/apitest/perturb"

// disturbed is what was found in a program of others.
type disturbed struct {
	name   string
	result perturb.Result
	judged []judged
}

// judgement says of some reports whether a maintainer would accept them as bugs.
type judgement struct {
	report string // a regular expression for the report
	bug    bool
	why    string
}

// judged is a finding, and whether it is a bug.
type judged struct {
	perturb.Finding
	judgement
}
